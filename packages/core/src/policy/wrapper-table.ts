/** How a program that runs another one is written. */
export interface WrapperShape {
  /** Short options that take a value. */
  readonly valued?: string | undefined;
  /** Long options that take their value as the next word. */
  readonly valuedLong?: readonly string[] | undefined;
  /** Words of its own before the command. */
  readonly positionals?: number | undefined;
  /** `NAME=value` before the command sets a variable for it. */
  readonly takesAssignments?: boolean | undefined;
  /** An option that makes the words after it no command: `command -v`. */
  readonly query?: RegExp | undefined;
  /** Short option whose value is shell text to run: `su -c`. */
  readonly script?: string | undefined;
  /** Joins its words and has a shell run them. */
  readonly joins?: boolean | undefined;
  /** First word or words after the name without which it runs nothing: `uv run`. */
  readonly verbs?: readonly string[] | undefined;
  /** Where the command runs. Default: here. */
  readonly place?: "remote" | "contained" | undefined;
  /** Every option but these takes a value; for programs with too many to list. */
  readonly flags?: RegExp | undefined;
}

const plain: WrapperShape = {};
const jsRunner: WrapperShape = { valued: "p", valuedLong: ["package"], script: "c" };
const containerFlags =
  /^(?:-[itdPqa]+|-T|--(?:interactive|tty|detach|rm|init|privileged|read-only|publish-all|no-healthcheck|quiet|no-deps|service-ports|use-aliases|build|stdin|all-namespaces|oom-kill-disable|sig-proxy|no-TTY|no-tty))$/u;

/** Programs that run the command in their words. */
export const wrappers: ReadonlyMap<string, WrapperShape> = new Map<string, WrapperShape>([
  [
    "sudo",
    {
      valued: "ACDghpRrTtuU",
      valuedLong: [
        "user",
        "group",
        "host",
        "prompt",
        "chdir",
        "chroot",
        "role",
        "type",
        "other-user",
        "close-from",
        "command-timeout",
      ],
      takesAssignments: true,
      query: /^(?:-[lvkKVe]|--(?:list|validate|edit|version|remove-timestamp))$/u,
    },
  ],
  ["doas", { valued: "uC" }],
  ["env", { valued: "uC", valuedLong: ["unset", "chdir"], takesAssignments: true }],
  ["command", { query: /^-[pvV]*[vV][pvV]*$/u }],
  ["builtin", plain],
  ["exec", { valued: "a" }],
  ["nohup", plain],
  ["setsid", plain],
  ["time", { valued: "fo", valuedLong: ["format", "output"] }],
  ["nice", { valued: "n", valuedLong: ["adjustment"] }],
  ["ionice", { valued: "cn", valuedLong: ["class", "classdata"], query: /^(?:-[pPu]|--(?:pid|pgid|uid))$/u }],
  ["chrt", { valued: "TPD", positionals: 1, query: /^(?:-[pm]|--(?:pid|max))$/u }],
  ["taskset", { positionals: 1, query: /^-[ac]*p[ac]*$/u }],
  ["timeout", { valued: "ks", valuedLong: ["kill-after", "signal"], positionals: 1 }],
  ["gtimeout", { valued: "ks", valuedLong: ["kill-after", "signal"], positionals: 1 }],
  ["stdbuf", { valued: "ioe", valuedLong: ["input", "output", "error"] }],
  ["chroot", { positionals: 1, valuedLong: ["userspec", "groups"] }],
  ["unshare", { valued: "RwSG", valuedLong: ["root", "wd", "setuid", "setgid", "propagation"] }],
  ["nsenter", { valued: "tSG", valuedLong: ["target", "setuid", "setgid"] }],
  ["setpriv", { valuedLong: ["reuid", "regid", "groups"] }],
  [
    "flock",
    { valued: "wE", valuedLong: ["wait", "timeout", "conflict-exit-code"], positionals: 1, script: "c" },
  ],
  ["watch", { valued: "nq", valuedLong: ["interval"], joins: true }],
  ["su", { valued: "sgG", positionals: 99, script: "c" }],
  ["runuser", { valued: "usgG", valuedLong: ["user", "shell", "group"], script: "c" }],
  ["script", { valued: "oETIBm", positionals: 99, script: "c" }],
  ["strace", { valued: "aeIoOpPsSuEbX" }],
  ["ltrace", { valued: "aelnopsuwxF" }],
  [
    "systemd-run",
    {
      valued: "HMptuE",
      valuedLong: [
        "unit",
        "property",
        "uid",
        "gid",
        "slice",
        "on-calendar",
        "on-active",
        "working-directory",
      ],
    },
  ],
  ["systemd-inhibit", plain],
  ["pkexec", { valuedLong: ["user"] }],
  ["fakeroot", plain],
  ["proot", { valued: "rbwqk" }],
  ["bwrap", { flags: /^--(?:unshare-\w+|new-session|die-with-parent|clearenv|as-pid-1)$/u }],
  ["xvfb-run", { valued: "nsefpw" }],
  ["dbus-run-session", plain],
  ["caffeinate", { valued: "tw" }],
  ["unbuffer", plain],
  ["entr", plain],
  ["screen", { valued: "ceghpsStT" }],
  [
    "tmux",
    {
      verbs: [
        "new",
        "new-session",
        "neww",
        "new-window",
        "splitw",
        "split-window",
        "run",
        "run-shell",
        "respawn-pane",
      ],
      valued: "cefFnstlxy",
      joins: true,
    },
  ],
  [
    "hyperfine",
    { valued: "wmMrn", valuedLong: ["warmup", "runs", "min-runs", "max-runs", "export-json"], joins: true },
  ],
  ["perf", { verbs: ["stat", "record", "trace"], valued: "eorFpt" }],
  ["valgrind", plain],
  ["rlwrap", plain],
  ["chronic", plain],
  ["prlimit", { valued: "p" }],
  ["numactl", { valued: "NmiCp" }],
  ["cpulimit", { valued: "lpe" }],
  ["firejail", plain],
  ["tini", { valued: "pe" }],
  ["dumb-init", plain],
  ["gosu", { positionals: 1 }],
  ["su-exec", { positionals: 1 }],
  ["conda", { verbs: ["run"], valued: "np", valuedLong: ["name", "prefix", "cwd"] }],
  ["nix-shell", { valued: "pIA", positionals: 99, valuedLong: ["packages"] }],
  ["busybox", plain],
  ["toybox", plain],
  ["npx", jsRunner],
  ["pnpx", jsRunner],
  ["bunx", jsRunner],
  ["uv", { verbs: ["run"], valuedLong: ["with", "python", "project", "directory", "extra", "group"] }],
  ["poetry", { verbs: ["run"] }],
  ["pipenv", { verbs: ["run"] }],
  ["bundle", { verbs: ["exec"] }],
  ["pnpm", { verbs: ["exec", "dlx"] }],
  ["npm", { ...jsRunner, verbs: ["exec", "x"] }],
  ["yarn", { verbs: ["exec", "dlx"] }],
  ["ssh", { valued: "bcDEeFIiJLlmOopQRSWw", positionals: 1, joins: true, place: "remote" }],
  [
    "docker",
    {
      verbs: ["exec", "run", "compose exec", "compose run", "container exec", "container run"],
      flags: containerFlags,
      positionals: 1,
      place: "contained",
    },
  ],
  [
    "podman",
    {
      verbs: ["exec", "run", "container exec", "container run"],
      flags: containerFlags,
      positionals: 1,
      place: "contained",
    },
  ],
  ["nerdctl", { verbs: ["exec", "run"], flags: containerFlags, positionals: 1, place: "contained" }],
  ["docker-compose", { verbs: ["exec", "run"], flags: containerFlags, positionals: 1, place: "contained" }],
  ["kubectl", { verbs: ["exec"], flags: containerFlags, positionals: 1, place: "contained" }],
  ["oc", { verbs: ["exec"], flags: containerFlags, positionals: 1, place: "contained" }],
  ["lxc", { verbs: ["exec"], positionals: 1, place: "contained" }],
  ["incus", { verbs: ["exec"], positionals: 1, place: "contained" }],
  [
    "apptainer",
    {
      verbs: ["exec"],
      flags: /^-[ceC]$|^--(?:nv|cleanenv|contain|containall|writable-tmpfs)$/u,
      positionals: 1,
      place: "contained",
    },
  ],
  [
    "singularity",
    {
      verbs: ["exec"],
      flags: /^-[ceC]$|^--(?:nv|cleanenv|contain|containall|writable-tmpfs)$/u,
      positionals: 1,
      place: "contained",
    },
  ],
]);
