import { hasOption, operandsOf, verbsOf } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";
import type { FoundCommand } from "../found-command.js";
import { isBlockDevice, locate, resolvePath } from "../sandbox-location.js";
import { writtenPaths } from "../written-paths.js";

const accountFiles = /^\/etc\/(?:passwd|shadow|group|gshadow|sudoers(?:$|\/|\.d)|pam\.d|ssh\/|security\/)/u;

function writesSystem(command: FoundCommand): boolean {
  if (command.isContained) return false;
  return writtenPaths(command).some((path) => {
    const location = locate(path, command);
    if (location === "system" || location === "root") return true;
    const full = resolvePath(path, command);
    return location === "below_system" && !/^\/proc\/(?:self|\d+|\uE000)\/fd\//u.test(full);
  });
}

export const systemRules: readonly CommandRule[] = [
  {
    id: "write_accounts",
    level: "dangerous",
    category: "accounts",
    description: "changing `/etc/passwd`, `/etc/shadow`, `/etc/sudoers`, PAM or the SSH server's files",
    why: "it decides who may log in and as whom",
    matches: (command) => writtenPaths(command).some((path) => accountFiles.test(resolvePath(path, command))),
  },
  {
    id: "write_system",
    level: "dangerous",
    category: "system",
    description:
      "writing below `/etc`, `/usr`, `/boot`, `/var`, `/sys`, `/proc` …, by redirection, `tee`, `cp`, `sed -i`, `tar -C` …",
    why: "it changes the system",
    matches: writesSystem,
  },
  {
    id: "kernel_settings",
    level: "dangerous",
    category: "system",
    description: "`sysctl -w`, kernel modules, `setenforce 0`, boot loader, clock and host name",
    why: "it changes how the whole machine works",
    programs: [
      "sysctl",
      "modprobe",
      "insmod",
      "rmmod",
      "setenforce",
      "grub-install",
      "update-grub",
      "efibootmgr",
      "hostnamectl",
      "timedatectl",
      "hostname",
      "date",
      "bcdedit",
      "csrutil",
      "spctl",
      "nvram",
    ],
    matches: (command) => {
      switch (command.name) {
        case "sysctl":
          return (
            hasOption(command, "wp", "write", "load", "system") ||
            command.words.some((word) => /^[\w.]+=/u.test(word))
          );
        case "hostnamectl":
        case "timedatectl":
          return verbsOf(command).startsWith("set-");
        case "hostname":
          return operandsOf(command).length > 0;
        case "date":
          return hasOption(command, "s", "set") && !command.words.some((word) => word.startsWith("+"));
        case "efibootmgr":
          return hasOption(command, "cBbon");
        case "csrutil":
          return /disable/u.test(verbsOf(command));
        case "modprobe":
          return !hasOption(command, "nD", "dry-run", "show-depends");
        default:
          return true;
      }
    },
  },
  {
    id: "partition",
    level: "dangerous",
    category: "disk",
    description:
      "`fdisk`, `parted`, `lvremove`, `zpool destroy`, `mdadm`, `cryptsetup`, `mkfs` on what is not known",
    why: "it can take a disk's content away",
    programs: [
      "fdisk",
      "sfdisk",
      "cfdisk",
      "gdisk",
      "sgdisk",
      "parted",
      "lvremove",
      "vgremove",
      "pvremove",
      "lvreduce",
      "zpool",
      "zfs",
      "mdadm",
      "cryptsetup",
      "btrfs",
      "mkfs",
      "mkfs.ext4",
      "mkfs.xfs",
      "mkswap",
      "swapoff",
      "resize2fs",
      "debugfs",
      "losetup",
      "wipefs",
    ],
    matches: (command) => {
      const verbs = verbsOf(command);
      switch (command.name) {
        case "fdisk":
        case "sfdisk":
        case "gdisk":
        case "sgdisk":
          return !hasOption(command, "lpd", "list", "print", "dump", "version", "help", "info");
        case "parted":
          return (
            !hasOption(command, "l", "list") &&
            /\b(?:mk|rm|resize|mkpart|mklabel|set|move|name|rescue)/u.test(command.words.slice(1).join(" "))
          );
        case "zpool":
        case "zfs":
          return /^(?:destroy|rollback|labelclear|offline|detach|remove)/u.test(verbs);
        case "mdadm":
          return command.words.some((word) => /^--(?:zero-superblock|stop|fail|remove|create)/u.test(word));
        case "cryptsetup":
          return /luks(?:Format|RemoveKey|KillSlot|Erase)|erase/u.test(verbs);
        case "btrfs":
          return /^(?:subvolume delete|device (?:delete|remove))/u.test(verbs);
        case "losetup":
          return hasOption(command, "D");
        case "debugfs":
          return hasOption(command, "w");
        case "mkfs":
        case "mkfs.ext4":
        case "mkfs.xfs":
        case "mkswap":
        case "wipefs":
          return (
            command.name !== "wipefs" &&
            operandsOf(command, "tLbm").some((path) => /^(?:unknown|device)$/u.test(locate(path, command)))
          );
        default:
          return true;
      }
    },
  },
  {
    id: "write_unknown_device",
    level: "dangerous",
    category: "disk",
    description: "`dd of=` a path that is not known, or a device that is no disk",
    why: "it may overwrite a disk",
    programs: ["dd"],
    matches: (command) =>
      writtenPaths(command).some((path) => {
        const full = resolvePath(path, command);
        const isHarmless = /^\/dev\/(?:null|zero|full|shm\/.*|stdout|stderr|tty|fd\/\d+)$/u.test(full);
        return !isHarmless && !isBlockDevice(full) && /^(?:device|unknown)$/u.test(locate(path, command));
      }),
  },
  {
    id: "mounts",
    level: "dangerous",
    category: "disk",
    description: "`mount`, `umount`, `swapoff`",
    why: "it changes which files everybody sees",
    programs: ["mount", "umount"],
    matches: (command) => operandsOf(command, "tOo").length > 0 || hasOption(command, "a", "all"),
  },
];
