import { derivedCapabilities, capabilityNames, type Capability } from "../environment/capabilities.js";
import { TalariaError } from "../errors/talaria-error.js";
import { normaliseBackendName } from "../registry/backend-name.js";
import { isInheritedByAgents } from "./inherited-names.js";
import { copyConfigSchema, SchemaProblem } from "./check-config-schema.js";
import type { ConfigSchema } from "./config-schema.js";
import { isEnvironmentName } from "./environment-name.js";
import { FlagReader } from "./flag-reader.js";
import type { ProviderFlags } from "./provider-flags.js";
import { displayNameOf, type TerminalEnvironmentProvider } from "./provider.js";
import { readDefaultCwd } from "./read-default-cwd.js";

const optionalMethods = [
  "probe",
  "checkRequirements",
  "doctorChecks",
  "setupInstructions",
  "postSetup",
  "listSandboxes",
  "collectSandboxes",
];

/**
 * Reads every declared member of a provider once, checks type and content, and freezes the result. Called at
 * registration, and for a provider that is handed to `openSession` directly.
 * Throws RegistrationError that names the flag, and the package when it is given.
 */
export function readProviderFlags(
  provider: TerminalEnvironmentProvider,
  packageName?: string,
): ProviderFlags {
  if (typeof provider !== "object" || provider === null) {
    new FlagReader({}, packageName).refuse("provider", "a TerminalEnvironmentProvider", provider);
  }
  const reader = new FlagReader(provider, packageName);
  const name = readName(reader);
  reader.nameIs(name);
  for (const member of ["isAvailable", "createEnvironment"]) reader.method(member, true);
  for (const member of optionalMethods) reader.method(member, false);
  // The base class makes some defaults from other members. They are made here from what was read, so that a getter
  // that answers differently the second time is never asked a second time.
  const displayName = reader.overrides("displayName") ? reader.line("displayName", "") : displayNameOf(name);
  if (displayName.trim() === "") reader.refuse("displayName", "a text that can be shown", displayName);
  const isContainer = reader.boolean("isContainer", true);
  const configSchema = readSchema(reader);
  const capabilities = readCapabilities(reader);
  checkDefaultCwd(reader, provider);
  return Object.freeze({
    name,
    displayName,
    description: reader.line("description", ""),
    isRemote: reader.boolean("isRemote", true),
    isContainer,
    skipContainerGuards: reader.overrides("skipContainerGuards")
      ? reader.boolean("skipContainerGuards", isContainer)
      : isContainer,
    cachePathBase: readCachePathBase(reader),
    stripEnvKeys: readStripEnvKeys(reader, configSchema),
    sessionIsolatedWhenNonpersistent: reader.boolean("sessionIsolatedWhenNonpersistent", false),
    supportsStreams: reader.boolean("supportsStreams", false),
    execPrefixJoinsWords: reader.boolean("execPrefixJoinsWords", false),
    ...capabilities,
    configSchema,
    envDescription: reader.overrides("envDescription")
      ? reader.line("envDescription", "")
      : `Commands run in ${displayName}.`,
  });
}

function readName(reader: FlagReader): string {
  const raw = reader.read("name");
  if (typeof raw !== "string") return reader.refuse("name", "a text of a-z, 0-9 and _", raw);
  try {
    return normaliseBackendName(raw);
  } catch (error) {
    if (!TalariaError.isInstance(error)) throw error;
    throw reader.error(
      `its flag "name" is unusable: ${error.message}`,
      error.hint ?? "Choose another name.",
      error,
    );
  }
}

function readSchema(reader: FlagReader): ConfigSchema {
  const declared = reader.read("configSchema", {});
  try {
    return copyConfigSchema(declared);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw reader.error(
      error instanceof SchemaProblem
        ? `its flag "configSchema" ${why}`
        : `its flag "configSchema" threw while being read: ${why}`,
      "Correct the field in the provider's configSchema.",
      error,
    );
  }
}

function readCapabilities(reader: FlagReader): {
  readonly capabilities: readonly Capability[];
  readonly unknownCapabilities: readonly string[];
} {
  const declared = new Set(reader.texts("capabilities", derivedCapabilities));
  for (const name of declared) {
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name))
      reader.refuse("capabilities", "a list of capability names", name);
  }
  const known = capabilityNames.filter((name) => declared.has(name));
  const unknown = [...declared].filter((name) => !known.some((capability) => capability === name));
  return { capabilities: Object.freeze(known), unknownCapabilities: Object.freeze(unknown) };
}

function readCachePathBase(reader: FlagReader): string | null {
  const value = reader.read("cachePathBase", null);
  if (value === null) return null;
  const isPath = typeof value === "string" && /^(\/|~\/)/.test(value) && !value.includes("\0");
  return isPath
    ? value
    : reader.refuse("cachePathBase", 'an absolute path, a path below "~/", or null', value);
}

function readStripEnvKeys(reader: FlagReader, schema: ConfigSchema): readonly string[] {
  const keys = new Set(reader.texts("stripEnvKeys", []));
  for (const key of keys) {
    if (!isEnvironmentName(key)) reader.refuse("stripEnvKeys", "a list of variable names", key);
    // Stripping reaches every backend: one careless plugin must not take PATH from all of them.
    if (isInheritedByAgents(key)) reader.refuse("stripEnvKeys", "a list of credential variables", key);
  }
  for (const field of Object.values(schema)) {
    if (field.type === "secret" && field.environmentVariable !== undefined)
      keys.add(field.environmentVariable);
  }
  return Object.freeze([...keys].sort());
}

/** Read here only so that a misdeclared one is refused at once; its value is asked for again at every command. */
function checkDefaultCwd(reader: FlagReader, provider: TerminalEnvironmentProvider): void {
  const reading = readDefaultCwd(provider);
  if (reading.kind === "unusable") {
    throw reader.error(
      `its flag "defaultCwd" is unusable: ${reading.reason}`,
      'Return an absolute path inside the sandbox, "~", or null.',
    );
  }
}
