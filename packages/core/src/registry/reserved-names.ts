/** The first-party package of every reserved backend name. Fixed here, in core: nobody can say otherwise at run time. */
const firstPartyPackages = {
  local: "@talaria/backend-local",
  docker: "@talaria/backend-docker",
  ssh: "@talaria/backend-ssh",
  singularity: "@talaria/backend-singularity",
  modal: "@talaria/backend-modal",
  managed_modal: "@talaria/backend-modal",
  daytona: "@talaria/backend-daytona",
  vercel_sandbox: "@talaria/backend-vercel-sandbox",
} as const;

/** Those that this version ships with. Of the others there is only the name yet, and nothing to install. */
const releasedPackages: ReadonlySet<string> = new Set<string>([firstPartyPackages.local]);

/** A backend name that only its first-party package may register. */
export type ReservedName = keyof typeof firstPartyPackages;

/** All reserved names, sorted. */
export const reservedNames: readonly ReservedName[] = Object.freeze(
  (Object.keys(firstPartyPackages) as ReservedName[]).sort(),
);

/** True for a normalised name that is reserved. */
export function isReservedName(name: string): name is ReservedName {
  return Object.hasOwn(firstPartyPackages, name);
}

/** The only package that may register the reserved name. */
export function firstPartyPackageOf(name: ReservedName): string {
  return firstPartyPackages[name];
}

/** What is to be said where the package of a reserved name is not there. */
export interface AbsentPackage {
  readonly status: "not_installed" | "not_released";
  /** Why the backend cannot be used. */
  readonly reason: string;
  /** The way out. */
  readonly hint: string;
}

/** Why the package of a reserved name is not there, and what to do about that. */
export function absentPackage(name: ReservedName): AbsentPackage {
  const packageName = firstPartyPackages[name];
  if (releasedPackages.has(packageName)) {
    return {
      status: "not_installed",
      reason: `its package ${packageName} is not installed`,
      hint: `Install it: npm install ${packageName}`,
    };
  }
  return {
    status: "not_released",
    reason: `its package ${packageName} is not released yet`,
    hint: "Choose one that is there: talaria backends",
  };
}

/** The reserved names that belong to a package; empty for any other package. */
export function reservedNamesOf(packageName: string): readonly ReservedName[] {
  return reservedNames.filter((name) => firstPartyPackages[name] === packageName);
}
