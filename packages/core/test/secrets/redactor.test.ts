import { describe, expect, it } from "vitest";
import { TalariaError } from "../../src/errors/talaria-error.js";
import { Redactor } from "../../src/secrets/redactor.js";

const value = "S3cret-of-the-house";
const redactor = new Redactor([{ name: "HOUSE_TOKEN", value }]);
/** Put together here, so that no scanner takes them for real ones. */
const made = (prefix: string, length: number): string =>
  prefix + "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA3cE5gH7jK9mN1pQ2rS4tU6vW8xY0z".slice(0, length);

describe("Redactor", () => {
  it("puts a name in the place of a known value, in any disguise", () => {
    expect(redactor.redact(`a ${value} b`)).toBe("a [redacted:HOUSE_TOKEN] b");
    expect(redactor.redact(Buffer.from(`x${value}y`).toString("base64"))).not.toContain(
      Buffer.from(value).toString("base64").slice(4, 16),
    );
  });

  it("returns other text as the same text", () => {
    for (const text of ["", "nothing", "\ud800 half a character", "tab\tnul\0 é 😀\r\n"]) {
      expect(redactor.redact(text)).toBe(text);
    }
  });

  it("says which values cannot be looked for, and leaves them alone", () => {
    const judged = new Redactor([
      { name: "SHORT", value: "abc123" },
      { name: "COMMON", value: "changeme" },
      { name: "SAME", value: "xxxxxxxxxxxxxxxx" },
      { name: "EMPTY", value: "" },
      { name: "GOOD", value },
    ]);
    expect(judged.unused.map(({ name }) => name)).toEqual(["SHORT", "COMMON", "SAME"]);
    expect(judged.redact(`abc123 changeme xxxxxxxxxxxxxxxx ${value}`)).toBe(
      "abc123 changeme xxxxxxxxxxxxxxxx [redacted:GOOD]",
    );
  });

  it("finds a value that has a line break at its end where that was cut off", () => {
    expect(new Redactor([{ name: "FILE", value: `${value}\n` }]).redact(`<${value}>`)).toBe(
      "<[redacted:FILE]>",
    );
  });

  it("finds each part of a value too long to be held back", () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `k${index}`).join("-");
    const clean = new Redactor([{ name: "LONG", value: long }]).redact(`<${long}>`);
    expect(clean).toMatch(/^<(\[redacted:LONG\])+>$/);
  });

  it("gives a name that could act on a terminal a plain one", () => {
    expect(new Redactor([{ name: "a\u001b]b", value }]).redact(value)).toBe("[redacted:a__b]");
  });

  it.each([
    ["github_token", made("ghp_", 36)],
    ["github_token", made("github_pat_", 40)],
    ["gitlab_token", made("glpat-", 22)],
    ["slack_token", made("xoxb-", 30)],
    ["google_key", made("AIza", 35)],
    ["aws_key_id", `AKIA${"ABCDEFGH2345WXYZ"}`],
    ["npm_token", made("npm_", 36)],
    ["openai_key", made("sk-proj-", 40)],
    ["openai_key", made("sk-", 40)],
    ["anthropic_key", made("sk-ant-api03-", 40)],
    ["jwt", `${made("eyJ", 20)}.${made("eyJ", 30)}.${made("", 40)}`],
    ["huggingface_token", made("hf_", 34)],
    ["modal_token", made("ak-", 22)],
    ["daytona_key", made("dtn_", 40)],
    ["stripe_key", made("sk_live_", 24)],
  ])("takes out what looks like a %s, whole and only that", (name, token) => {
    expect(redactor.redact(`before ${token} after`)).toBe(`before [redacted:${name}] after`);
    expect(redactor.redact(`{"k":"${token}"}`)).toBe(`{"k":"[redacted:${name}]"}`);
  });

  it.each([
    ["Authorization: Bearer abc.def-123456", "Authorization: Bearer [redacted:authorization]"],
    ['-H "authorization: Basic dXNlcjpwYXNz"', '-H "authorization: Basic [redacted:authorization]"'],
    ["postgres://bob:pa%40ss@db/x", "postgres://bob:[redacted:url_password]@db/x"],
    [
      "https://x.test/?a=1&password=hunter22&b=2",
      "https://x.test/?a=1&password=[redacted:url_parameter]&b=2",
    ],
    [
      "https://x.test/?access_token=abcdefgh#top",
      "https://x.test/?access_token=[redacted:url_parameter]#top",
    ],
    ["mysql --password=hunter22 -h db", "mysql --password=[redacted:option] -h db"],
    ["login --api-key hunter22", "login --api-key [redacted:option]"],
    ["curl -u bob:hunter22 http://x.test", "curl -u bob:[redacted:user_password] http://x.test"],
    ["export DB_PASSWORD='hunter 22' && x", "export DB_PASSWORD=[redacted:DB_PASSWORD] && x"],
    ["MY_TOKEN=hunter22 run", "MY_TOKEN=[redacted:MY_TOKEN] run"],
  ])("takes out of %s what is secret by its place", (text, clean) => {
    expect(redactor.redact(text)).toBe(clean);
  });

  it.each([
    "git commit -m 'Add token refresh'",
    "ls -u /tmp:/var",
    "cat author.txt keyboard.txt",
    "PATH=/usr/bin:/bin make",
    "http://localhost:3000/path@2x.png",
    "ssh git@host:repo.git",
    "sk-learn and ak-47",
    "echo $MY_TOKEN",
    'curl -H "Authorization: Bearer $TOKEN"',
    "docker run -e KEY=$VALUE image",
    "The password is required.",
    "tokens: 1204",
    "npm_config_cache=/x",
  ])("leaves %s as it is", (text) => {
    expect(redactor.redact(text)).toBe(text);
  });

  it("takes a private key out whole, with or without its end, on one line or many", () => {
    const body = [made("MII", 60), made("", 60), made("", 20)];
    const key = ["-----BEGIN RSA PRIVATE KEY-----", ...body, "-----END RSA PRIVATE KEY-----"];
    expect(redactor.redact(`a\n${key.join("\n")}\nb\n`)).toBe("a\n[redacted:private_key]\nb\n");
    expect(redactor.redact(JSON.stringify({ key: key.join("\n"), more: 1 }))).toBe(
      '{"key":"[redacted:private_key]","more":1}',
    );
    expect(redactor.redact(`${key.slice(0, 3).join("\n")}\n$ and more`)).toBe(
      "[redacted:private_key]\n$ and more",
    );
  });

  it("comes to an end with texts made to be slow", () => {
    for (const unit of [
      "a=",
      "://",
      "password ",
      "eyJ",
      "-----BEGIN ",
      "Authorization:",
      "key: ",
      "a:",
      "- --token",
    ]) {
      const text = unit.repeat(Math.ceil(65_536 / unit.length));
      // A pattern that goes back and forth would take minutes.
      expect(redactor.redact(text).length).toBeGreaterThan(0);
    }
  });

  it("takes secrets out of an error and of all its causes, and leaves it the error it is", () => {
    const cause = new Error(`inner ${value}`, { cause: `deep ${value}` });
    const error = new TalariaError("x", `outer ${value}`, { hint: `try ${value}`, cause });
    expect(redactor.redactError(error)).toBe(error);
    const shown = [error.message, error.hint, error.stack, cause.message, cause.stack, cause.cause].join(
      "\n",
    );
    expect(shown).not.toContain(value);
    expect(error.message).toBe("outer [redacted:HOUSE_TOKEN]");
    expect(error.hint).toBe("try [redacted:HOUSE_TOKEN]");
    expect(error.code).toBe("x");
  });

  it("takes secrets out of data, at any depth", () => {
    expect(redactor.redactData({ a: [value, 1, null], [value]: { b: true } })).toEqual({
      a: ["[redacted:HOUSE_TOKEN]", 1, null],
      "[redacted:HOUSE_TOKEN]": { b: true },
    });
  });

  it("has no rules for output when there is nothing to look for", () => {
    expect(new Redactor().outputRules("values")).toBeUndefined();
    expect(new Redactor().outputRules("patterns")).toMatchObject({ patterns: true });
    expect(redactor.outputRules("off")).toBeUndefined();
    expect(redactor.outputRules("values")).toBe(redactor.outputRules("values"));
  });
});
