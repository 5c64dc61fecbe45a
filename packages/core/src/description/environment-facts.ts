import type { SandboxAccess } from "../environment/sandbox-access.js";
import { WorkdirError } from "../errors/errors.js";

/** What a live sandbox says of itself. Null and empty: it does not tell. */
export interface EnvironmentFacts {
  /** `Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64`. */
  readonly os: string | null;
  readonly user: string | null;
  readonly uid: number | null;
  readonly home: string | null;
  /** Where a command starts that does not say otherwise, as it was when the sandbox was asked. */
  readonly directory?: string | null | undefined;
  /** False when there is no route out of the sandbox; null when that cannot be told. */
  readonly hasNetwork?: boolean | null | undefined;
  /** `bash 5.2.15`, or `sh`. */
  readonly shell: string;
  /** CPUs that may be used: those of the machine, or fewer where a limit says so. */
  readonly cpus: number | null;
  /** Memory that may be used, in bytes. */
  readonly memoryBytes: number | null;
  /** Free bytes where the session stands. */
  readonly diskFreeBytes: number | null;
  /** Programs an agent would expect and that are not there, in the order they were asked for. */
  readonly missingPrograms: readonly string[];
}

/** What agents reach for. Coreutils and the like are taken for granted. */
const expectedPrograms = [
  "bash",
  "git",
  "python3",
  "node",
  "rg",
  "curl",
  "wget",
  "tar",
  "make",
  "gcc",
  "jq",
  "sudo",
  "ssh",
  "docker",
] as const;

/** `name=value` lines. Nothing in it fails for want of a program: what is not known stays empty. */
const script = `
p() { printf '%s=%s\\n' "$1" "$2"; }
o=; [ ! -r /etc/os-release ] || o=$(. /etc/os-release 2>/dev/null; printf '%s' "\${PRETTY_NAME-}")
p release "$o"
p kernel "$(uname -srm 2>/dev/null)"
p user "$(id -un 2>/dev/null)"
p uid "$(id -u 2>/dev/null)"
p home "\${HOME-}"
p directory "$(pwd -P 2>/dev/null)"
[ ! -r /proc/net/route ] || { n=no; while read -r i d r; do case $i in lo|Iface) ;; *) n=yes ;; esac; done </proc/net/route; p network "$n"; }
p shell "\${BASH_VERSION-}"
p cpus "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null)"
q=; [ ! -r /sys/fs/cgroup/cpu.max ] || read -r q </sys/fs/cgroup/cpu.max
p quota "$q"
m=; [ ! -r /proc/meminfo ] || while read -r k v u; do [ "$k" != MemTotal: ] || { m=$v; break; }; done </proc/meminfo
p memory_kib "$m"
l=; for f in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do [ ! -r "$f" ] || { read -r l <"$f"; break; }; done
p limit "$l"
d=$(df -Pk . 2>/dev/null) && { d=\${d##*
}; set -- $d; p disk_kib "\${4-}"; }
for c in ${expectedPrograms.join(" ")}; do command -v "$c" >/dev/null 2>&1 || p missing "$c"; done
:`;

/** Asks the sandbox: one round trip. Throws what `access.run` throws; what the sandbox does not tell is null. */
export async function readFacts(
  access: SandboxAccess,
  signal: AbortSignal | undefined,
): Promise<EnvironmentFacts> {
  // Not apart: the smallest environments cannot do that, and a complaint is no `name=value` of these names.
  const options = { signal, timeoutMs: 20_000, separate: false };
  const { output } = await access.run(script, options).catch((error: unknown) => {
    // The directory is gone. The sandbox is still what it is.
    if (error instanceof WorkdirError) return access.run(script, { ...options, workdir: "/" });
    throw error;
  });
  const answers = new Map<string, string>();
  const missingPrograms: string[] = [];
  for (const line of output.split("\n")) {
    const at = line.indexOf("=");
    if (at < 1) continue;
    const [name, value] = [line.slice(0, at), line.slice(at + 1).trim()];
    if (name === "missing") missingPrograms.push(value);
    else if (value !== "") answers.set(name, value);
  }
  const number = (name: string): number | null => numberOf(answers.get(name));
  const os = [answers.get("release"), answers.get("kernel")].filter((part) => part !== undefined).join(", ");
  const bash = answers.get("shell");
  const memoryKib = number("memory_kib");
  const diskKib = number("disk_kib");
  return {
    os: os === "" ? null : os,
    user: answers.get("user") ?? null,
    uid: number("uid"),
    home: answers.get("home") ?? null,
    directory: answers.get("directory") ?? null,
    hasNetwork: answers.has("network") ? answers.get("network") === "yes" : null,
    shell: bash === undefined ? "sh" : `bash ${bash.replace(/\(.*$/, "")}`,
    cpus: smallest(number("cpus"), quotaOf(answers.get("quota"))),
    memoryBytes: smallest(memoryKib === null ? null : memoryKib * 1024, number("limit")),
    diskFreeBytes: diskKib === null ? null : diskKib * 1024,
    missingPrograms,
  };
}

/** cgroup's `<microseconds> <period>`; `max` is no limit. */
function quotaOf(text: string | undefined): number | null {
  const [quota, period] = (text ?? "").split(" ").map(numberOf);
  return quota === null || period === null || quota === undefined || period === undefined || period === 0
    ? null
    : quota / period;
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

function smallest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
