import { RegistrationError } from "../errors/errors.js";
import { reservedNamesOf, type ReservedName } from "./reserved-names.js";

/** Who registers: shown in error texts and lists. A copy of it gives no rights. */
export interface OriginDescription {
  /** The package's or folder's name. */
  readonly id: string;
  /** Where it was loaded from, when the loader did. */
  readonly directory?: string | undefined;
  readonly version?: string | undefined;
}

interface OriginRights {
  /** Equal for two loads of the same plugin: a reload. */
  readonly identity: string | symbol;
  readonly reservedNames: readonly ReservedName[];
}

/**
 * Kept here and nowhere else. What an origin may do is not written on it, so that an object with the right words is
 * not enough: rights belong to the very objects that the functions below made.
 */
const rightsOf = new WeakMap<PluginOrigin, OriginRights>();

/** The right to register under an id. Made by `pluginOrigin` or by the plugin loader; compared by identity. */
export class PluginOrigin {
  readonly id: string;
  readonly directory: string | undefined;
  readonly version: string | undefined;

  constructor(description: OriginDescription) {
    this.id = description.id;
    this.directory = description.directory;
    this.version = description.version;
    Object.freeze(this);
  }
}

/**
 * An origin for an application that registers a provider of its own. It may take any name that is free and not
 * reserved: the id is shown, and proves nothing.
 */
export function pluginOrigin(description: OriginDescription): PluginOrigin {
  const origin = new PluginOrigin(description);
  rightsOf.set(origin, { identity: Symbol(description.id), reservedNames: [] });
  return origin;
}

/**
 * For the loader alone, and therefore not part of the public entry: an origin for a plugin whose folder the loader
 * found itself. `installedAs` is the name of the package folder in a node_modules it looked into, null for a plugin
 * folder; a package has the reserved names that core's table gives to that name.
 */
export function loadedOrigin(
  description: OriginDescription & { directory: string },
  installedAs: string | null,
): PluginOrigin {
  const origin = new PluginOrigin(description);
  rightsOf.set(origin, {
    identity: `${description.id}\0${description.directory}`,
    reservedNames: installedAs === null ? [] : reservedNamesOf(installedAs),
  });
  return origin;
}

/** Whether the origin may register the reserved name. */
export function mayUseReservedName(origin: PluginOrigin, name: ReservedName): boolean {
  return rightsOf.get(origin)?.reservedNames.includes(name) === true;
}

/** What makes two origins the same plugin. Throws RegistrationError for an object that is no origin. */
export function identityOf(origin: PluginOrigin): string | symbol {
  const rights = rightsOf.get(origin);
  if (rights === undefined) {
    throw new RegistrationError(
      "A provider was refused: the origin it was registered with was not made by Talaria.",
      {
        operation: "register",
        hint: "Make one with pluginOrigin({ id }), or let the plugin be loaded by its manifest.",
      },
    );
  }
  return rights.identity;
}
