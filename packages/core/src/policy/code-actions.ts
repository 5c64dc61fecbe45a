import { marks } from "./marks.js";

/** What a program in another language does that a shell would do by a command. */
export interface CodeActions {
  /** Commands by their words. */
  readonly commands: readonly (readonly string[])[];
  /** Shell texts it hands to a shell. */
  readonly scripts: readonly string[];
  /** It starts copies of itself without end. */
  readonly multiplies: boolean;
}

/** More than this of a program is not looked at. */
const maximalLength = 65_536;

const callsShell =
  /system|popen|subprocess|check_call|check_output|child_process|\bexec|spawn|shell_exec|passthru|qx|`|\$\(|getoutput|do shell script|%x|\|\s*"|\|getline|Process\b/iu;
const literal = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`\n]*)`|(?:qx|%x)[{(/]([^})/\n]*)[})/]/gu;
const list = /(?:["']([\w./-]+)["']\s*,\s*)?[[(]\s*((?:["'][^"'\n]*["']\s*,?\s*){2,})[\])]/gu;
const removal =
  /(?:rmtree|rm_rf|rm_r|rmSync|rmdirSync|\brm|remove_tree|removeSync|emptyDirSync|rimraf(?:\.sync)?|remove_dir_all|remove_entry)\b[^"'\n;]{0,60}["']([^"'\n]*)["']/gu;
const homeRemoval =
  /(?:rmtree|rm_rf|rm_r|rmSync|rmdirSync|removeSync|remove_tree)\b[^"'\n;]{0,40}(?:Path\.home\(\)|environ(?:\.get\(|\[)["']HOME|expanduser|homedir\(\)|ENV\[["']HOME|process\.env\.HOME)/u;
const written =
  /\b(?:open|writeFile|writeFileSync|createWriteStream|File\.write|write_text)\w*\s*\(\s*["']([^"'\n]+)["']\s*,\s*["'][wa+rb]*[wa+]/gu;
const writtenText =
  /\b(?:writeFileSync|writeFile|appendFileSync|createWriteStream|File\.write)\s*\(\s*["']([^"'\n]+)["']/gu;
/** `for p in Path("/etc").rglob("*"): p.unlink()`, and the like over `os.walk` and `glob`. */
const removesEach =
  /\.unlink\s*\(|\bos\.(?:remove|unlink|rmdir)\b|\bunlinkSync\b|\bFile\.(?:delete|unlink)\b/u;
const walked =
  /\b(?:Path\s*\(\s*["']([^"'\n]+)["']\s*\)\s*\.(?:rglob|glob|iterdir|walk)|(?:os\.walk|os\.listdir|os\.scandir|glob\.i?glob|readdirSync|Dir\.glob|Dir\[)\s*\(?\s*["']([^"'\n]+)["'])/gu;
const killsAll = /\bkill\w*\s*\(?\s*(?:["']?\w+["']?\s*,\s*)?-1\b/u;
const forks =
  /fork\s+while\s+fork|while\b[^\n]{0,60}\n?[^\n]{0,40}fork\s*\(|fork\s*\(\s*\)\s*(?:;|while)[^\n]{0,30}(?:while|loop)|loop\s*\{\s*fork|(?:perl|)\bfork\s*\|\|\s*fork/u;

export function codeActions(code: string): CodeActions {
  const text = code.slice(0, maximalLength);
  const commands: string[][] = [];
  const scripts: string[] = [];
  if (callsShell.test(text)) {
    for (const match of text.matchAll(literal)) {
      const found = match[1] ?? match[2] ?? match[3] ?? match[4] ?? "";
      if (/[\s$;|&>]/u.test(found)) scripts.push(unescaped(found));
    }
    for (const [, program, items = ""] of text.matchAll(list)) {
      const words = [...items.matchAll(/["']([^"'\n]*)["']/gu)].map((item) => item[1] ?? "");
      commands.push(program === undefined ? words : [program, ...words]);
    }
  }
  for (const [, path = ""] of text.matchAll(removal)) commands.push(["rm", "-rf", withHome(path)]);
  if (homeRemoval.test(text)) commands.push(["rm", "-rf", marks.home]);
  for (const pattern of [written, writtenText]) {
    for (const [, path = ""] of text.matchAll(pattern)) commands.push(["tee", withHome(path)]);
  }
  if (removesEach.test(text)) {
    for (const match of text.matchAll(walked)) {
      const path = (match[1] ?? match[2] ?? "").replace(/\/\*.*$/u, "/");
      commands.push(["rm", "-rf", withHome(path)]);
    }
  }
  if (killsAll.test(text)) commands.push(["kill", "-9", "-1"]);
  return { commands, scripts, multiplies: forks.test(text) };
}

function withHome(path: string): string {
  return /^~(?:\/|$)/u.test(path) ? marks.home + path.slice(1) : path;
}

function unescaped(text: string): string {
  return text.replace(/\\(["'`\\])/gu, "$1");
}
