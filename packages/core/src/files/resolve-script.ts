import { assign, type FilePath } from "./file-path.js";
import type { FileSettings } from "./file-settings.js";
import { policyText, type PolicyChoice } from "./path-policy.js";

/** How a path is to be resolved in the sandbox. */
export interface ResolvePlan {
  readonly path: FilePath;
  /** Follow a link at the end of the path. */
  readonly followLast: boolean;
  readonly policy: PolicyChoice;
  /** False: nothing is refused, because nothing will be read or written. Default true. */
  readonly judges?: boolean | undefined;
  /** The sandbox's physical home; needed where writes are judged. */
  readonly home?: string | undefined;
  /** Make missing directories. Default false. */
  readonly createParents?: boolean | undefined;
  /** Where writes have to stay. */
  readonly roots?: FileSettings["roots"];
  /** Reads a root as a path. */
  readonly rootPath?: ((root: string) => FilePath) | undefined;
  /** Shell text for a name that is not there, before the script ends. It has `$PWD` and `$b`. */
  readonly onMissing?: string | undefined;
}

/** Ends a script with a failure. The detail is a word of shell text. */
export function fail(reason: string, detail = '"$r"'): string {
  return `{ printf '!%s\\0%s\\0' "${reason}" ${detail}; exit 0; }`;
}

/** Says why the directory in a variable could not be entered, and ends. */
const cannotEnter = (variable: string): string => {
  const it = `"$${variable}"`;
  return [
    `{ r=${it}; q=${it}; while [ ! -e "$q" ] && [ ! -L "$q" ]; do case $q in */*) q=\${q%/*};; *) q=.;; esac; [ -n "$q" ] || q=/; done`,
    `[ ! -d ${it} ] || ${fail("permission")}`,
    `[ ! -d "$q" ] || [ -x "$q" ] || ${fail("permission")}`,
    `[ ! -f "$q" ] || ${fail("not_directory")}`,
    `${fail("missing_directory")}; }`,
  ].join("\n");
};

/**
 * Shell text after a `cd -P`: bash keeps two slashes at the beginning of a path, also where a link led to one (`//etc`,
 * `/proc/self/root/etc`), and no rule would know such a place.
 */
export const oneSlash = 'case $PWD in //*) cd -P -- "/${PWD#//}" || exit 1;; esac';

const setPhysical = "case $PWD/$b in */.) r=$PWD;; //*) r=/$b;; *) r=$PWD/$b;; esac";

/**
 * Shell text that goes into the directory which a path's last name is in, physically, and sets `b` to that name and `r`
 * to the whole physical path. Links at the end are followed one by one; the rules are asked about each. All that comes
 * after works on `./$b`: a directory on the way that is swapped meanwhile cannot lead it elsewhere.
 *
 * Sets `s` to where it started. Variables: d directory, q t of the moment, k rule, n links followed.
 */
export function resolveText(plan: ResolvePlan): string {
  const { path, followLast, policy } = plan;
  const hasRoots = policy.isWrite && plan.roots !== undefined;
  const judge = plan.judges === false ? ":" : `${policyText(policy)}; [ -z "$k" ] || ${fail("refused:$k")}`;
  const lines = [
    "s=$PWD n=0",
    assign("H", plan.home === "/" ? "" : (plan.home ?? "")),
    ...(hasRoots ? rootsText(plan) : []),
  ];
  if (path.base === "home") lines.push(`cd -P -- ~ 2>/dev/null || { r=~; ${fail("missing_directory")}; }`);
  lines.push(assign("d", inDirectory(path)), assign("b", path.name));
  lines.push(
    `cd -P -- "$d" 2>/dev/null || ${plan.createParents === true ? createText(judge, hasRoots) : cannotEnter("d")}`,
  );
  lines.push("while :; do", oneSlash, setPhysical, judge);
  if (followLast) {
    lines.push(
      '[ -L "./$b" ] || break',
      `n=$((n + 1)); [ "$n" -le 40 ] || ${fail("link_loop")}`,
      `t=$(readlink "./$b" && printf .) || ${fail("failed")}`,
      "t=${t%??}; while :; do case $t in ?*/) t=${t%/};; *) break;; esac; done",
      'b=${t##*/}; d=${t%"$b"}; case $b in ""|.|..) d=$t b=.;; esac',
      `case $d in "") d=.;; /*) ;; *) d=./$d;; esac; cd -P -- "$d" 2>/dev/null || ${cannotEnter("d")}`,
    );
  } else lines.push("break");
  lines.push("done");
  if (hasRoots) lines.push(insideRoots);
  if (plan.onMissing !== undefined) {
    lines.push(`[ -e "./$b" ] || [ -L "./$b" ] || { ${plan.onMissing}; exit 0; }`);
  }
  if (path.isDirectory) lines.push(`[ ! -e "./$b" ] || [ -d "./$b" ] || ${fail("not_directory")}`);
  return lines.join("\n");
}

/** A relative directory must not look like an option, nor be looked up elsewhere. */
function inDirectory({ base, directory }: FilePath): string {
  return base === "root" ? directory : `./${directory}`;
}

/** Makes what is missing of `$d`, beginning at what is there of it, after the rules were asked. */
function createText(judge: string, hasRoots: boolean): string {
  return [
    "{ q=$d t=",
    'until cd -P -- "${q:-/}" 2>/dev/null; do',
    `if [ -e "$q" ] || [ -L "$q" ]; then d=$q; ${cannotEnter("d")}; fi`,
    "t=${q##*/}/$t; case $q in */*) q=${q%/*};; *) q=.;; esac; done",
    oneSlash,
    `case /$t in */../*) r=$d; ${fail("missing_directory")};; esac`,
    `r=$PWD/$t; ${judge}`,
    ...(hasRoots ? [insideRoots] : []),
    `mkdir -p -- "./$t" || ${fail("failed")}`,
    `cd -P -- "./$t" || ${fail("failed")}; }`,
  ].join("\n");
}

/** Sets `o` to the physical roots, one a line; a root that is not there holds nothing. Returns to `$s`. */
function rootsText({ roots = [], rootPath }: ResolvePlan): readonly string[] {
  const lines = ["o= u="];
  for (const root of roots) {
    const path = rootPath?.(root);
    if (path === undefined) continue;
    const whole =
      path.name === "." ? inDirectory(path) : `${inDirectory(path).replace(/\/$/, "")}/${path.name}`;
    if (path.base === "home") lines.push("cd -P -- ~ 2>/dev/null");
    lines.push(
      `${assign("d", whole)}; ! cd -P -- "$d" 2>/dev/null || case $PWD in /|//) u=1;; //*) o=$o\${PWD#/}//;; *) o=$o$PWD//;; esac`,
    );
    lines.push(`cd -P -- "$s" 2>/dev/null || { r=$s; ${fail("missing_directory")}; }`);
  }
  return lines;
}

/**
 * Ends unless the directory the shell is in lies in a root. The kernel is asked where that is: what the shell remembers
 * could have been swapped between its look and its step. Paths hold no `//`, so it parts the roots.
 */
const insideRoots = [
  'if [ -z "$u" ]; then',
  `t=$(env pwd -P && printf .) || ${fail("failed")}`,
  "t=${t%??} q=$o d=",
  'while [ -n "$q" ]; do d=${q%%//*} q=${q#*//}; case $t/ in "$d"/*) break;; esac; d=; done',
  `[ -n "$d" ] || { r=$t/$b; ${fail("outside_roots")}; }`,
  "fi",
].join("\n");
