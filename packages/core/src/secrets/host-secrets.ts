import { existsSync } from "node:fs";
import type { Config } from "../config/config.js";
import { isInheritedByAgents } from "../provider/inherited-names.js";
import { looksSecret } from "../provider/looks-secret.js";
import type { KnownSecret } from "./redaction-rules.js";

export interface HostSecretSources {
  /** The variables of this process, or those the configuration was loaded with. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  /** Credential variables of all installed backends (`allStripEnvKeys`). */
  readonly stripEnvKeys: readonly string[];
  readonly config?: Config | undefined;
  /** The backend's configuration as it was resolved, with what its schema calls secret. */
  readonly backend?: {
    readonly name: string;
    readonly values: Readonly<Record<string, unknown>>;
    readonly secretFields: readonly string[];
  };
  /** What the caller of `openSession` gives, by name. */
  readonly given?: Readonly<Record<string, string>> | undefined;
  /** Looks for a path on this host. Default: the file system. */
  readonly exists?: ((path: string) => boolean) | undefined;
}

/**
 * The secrets that Talaria knows of: what the caller names, secret fields of the configuration, and those variables of
 * this host that hold a credential of a backend or are called as if they held one. Of an address with a password in it,
 * the password too. Not among them: paths, addresses without a password, and what every agent may see anyway.
 */
export function hostSecrets(sources: HostSecretSources): readonly KnownSecret[] {
  const { hostEnv, stripEnvKeys, config, backend, given = {}, exists = existsSync } = sources;
  const stripped = new Set(stripEnvKeys);
  const visible = new Set(
    Object.entries(hostEnv).flatMap(([name, value]) => (isInheritedByAgents(name) ? [value] : [])),
  );
  const fromEnv = Object.entries(hostEnv).filter(([name, value = ""]) => {
    if (stripped.has(name)) return true;
    return looksSecret(name) && !visible.has(value) && !isPlace(value, exists);
  });
  const fromConfig = (config?.entries() ?? []).filter(
    ({ key, isSecret, value }) =>
      typeof value === "string" && (isSecret || (isBackendField(key) && looksSecret(key))),
  );
  const secrets = [
    ...Object.entries(given),
    ...(backend?.secretFields ?? []).map((field) => [field, backend?.values[field]] as const),
    ...fromConfig.map(({ key, value }) => [key.slice(key.lastIndexOf(".") + 1), value] as const),
    ...fromEnv,
  ];
  return secrets.flatMap(([name, value]) => (typeof value === "string" ? withPassword(name, value) : []));
}

/** `terminal.backends.<name>.<field>`: of a backend whose schema is not at hand. */
function isBackendField(key: string): boolean {
  return key.startsWith("terminal.backends.");
}

/** Where a secret is kept is none: SSH_AUTH_SOCK, a token's file, the address of a token service. */
function isPlace(value: string, exists: (path: string) => boolean): boolean {
  if (value.startsWith("/")) return !value.includes("\n") && exists(value);
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s@?]*$/i.test(value);
}

function withPassword(name: string, value: string): readonly KnownSecret[] {
  const coded = /^[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:([^\s@]+)@/i.exec(value)?.[1];
  if (coded === undefined) return [{ name, value }];
  const plain = decoded(coded);
  return [...new Set([value, coded, plain])].map((text) => ({ name, value: text }));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
