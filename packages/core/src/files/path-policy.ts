/**
 * One rule about places in a sandbox. `paths` are shell patterns of physical paths; `~` at the beginning is the home. Each
 * stands for itself and for all below it.
 */
export interface PathRule {
  readonly name: string;
  readonly paths: readonly string[];
  /** Why, as the end of a sentence: "…, because it …". */
  readonly reason: string;
}

const processPaths = (pid: string): readonly string[] =>
  [
    "environ",
    "mem",
    "maps",
    "smaps",
    "smaps_rollup",
    "numa_maps",
    "cmdline",
    "auxv",
    "pagemap",
    "stack",
    "syscall",
    "fd",
    "fdinfo",
    "map_files",
  ].map((name) => `/proc/${pid}/${name}`);

/** Never read and never written: no option allows it. */
const refusedRules: readonly PathRule[] = [
  {
    name: "process",
    paths: [...processPaths("[0-9]*"), ...processPaths("[0-9]*/task/[0-9]*"), "/proc/kcore", "/proc/kmsg"],
    reason: "shows the memory, the variables or the open files of processes, secrets of others among them",
  },
  {
    name: "device",
    paths: ["/dev/[!s]*", "/dev/s[!h]*", "/dev/sh[!m]*", "/dev/shm[!/]*"],
    reason: "is a device",
  },
];

/** Never written. */
const kernelRules: readonly PathRule[] = [
  { name: "kernel", paths: ["/proc", "/sys"], reason: "sets the kernel, it is no file to keep anything in" },
];

/** Written only when `allowSensitive` says so. */
export const sensitiveRules: readonly PathRule[] = [
  { name: "ssh", paths: ["*/.ssh", "*/authorized_keys"], reason: "decides who may log in" },
  {
    name: "shell-start",
    paths: [
      ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .inputrc",
      ".zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login",
      ".config/fish .pam_environment .xprofile .xinitrc .xsessionrc .xsession",
    ].flatMap((names) => names.split(" ").map((name) => `~/${name}`)),
    reason: "is run by every new shell of this account",
  },
  {
    name: "autostart",
    paths: [
      "~/.config/autostart",
      "~/.config/systemd",
      "~/.local/share/systemd",
      "~/Library/LaunchAgents",
      "/var/spool/cron",
      "/private/var/at",
      "/Library/LaunchDaemons",
      "/Library/LaunchAgents",
    ],
    reason: "starts programs by itself",
  },
  {
    name: "credentials",
    paths: [
      ".netrc .pgpass .npmrc .pypirc .git-credentials .aws .gnupg .kube .docker",
      ".azure .config/gh .config/gcloud .config/git .gitconfig",
    ].flatMap((names) => names.split(" ").map((name) => `~/${name}`)),
    reason: "holds credentials or decides where they are sent",
  },
  {
    name: "system",
    paths: ["/etc", "/private/etc", "/boot", "/efi", "/usr/lib/systemd", "/lib/systemd"],
    reason: "belongs to the system's configuration",
  },
  {
    name: "docker-socket",
    paths: ["*/docker.sock", "*/podman.sock", "*/containerd.sock"],
    reason: "gives whoever holds it the whole machine",
  },
  {
    name: "talaria",
    paths: [
      "~/.talaria",
      "*/.talaria.yaml",
      "/tmp/talaria-[0-9]*",
      "/private/tmp/talaria-[0-9]*",
      "/dev/shm/talaria-[0-9]*",
    ],
    reason: "is Talaria's own configuration or journal",
  },
];

const allRules = [...refusedRules, ...kernelRules, ...sensitiveRules];

/** The directories at the root that hold all that is never read. */
export const refusedTops = [
  ...new Set(refusedRules.flatMap(({ paths }) => paths.map((path) => `/${path.split("/")[1] ?? ""}`))),
];

export function pathRule(name: string): PathRule | undefined {
  return allRules.find((rule) => rule.name === name);
}

/** A sensitive place can be allowed; the others cannot. */
export function isSensitive(rule: PathRule): boolean {
  return sensitiveRules.includes(rule);
}

/** Which rules hold. */
export interface PolicyChoice {
  readonly isWrite: boolean;
  readonly allowSensitive: boolean;
}

/**
 * Shell text that puts the name of the rule which the physical path in `$r` falls under into `$k`, else nothing. `$H` is
 * the physical home, empty when that is `/` or not known.
 */
export function policyText({ isWrite, allowSensitive }: PolicyChoice): string {
  const rules = [
    ...refusedRules,
    ...(isWrite ? kernelRules : []),
    ...(isWrite && !allowSensitive ? sensitiveRules : []),
  ];
  const branches = rules.map(({ name, paths }) => {
    const patterns = paths.map((path) => path.replace(/^~/, '"$H"'));
    return `${patterns.flatMap((pattern) => [pattern, `${pattern}/*`]).join("|")}) k=${name};;`;
  });
  return `k=; case $r in ${branches.join(" ")} esac`;
}
