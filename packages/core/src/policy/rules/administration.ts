import { hasOption, operandsOf, verbsOf } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";

export const administrationRules: readonly CommandRule[] = [
  {
    id: "accounts",
    level: "dangerous",
    category: "accounts",
    description: "`useradd`, `usermod`, `userdel`, `passwd`, `visudo`, `gpasswd` …",
    why: "it decides who may log in and as whom",
    programs: [
      "useradd",
      "userdel",
      "usermod",
      "groupadd",
      "groupdel",
      "groupmod",
      "adduser",
      "deluser",
      "addgroup",
      "delgroup",
      "passwd",
      "chpasswd",
      "chage",
      "visudo",
      "vipw",
      "vigr",
      "gpasswd",
      "newusers",
      "chsh",
      "dscl",
      "sysadminctl",
      "ssh-copy-id",
      "sudoedit",
    ],
    matches: (command) =>
      !hasOption(command, "", "help", "version", "list") &&
      !(command.name === "passwd" && hasOption(command, "S", "status")) &&
      !(command.name === "chage" && hasOption(command, "l")) &&
      !(command.name === "visudo" && hasOption(command, "c", "check")) &&
      !(command.name === "dscl" && /\b-?(?:read|list|search)\b/u.test(command.words.join(" "))),
  },
  {
    id: "remove_packages",
    level: "dangerous",
    category: "packages",
    description:
      "`apt remove`, `apt purge`, `apt full-upgrade`, `yum erase`, `pacman -R`, `brew uninstall`, `dpkg -r`, `rpm -e` …",
    why: "the system may need what it takes away",
    programs: [
      "apt",
      "apt-get",
      "aptitude",
      "dpkg",
      "yum",
      "dnf",
      "microdnf",
      "zypper",
      "pacman",
      "yay",
      "apk",
      "rpm",
      "brew",
      "snap",
      "flatpak",
      "port",
      "emerge",
      "nix-env",
      "nix-collect-garbage",
      "pkg",
      "xbps-remove",
    ],
    matches: (command) => {
      if (hasOption(command, "", "dry-run", "simulate", "just-print", "help")) return false;
      const verbs = verbsOf(command, "ocdt");
      switch (command.name) {
        case "apt":
        case "apt-get":
        case "aptitude":
          return (
            !hasOption(command, "s") &&
            /^(?:remove|purge|autoremove|autopurge|dist-upgrade|full-upgrade)\b/u.test(verbs)
          );
        case "dpkg":
          return hasOption(command, "rP", "remove", "purge", "force-all");
        case "rpm":
          return hasOption(command, "e", "erase") && !hasOption(command, "q", "query");
        case "pacman":
        case "yay":
          return (command.words[1] ?? "").startsWith("-R") || command.words.includes("--remove");
        case "emerge":
          return hasOption(command, "Cc", "unmerge", "depclean");
        case "nix-env":
          return hasOption(command, "e", "uninstall");
        case "nix-collect-garbage":
          return hasOption(command, "d");
        case "xbps-remove":
          return true;
        default:
          return /^(?:remove|erase|autoremove|uninstall|del|delete|purge|rm|zap|distro-sync|dup)\b/u.test(
            verbs,
          );
      }
    },
  },
  {
    id: "package_sources",
    level: "dangerous",
    category: "packages",
    description: "`apt-key add`, `add-apt-repository`, packages without a checked signature",
    why: "whoever owns the source can put programs on the machine",
    programs: ["apt-key", "add-apt-repository", "apt", "apt-get", "yum", "dnf", "rpm", "zypper"],
    matches: (command) => {
      if (command.name === "apt-key")
        return /^(?:add|adv)/u.test(verbsOf(command)) || hasOption(command, "", "recv-keys");
      if (command.name === "add-apt-repository") return true;
      if (command.name === "rpm") return hasOption(command, "", "import", "nosignature");
      return command.words.some((word) =>
        /^--(?:allow-unauthenticated|force-yes|nogpgcheck|no-gpg-checks|allow-untrusted)/u.test(word),
      );
    },
  },
  {
    id: "publish",
    level: "dangerous",
    category: "packages",
    description: "`npm publish`, `npm unpublish`, `cargo publish`, `twine upload`, `gem push` …",
    why: "everybody can see it, and it cannot be taken back",
    programs: [
      "npm",
      "pnpm",
      "yarn",
      "bun",
      "cargo",
      "twine",
      "gem",
      "poetry",
      "uv",
      "flit",
      "hatch",
      "mvn",
      "dotnet",
      "lerna",
    ],
    matches: (command) => {
      if (hasOption(command, "", "dry-run")) return false;
      const verbs = verbsOf(command);
      switch (command.name) {
        case "twine":
          return verbs.startsWith("upload");
        case "gem":
          return /^(?:push|yank)/u.test(verbs);
        case "dotnet":
          return verbs.startsWith("nuget push");
        case "mvn":
          return / deploy\b/u.test(` ${verbs}`);
        case "cargo":
          return /^(?:publish|yank)/u.test(verbs);
        default:
          return /^(?:npm )?(?:publish|unpublish|deprecate)\b/u.test(verbs);
      }
    },
  },
  {
    id: "stop_services",
    level: "dangerous",
    category: "services",
    description:
      "`systemctl stop|restart|disable|mask`, `service … stop`, `launchctl bootout`, `update-rc.d`",
    why: "somebody may be using the service",
    programs: [
      "systemctl",
      "service",
      "rc-service",
      "rc-update",
      "launchctl",
      "update-rc.d",
      "chkconfig",
      "initctl",
      "sv",
      "loginctl",
      "supervisorctl",
    ],
    matches: (command) => {
      const verbs = verbsOf(command, "HMtpnos");
      switch (command.name) {
        case "systemctl":
          return /^(?:stop|restart|try-restart|disable|mask|kill|isolate|set-default|daemon-reexec|edit|revert|set-property)\b/u.test(
            verbs,
          );
        case "launchctl":
          return /^(?:unload|bootout|remove|disable|kill|submit|bootstrap|load)\b/u.test(verbs);
        case "loginctl":
          return /^(?:terminate|kill)/u.test(verbs);
        case "update-rc.d":
        case "rc-update":
        case "chkconfig":
          return /\b(?:remove|disable|off|del)\b/u.test(verbs) || hasOption(command, "", "del");
        case "supervisorctl":
          return /^(?:stop|shutdown|restart|remove)/u.test(verbs);
        default:
          return /\b(?:stop|restart|force-reload|zap)\b/u.test(verbs);
      }
    },
  },
  {
    id: "firewall",
    level: "dangerous",
    category: "network",
    description: "`iptables`, `nft`, `ufw`, `firewall-cmd` but to look; routes and interfaces taken down",
    why: "it can open the machine, or cut it off",
    programs: [
      "iptables",
      "ip6tables",
      "iptables-restore",
      "nft",
      "ufw",
      "firewall-cmd",
      "pfctl",
      "ip",
      "ifconfig",
      "route",
      "nmcli",
      "ebtables",
      "iptables-legacy",
      "tailscale",
      "wg-quick",
    ],
    matches: (command) => {
      const verbs = verbsOf(command, "t");
      switch (command.name) {
        case "iptables":
        case "ip6tables":
        case "iptables-legacy":
        case "ebtables":
          return !hasOption(command, "LSCVh", "list", "list-rules", "check", "version", "help");
        case "nft":
          return (
            !/^(?:list|describe|monitor)/u.test(verbs) &&
            !hasOption(command, "cvh", "check", "version", "help")
          );
        case "ufw":
          return !/^(?:status|show|version|app list)/u.test(verbs);
        case "firewall-cmd":
          return command.words.some((word) =>
            /^--(?:add|remove|set|reload|panic-on|complete-reload|permanent)/u.test(word),
          );
        case "pfctl":
          return !hasOption(command, "s") && hasOption(command, "dFfe");
        case "ip":
          return /\b(?:link set|route (?:del|flush|replace|change)|addr(?:ess)? (?:del|flush)|rule (?:del|flush)|link del)/u.test(
            verbs,
          );
        case "ifconfig":
          return operandsOf(command).length > 1;
        case "route":
          return /^(?:del|flush|add)/u.test(verbs);
        case "nmcli":
          return /\b(?:down|delete|off|disconnect|modify)\b/u.test(verbs);
        case "tailscale":
          return /^(?:down|logout|up|funnel|serve)/u.test(verbs);
        case "wg-quick":
          return /^(?:up|down)/u.test(verbs);
        default:
          return true;
      }
    },
  },
];
