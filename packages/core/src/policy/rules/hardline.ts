import { hasOption, operandsOf, verbsOf } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";
import type { FoundCommand } from "../found-command.js";
import { isUnknown } from "../marks.js";
import { removedPaths } from "../removed-paths.js";
import { isBlockDevice, isCoreDirectory, locate, resolvePath } from "../sandbox-location.js";
import { writtenPaths } from "../written-paths.js";

function isWhole(path: string, command: FoundCommand): boolean {
  const location = locate(path, command);
  return location === "root" || location === "system" || location === "home";
}

function devices(paths: readonly string[], command: FoundCommand): boolean {
  return paths.some((path) => isBlockDevice(resolvePath(path, command)));
}

/** What never runs. Narrow on purpose: nobody can allow it. */
export const hardlineRules: readonly CommandRule[] = [
  {
    id: "delete_system",
    level: "hardline",
    category: "deletion",
    description:
      "`rm -r` of `/`, of a system directory or of a home directory, by whatever program and disguise",
    why: "it destroys the system or a person's files",
    matches: (command) => {
      const removed = removedPaths(command);
      return removed?.isRecursive === true && removed.paths.some((path) => isWhole(path, command));
    },
  },
  {
    id: "move_system",
    level: "hardline",
    category: "deletion",
    description: "`mv` of `/`, of a system directory or of a home directory; `rsync --delete` onto one",
    why: "it takes the system or a person's files away",
    programs: ["mv", "rsync"],
    matches: (command) => {
      const operands = operandsOf(command, "tSe");
      if (command.name === "rsync") {
        const isDeleting = command.words.some((word) => word.startsWith("--delete"));
        return (
          isDeleting &&
          !hasOption(command, "n", "dry-run") &&
          operands.slice(-1).some((path) => isWhole(path, command))
        );
      }
      return operands.slice(0, -1).some((path) => isWhole(path, command));
    },
  },
  {
    id: "format_disk",
    level: "hardline",
    category: "disk",
    description:
      "`mkfs`, `mkswap`, `wipefs -a`, `blkdiscard`, `shred`, `sgdisk --zap-all`, `luksFormat` … on a device",
    why: "it erases a disk",
    programs: [
      "mkfs",
      "mke2fs",
      "mkfs.ext2",
      "mkfs.ext3",
      "mkfs.ext4",
      "mkfs.xfs",
      "mkfs.btrfs",
      "mkfs.vfat",
      "mkfs.fat",
      "mkfs.ntfs",
      "mkfs.f2fs",
      "mkfs.exfat",
      "mkfs.minix",
      "mkfs.msdos",
      "mkdosfs",
      "mkntfs",
      "newfs",
      "mkswap",
      "wipefs",
      "blkdiscard",
      "shred",
      "sgdisk",
      "cryptsetup",
      "hdparm",
      "nvme",
      "badblocks",
      "diskutil",
      "scrub",
      "nwipe",
    ],
    matches: (command) => {
      const { name } = command;
      const verbs = verbsOf(command);
      if (name === "diskutil") return /^(?:erase|zero|secureErase|partitionDisk)/iu.test(verbs);
      if (
        name === "wipefs" &&
        (!hasOption(command, "ao", "all", "offset") || hasOption(command, "n", "no-act"))
      )
        return false;
      if (name === "sgdisk" && !hasOption(command, "zZo", "zap", "zap-all", "clear")) return false;
      if (name === "cryptsetup" && !/luksFormat|erase|reencrypt/u.test(verbs)) return false;
      if (name === "hdparm" && !command.words.some((word) => /security-erase|trim-sector/u.test(word)))
        return false;
      if (name === "nvme" && !/^(?:format|sanitize)/u.test(verbs)) return false;
      if (name === "badblocks" && !hasOption(command, "w")) return false;
      return devices(operandsOf(command), command);
    },
  },
  {
    id: "overwrite_disk",
    level: "hardline",
    category: "disk",
    description: "`dd of=`, `cp`, `tee` or a redirection onto a disk or memory device",
    why: "it overwrites a disk",
    matches: (command) => devices(writtenPaths(command), command),
  },
  {
    id: "fork_bomb",
    level: "hardline",
    category: "processes",
    description: "a function or program that starts itself again and again: `:(){ :|:& };:`",
    why: "it takes every process that the machine has",
    // Found by the analysis, not by a command's words.
    matches: () => false,
  },
  {
    id: "kill_everything",
    level: "hardline",
    category: "processes",
    description: "`kill -9 -1`, `killall5`, `pkill -9 .`: every process at once",
    why: "it ends every process that can be reached",
    programs: ["kill", "killall5", "pkill", "killall"],
    matches: (command) => {
      const { name, words } = command;
      if (name === "killall5") return true;
      if (name === "kill") return killsEverything(words);
      return operandsOf(command, "gGPstuU").some((word) => /^(?:\.\*?|\.\+|\^|\*|\uE001)?$/u.test(word));
    },
  },
  {
    id: "shut_down",
    level: "hardline",
    category: "system",
    description: "`shutdown`, `reboot`, `halt`, `poweroff`, `init 0`, `systemctl reboot`",
    why: "it stops the machine",
    programs: [
      "shutdown",
      "reboot",
      "halt",
      "poweroff",
      "init",
      "telinit",
      "systemctl",
      "kexec",
      "osascript",
    ],
    matches: (command) => {
      const { name } = command;
      if (name === "osascript")
        return (
          /(?:shut down|restart)\b/iu.test(command.words.join(" ")) &&
          /system events|finder/iu.test(command.words.join(" "))
        );
      if (hasOption(command, "", "help", "version") || (name === "shutdown" && hasOption(command, "ck")))
        return false;
      if (name === "init" || name === "telinit") return /^[06sS1]$/u.test(operandsOf(command)[0] ?? "");
      if (name === "systemctl")
        return /^(?:poweroff|reboot|halt|kexec|emergency|rescue|soft-reboot|suspend|hibernate)\b/u.test(
          verbsOf(command, "HMtpnos"),
        );
      if (name === "kexec") return hasOption(command, "ef", "exec", "force");
      return true;
    },
  },
  {
    id: "kernel_trigger",
    level: "hardline",
    category: "system",
    description: "a write to `/proc/sysrq-trigger`",
    why: "it crashes or restarts the machine at once",
    matches: (command) =>
      writtenPaths(command).some((path) => /^\/proc\/sysrq-trigger$/u.test(resolvePath(path, command))),
  },
  {
    id: "permissions_of_system",
    level: "hardline",
    category: "permissions",
    description: "`chmod -R`, `chown -R`, `chgrp -R` of `/` or of a directory that the system runs from",
    why: "it leaves a system that cannot be repaired",
    programs: ["chmod", "chown", "chgrp", "setfacl", "chattr"],
    matches: (command) =>
      hasOption(command, "R", "recursive") &&
      operandsOf(command, "mx").some((path) => isCoreDirectory(path, command)),
  },
  {
    id: "sudo_password",
    level: "hardline",
    category: "accounts",
    description: "`sudo -S`: a password for root from a program",
    why: "it guesses or uses a password that nobody gave to the agent",
    programs: ["sudo", "su"],
    matches: (command) =>
      command.name === "sudo"
        ? hasSudoStdin(command)
        : command.input !== undefined &&
          !isUnknown(command.input.text) &&
          hasOption(command, "c", "command") &&
          command.input.producers.some(({ name }) => /^(?:echo|printf|yes)$/u.test(name)),
  },
];

function hasSudoStdin({ words }: FoundCommand): boolean {
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--stdin") return true;
    if (!word.startsWith("-") || word === "--") return false;
    if (/^-[A-Za-z]*S/u.test(word)) return true;
    if (/^-[ACDghpRrTtuU]$/u.test(word)) at += 1;
  }
  return false;
}

function killsEverything(words: readonly string[]): boolean {
  const rest = words.slice(1);
  let at = 0;
  const first = rest[0] ?? "";
  if (first === "-l" || first === "-L" || first === "--list") return false;
  if (first === "-s" || first === "-n" || first === "--signal") at = 2;
  else if (/^-(?:\d+|[A-Za-z]\w*)$/u.test(first) || first.startsWith("--signal=")) at = 1;
  return rest.slice(at).some((word) => word === "-1");
}
