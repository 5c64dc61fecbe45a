import { InvalidArgumentError } from "../errors/errors.js";
import { forbiddenKeys } from "../provider/check-config-schema.js";
import { lookAlikeOf } from "./look-alikes.js";
import { reservedNames } from "./reserved-names.js";

const longestName = 64;

/**
 * The one form a backend's name is compared in: Unicode NFKC, trimmed, case folded, then `[a-z0-9_]+` of at most 64.
 * A letter of another script that survives NFKC (a Cyrillic `о`), an invisible sign, and a name drawn like a reserved
 * one (`l0cal`, `vercelsandbox`) are refused, with the name they resemble in the text. Throws InvalidArgumentError.
 */
export function normaliseBackendName(raw: string): string {
  if (typeof raw !== "string") {
    throw new InvalidArgumentError("backend", `a backend's name must be a text, but is a ${typeof raw}`);
  }
  const name = raw.normalize("NFKC").trim().toLowerCase();
  const shown = JSON.stringify(raw.length > 80 ? `${raw.slice(0, 77)}...` : raw);
  const resembled = lookAlikeOf(name, reservedNames);
  const hint =
    resembled === undefined
      ? "Names of backends are a-z, 0-9 and _: docker, vercel_sandbox."
      : `If the backend "${resembled}" is meant, write it in plain letters: ${resembled}.`;
  if (/[^\u0020-\u007e]/.test(name)) {
    throw new InvalidArgumentError(
      "backend",
      `${shown} is not a backend's name: it contains ${nameForeignSigns(name)}${
        resembled === undefined ? "" : `, which makes it look like the reserved name "${resembled}"`
      }`,
      { hint },
    );
  }
  const why = refusalOf(name);
  if (why !== undefined) {
    throw new InvalidArgumentError("backend", `${shown} is not a backend's name: ${why}`, { hint });
  }
  if (resembled !== undefined) {
    throw new InvalidArgumentError(
      "backend",
      `${shown} is not accepted as a backend's name: it can be mistaken for the reserved name "${resembled}"`,
      { hint },
    );
  }
  return name;
}

function refusalOf(name: string): string | undefined {
  if (name === "") return "it is empty";
  if (name.length > longestName) return `it is longer than ${longestName}`;
  if (!/^[a-z0-9_]+$/.test(name)) return "only a-z, 0-9 and _ are allowed";
  if (!/[a-z]/.test(name)) return "it has no letter";
  return forbiddenKeys.has(name) ? "it would reach the prototype of an object it is a key of" : undefined;
}

function nameForeignSigns(name: string): string {
  const signs = new Set(Array.from(name).filter((sign) => /[^\u0020-\u007e]/.test(sign)));
  const points = [...signs]
    .slice(0, 4)
    .map((sign) => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`);
  return `the sign${points.length > 1 ? "s" : ""} ${points.join(", ")}`;
}
