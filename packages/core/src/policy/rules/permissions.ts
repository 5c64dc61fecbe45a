import { hasOption } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";
import { locate } from "../sandbox-location.js";

/** 777, 666, o+w, a+rwx: a mode by which everybody may write. */
const worldWritable =
  /^(?:[0-7]?[0-7]{2}[2367]|(?:[ugo]*[oa][ugo]*|)[+=][rxXst]*w[rwxXst]*(?:,.*)?|.*,[ugo]*[oa][ugo]*[+=][rx]*w.*)$/u;
const setsId = /^(?:0?[2-7][0-7]{3}|[ugoa]*[+=][rwxXt]*s[rwxXst]*)$/u;

export const permissionRules: readonly CommandRule[] = [
  {
    id: "world_writable",
    level: "dangerous",
    category: "permissions",
    description: "`chmod 777`, `chmod 666`, `chmod o+w`, `chmod a+rwx`",
    why: "everybody on the machine may then change the files",
    programs: ["chmod"],
    matches: (command) => {
      const operands = modeOperands(command.words);
      const isAll =
        command.words[1] !== undefined &&
        worldWritable.test(operands[0] ?? "") &&
        !/^\+w$/u.test(operands[0] ?? "");
      return isAll && !operands.slice(1).every((path) => locate(path, command) === "below_temp");
    },
  },
  {
    id: "set_user_id",
    level: "dangerous",
    category: "permissions",
    description: "`chmod u+s`, `chmod 4755`, `setcap`: a program that runs with the rights of its owner",
    why: "whoever runs the program gets its owner's rights",
    programs: ["chmod", "setcap"],
    matches: (command) =>
      command.name === "setcap"
        ? !hasOption(command, "v")
        : setsId.test(modeOperands(command.words)[0] ?? ""),
  },
  {
    id: "permissions_outside",
    level: "dangerous",
    category: "permissions",
    description: "`chmod`, `chown`, `chattr` on what belongs to the system; `-R` on a home; `chown -R root`",
    why: "programs or people may be locked out",
    programs: ["chmod", "chown", "chgrp", "chattr", "setfacl"],
    matches: (command) => {
      if (command.isContained) return false;
      const operands = modeOperands(command.words);
      const isRecursive = hasOption(command, "R", "recursive");
      if (command.name === "chown" && isRecursive && /^(?:root|0)(?:[:.].*)?$/u.test(operands[0] ?? ""))
        return true;
      return operands.slice(1).some((path) => {
        const location = locate(path, command);
        if (
          location === "root" ||
          location === "system" ||
          location === "below_system" ||
          location === "device"
        )
          return true;
        return isRecursive && (location === "home" || location === "unknown");
      });
    },
  },
];

/** Mode and paths: a mode such as `-w` begins like an option. */
function modeOperands(words: readonly string[]): readonly string[] {
  return words.slice(1).filter((word) => !/^-(?:[RvcfhHLP]+$|-)/u.test(word));
}
