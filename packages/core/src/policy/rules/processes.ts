import { hasOption, operandsOf } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";

const kill9 = /^-(?:9|KILL|SIGKILL)$/iu;
const essential =
  /^(?:systemd.*|init|sshd?|dockerd|containerd|dbus.*|NetworkManager|Xorg|gdm\d?|launchd|WindowServer|loginwindow|talaria.*)$/u;

export const processRules: readonly CommandRule[] = [
  {
    id: "kill_by_name",
    level: "dangerous",
    category: "processes",
    description:
      "`pkill -9`, `killall -9`, or by user; `pkill sshd` and other processes that the system needs",
    why: "it ends every process of that name, whosoever",
    programs: ["pkill", "killall", "skill"],
    matches: (command) => {
      const { words } = command;
      const operands = operandsOf(command, "sgGPtuUy");
      return (
        words.some((word) => kill9.test(word) || /^--signal[= ](?:SIG)?(?:KILL|9)$/iu.test(word)) ||
        words.some(
          (word, at) => /^(?:-s|--signal)$/u.test(word) && /^(?:SIG)?(?:KILL|9)$/iu.test(words[at + 1] ?? ""),
        ) ||
        hasOption(command, "uU", "user", "euid", "uid") ||
        operands.some((name) => essential.test(name))
      );
    },
  },
  {
    id: "kill_first",
    level: "dangerous",
    category: "processes",
    description: "`kill 1`, `kill -1` without a process",
    why: "process 1 keeps the machine or the container alive",
    programs: ["kill"],
    matches: ({ words }) => {
      const rest = words.slice(1);
      const isSignal = /^-(?:\d+|[A-Za-z]\w*)$/u.test(rest[0] ?? "");
      const pids = rest[0] === "-s" || rest[0] === "-n" ? rest.slice(2) : isSignal ? rest.slice(1) : rest;
      return pids.includes("1") || (rest.length === 1 && rest[0] === "-1");
    },
  },
];
