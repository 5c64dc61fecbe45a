import { hasOption, operandsOf, verbsOf } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";
import type { FoundCommand } from "../found-command.js";
import { removedPaths } from "../removed-paths.js";
import { resolvePath } from "../sandbox-location.js";
import { writtenPaths } from "../written-paths.js";

const startFiles =
  /^(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|tcshrc|cshrc|login|xinitrc|xprofile|xsession|inputrc|gitconfig|pam_environment|curlrc|wgetrc|vimrc)|\.config\/(?:fish\/.*|autostart\/.*|systemd\/user\/.*|environment\.d\/.*|git\/config)|Library\/LaunchAgents\/.*)$/u;
const sshFiles = /^\.ssh(?:\/.*)?$/u;
const scheduled =
  /^\/(?:etc\/cron[^/]*(?:\/.*)?|var\/spool\/cron(?:\/.*)?|etc\/profile(?:\.d\/.*)?|etc\/bash\.bashrc|etc\/environment|etc\/systemd\/system\/.*|etc\/rc\.local|etc\/init\.d\/.*|Library\/Launch(?:Agents|Daemons)\/.*)$/u;
const shellHistory =
  /(?:^|\/)\.(?:bash|zsh|python|mysql|psql|node_repl|sqlite)_?history$|(?:^|\/)\.zhistory$/u;

function homePath(path: string, command: FoundCommand): string | undefined {
  const full = resolvePath(path, command);
  if (full.startsWith(`${command.home}/`)) return full.slice(command.home.length + 1);
  return /^\/(?:root|home\/[^/]+|Users\/[^/]+)\/(.+)$/u.exec(full)?.[1];
}

function inHome(paths: readonly string[], pattern: RegExp, command: FoundCommand): boolean {
  return paths.some((path) => {
    const inside = homePath(path, command);
    return inside !== undefined && pattern.test(inside);
  });
}

export const persistenceRules: readonly CommandRule[] = [
  {
    id: "start_files",
    level: "dangerous",
    category: "startup",
    description:
      "writing `~/.bashrc`, `~/.profile`, `~/.zshrc`, `~/.gitconfig`, autostart folders, `/etc/profile.d` …",
    why: "it runs again at every start, long after this session",
    matches: (command) => {
      const paths = writtenPaths(command);
      return (
        inHome(paths, startFiles, command) || paths.some((path) => scheduled.test(resolvePath(path, command)))
      );
    },
  },
  {
    id: "ssh_files",
    level: "dangerous",
    category: "startup",
    description: "writing `~/.ssh/authorized_keys`, `~/.ssh/config` or keys",
    why: "it decides who may log in here, and where connections go",
    matches: (command) =>
      command.name !== "ssh-keygen" &&
      inHome(
        writtenPaths(command).filter((path) => !path.endsWith("known_hosts")),
        sshFiles,
        command,
      ),
  },
  {
    id: "scheduled_commands",
    level: "dangerous",
    category: "startup",
    description: "`crontab` but `-l`, `at`, `batch`, `systemctl enable`",
    why: "it runs later, when nobody watches",
    programs: ["crontab", "at", "batch", "systemctl", "schtasks"],
    matches: (command) => {
      switch (command.name) {
        case "crontab":
          return (
            !hasOption(command, "l") &&
            (operandsOf(command, "u").length > 0 || hasOption(command, "re") || command.input !== undefined)
          );
        case "at":
          return !hasOption(command, "lcV") && operandsOf(command, "qf").length > 0;
        case "systemctl":
          return /^(?:enable|link|add-wants|preset)\b/u.test(verbsOf(command));
        default:
          return true;
      }
    },
  },
  {
    id: "own_limits",
    level: "dangerous",
    category: "startup",
    description:
      "changing Talaria's own configuration: `talaria config set`, `talaria plugins enable`, a write to `~/.talaria`",
    why: "it would lift the limits that the command itself runs under",
    matches: (command) => {
      if (command.name === "talaria")
        return /^(?:config (?:set|unset)|plugins (?:enable|disable|install)|approvals (?:allow|deny|remove|set))\b/u.test(
          verbsOf(command),
        );
      return inHome(writtenPaths(command), /^\.talaria(?:\/.*)?$/u, command);
    },
  },
  {
    id: "clear_history",
    level: "dangerous",
    category: "history",
    description:
      "`history -c`, `unset HISTFILE`, deleting history files and logs, `journalctl --vacuum-*`, `auditctl -D`",
    why: "nobody can see afterwards what was done",
    matches: (command) => {
      const { name, words } = command;
      switch (name) {
        case "history":
          return hasOption(command, "cdw");
        case "journalctl":
          return words.some((word) => /^--(?:vacuum|rotate|flush)/u.test(word));
        case "auditctl":
          return hasOption(command, "De");
        case "unset":
          return words.some((word) => /^HIST(?:FILE|SIZE|FILESIZE)$/u.test(word));
        case "wevtutil":
          return /^(?:cl|clear-log)/u.test(verbsOf(command));
        case "set":
          return words.join(" ") === "set +o history";
        case "export":
          return words.some((word) => /^HIST(?:FILE=(?:\/dev\/null)?$|(?:FILE)?SIZE=0$)/u.test(word));
        default:
          return (
            command.assignments.some(
              ([key, value]) => key === "HISTFILE" && (value === "" || value === "/dev/null"),
            ) ||
            [...writtenPaths(command), ...(removedPaths(command)?.paths ?? [])].some((path) =>
              shellHistory.test(resolvePath(path, command)),
            )
          );
      }
    },
  },
];
