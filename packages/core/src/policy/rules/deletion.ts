import { hasOption, operandsOf } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";
import type { FoundCommand } from "../found-command.js";
import { removedPaths } from "../removed-paths.js";
import { locate, resolvePath, type Location } from "../sandbox-location.js";

function removes(
  command: FoundCommand,
  wanted: readonly Location[],
  isRecursive: boolean | undefined,
): boolean {
  const removed = removedPaths(command);
  if (removed === undefined || (isRecursive !== undefined && removed.isRecursive !== isRecursive))
    return false;
  return removed.paths.some((path) => wanted.includes(locate(path, command)));
}

export const deletionRules: readonly CommandRule[] = [
  {
    id: "delete_outside",
    level: "dangerous",
    category: "deletion",
    description: "`rm -r` outside of the directory that the session stands in and of temporary files",
    why: "what it deletes is not the session's own",
    matches: (command) =>
      removes(
        command,
        command.isContained ? ["below_home"] : ["below_home", "below_system", "elsewhere", "temp", "device"],
        true,
      ),
  },
  {
    id: "delete_all_here",
    level: "dangerous",
    category: "deletion",
    description: "`rm -r` of the whole directory that the session stands in, or of a `.git`",
    why: "it deletes all the work, or its history",
    matches: (command) => {
      if (removes(command, ["tree"], true)) return true;
      const removed = removedPaths(command);
      return (
        removed?.isRecursive === true &&
        removed.paths.some(
          (path) =>
            /(?:^|\/)\.git$/u.test(resolvePath(path, command)) && locate(path, command) !== "below_temp",
        )
      );
    },
  },
  {
    id: "delete_unknown",
    level: "dangerous",
    category: "deletion",
    description: '`rm -r` of a path from a variable that the command does not set: `rm -rf "$dir"/*`',
    why: "an empty variable makes it delete from the root",
    matches: (command) => !command.isContained && removes(command, ["unknown"], true),
  },
  {
    id: "delete_system_file",
    level: "dangerous",
    category: "deletion",
    description: "deleting a file that belongs to the system",
    why: "the system may need it",
    matches: (command) =>
      !command.isContained && removes(command, ["below_system", "device", "system", "root"], false),
  },
  {
    id: "move_outside",
    level: "dangerous",
    category: "deletion",
    description:
      "`mv` of what belongs to the system, or `mv … /dev/null`; `rsync --delete` outside of the session's directory",
    why: "what was there is gone",
    programs: ["mv", "rsync"],
    matches: (command) => {
      const operands = operandsOf(command, "tSe");
      const [last = ""] = operands.slice(-1);
      if (command.name === "rsync") {
        if (!command.words.some((word) => word.startsWith("--delete")) || hasOption(command, "n", "dry-run"))
          return false;
        return last.includes(":") || !/^(?:below_tree|below_temp)$/u.test(locate(last, command));
      }
      return (
        last === "/dev/null" || operands.slice(0, -1).some((path) => locate(path, command) === "below_system")
      );
    },
  },
  {
    id: "shred_files",
    level: "dangerous",
    category: "deletion",
    description: "`shred` of files outside of the session's directory",
    why: "nothing brings the content back",
    programs: ["shred", "srm", "wipe", "scrub"],
    matches: (command) =>
      operandsOf(command, "ns").some((path) => !/^(?:below_tree|below_temp)$/u.test(locate(path, command))),
  },
];
