import { describe, expect, it } from "vitest";
import { Config } from "../../src/config/config.js";
import { hostSecrets, type HostSecretSources } from "../../src/secrets/host-secrets.js";

const namesOf = (sources: Partial<HostSecretSources>): readonly string[] =>
  hostSecrets({ hostEnv: {}, stripEnvKeys: [], exists: () => false, ...sources }).map(
    ({ name, value }) => `${name}=${value}`,
  );

describe("hostSecrets", () => {
  it("knows the credentials of all backends, and variables that are called like secrets", () => {
    const hostEnv = { PLAIN_LOGIN: "of-a-backend", GITHUB_TOKEN: "by-its-name", EDITOR: "vim-the-editor" };
    expect(namesOf({ hostEnv, stripEnvKeys: ["PLAIN_LOGIN"] })).toEqual([
      "PLAIN_LOGIN=of-a-backend",
      "GITHUB_TOKEN=by-its-name",
    ]);
  });

  it("takes neither places nor what agents see anyway for secrets", () => {
    const hostEnv = {
      SSH_AUTH_SOCK: "/run/agent.sock",
      TOKEN_URL: "https://login.test/token",
      HOME: "/home/somebody",
      VAULT_KEY: "/home/somebody",
      ODD_KEY: "/Looks+like/a/path/and/is/none",
    };
    const exists = (path: string): boolean => path.startsWith("/run/") || path.startsWith("/home/");
    expect(namesOf({ hostEnv, exists })).toEqual(["ODD_KEY=/Looks+like/a/path/and/is/none"]);
  });

  it("knows the password in an address by itself too, encoded and plain", () => {
    expect(namesOf({ hostEnv: { DATABASE_URL: "postgres://bob:p%40ssword1@db/x" } })).toEqual([
      "DATABASE_URL=postgres://bob:p%40ssword1@db/x",
      "DATABASE_URL=p%40ssword1",
      "DATABASE_URL=p@ssword1",
    ]);
  });

  it("knows secret fields of the configuration, and what the caller gives first", () => {
    const source = { kind: "user", where: "config.yaml" } as const;
    const config = new Config({
      talariaHome: "/h",
      cwd: undefined,
      env: {},
      warnings: [],
      projectFile: undefined,
      values: [
        { key: "terminal.backends.box.api_key", value: "of-box", source, isSecret: false },
        { key: "terminal.backends.box.region", value: "north", source, isSecret: false },
        { key: "terminal.backends.box.login", value: "declared", source, isSecret: true },
      ],
    });
    const backend = {
      name: "acme",
      values: { pin_code: "of-acme", other: 3 },
      secretFields: ["pin_code", "other"],
    };
    expect(namesOf({ config, backend, given: { MINE: "given" } })).toEqual([
      "MINE=given",
      "pin_code=of-acme",
      "api_key=of-box",
      "login=declared",
    ]);
  });
});
