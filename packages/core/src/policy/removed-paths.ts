import { hasOption, operandsOf } from "./command-words.js";
import type { FoundCommand } from "./found-command.js";
import { isUnknown } from "./marks.js";

/** What a command deletes, and whether with all that is below. Undefined when it deletes nothing. */
export function removedPaths(
  command: FoundCommand,
): { readonly paths: readonly string[]; readonly isRecursive: boolean } | undefined {
  switch (command.name) {
    case "rm":
    case "srm":
    case "grm":
      return { paths: operandsOf(command), isRecursive: hasOption(command, "rR", "recursive") };
    case "rimraf":
    case "del-cli":
      return { paths: operandsOf(command), isRecursive: true };
    case "tar":
    case "bsdtar":
      return hasOption(command, "", "remove-files")
        ? { paths: operandsOf(command, "fCTX"), isRecursive: true }
        : undefined;
    case "unlink":
    case "rmdir":
    case "shred":
      return { paths: operandsOf(command, "ns"), isRecursive: false };
    default:
      // A program that is not known, called the way only rm is.
      return isUnknown(command.name) && hasOption(command, "r") && hasOption(command, "f")
        ? { paths: operandsOf(command), isRecursive: true }
        : undefined;
  }
}
