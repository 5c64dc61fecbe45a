import { operandsOf } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";
import type { FoundCommand } from "../found-command.js";
import { interpreterCode } from "../interpreter-code.js";
import { hasUnknown, isUnknown } from "../marks.js";
import { shellCode, shellNames } from "../shell-invocation.js";

const fetchers =
  /^(?:curl|wget|fetch|aria2c|http|https|lynx|nc|ncat|netcat|socat|ftp|tftp|scp|lwp-request|GET|xh|curlie|gsutil|aws)$/u;
const decoders =
  /^(?:base64|base32|xxd|openssl|uudecode|gunzip|zcat|gzip|bzcat|xzcat|bunzip2|xz|rev|gpg|basenc|hex2bin|unzstd|zstdcat|tr)$/u;

/** The commands whose output a command runs as code. */
function codeSources(command: FoundCommand): readonly FoundCommand[] {
  const { name, words, input, substitutions } = command;
  const fromInput = input?.producers ?? [];
  if (name === "eval") return substitutions;
  if (name === "source" || name === ".") {
    return /^\/dev\/(?:stdin|fd\/0)$/u.test(words[1] ?? "") ? fromInput : substitutions;
  }
  if (shellNames.has(name)) {
    const code = shellCode(words);
    if (code.kind === "stdin") return [...fromInput, ...substitutions];
    return code.kind === "none" ? [] : substitutions;
  }
  const code = interpreterCode(name, words);
  if (code === undefined || name.endsWith("awk")) return [];
  if (code.kind === "stdin") return [...fromInput, ...substitutions];
  if (code.kind === "file") return code.path.startsWith("/dev/fd/") ? substitutions : [];
  return code.kind === "text" && isUnknown(code.text) ? substitutions : [];
}

/** Whether the text that is run is not known. */
function runsUnknown(command: FoundCommand): boolean {
  const { name, words, input } = command;
  if (name === "eval") return isUnknown(words.slice(1).join(" ").trim());
  if (!shellNames.has(name)) return false;
  const code = shellCode(words);
  if (code.kind === "text") return isUnknown(code.text);
  if (code.kind !== "stdin" || input === undefined) return false;
  return hasUnknown(input.text);
}

export const remoteCodeRules: readonly CommandRule[] = [
  {
    id: "fetched_code",
    level: "dangerous",
    category: "remote_code",
    description:
      '`curl … | sh`, `bash <(curl …)`, `sh -c "$(wget …)"`, `curl … | python`, a file that the same text has fetched',
    why: "it runs whatever the other side sends",
    matches: (command) =>
      codeSources(command).some(({ name }) => fetchers.test(name)) || command.fetched === true,
  },
  {
    id: "decoded_code",
    level: "dangerous",
    category: "remote_code",
    description: '`base64 -d | sh`, `eval "$(… | xxd -r -p)"` and other code that is hidden',
    why: "nobody can read what it runs",
    matches: (command) =>
      codeSources(command).some(({ name }) => decoders.test(name)) || decodesInside(command),
  },
  {
    id: "unknown_code",
    level: "dangerous",
    category: "remote_code",
    description: 'a shell that runs text which is not known: `eval "$x"`, `bash -c "$x"`, `awk … | sh`',
    why: "what it runs is decided by something that was not shown",
    matches: (command) => {
      if (!runsUnknown(command)) return false;
      // What a program prints for being evaluated (`eval "$(ssh-agent -s)"`) is that program's business.
      const sources = codeSources(command);
      return sources.length === 0 || !sources.every((source) => isSetup(source, command));
    },
  },
  {
    id: "reverse_shell",
    level: "dangerous",
    category: "network",
    description: "a shell over the network: `/dev/tcp/…`, `nc -e`, `socat EXEC:`",
    why: "somebody else gets a shell on this machine",
    matches: (command) => {
      const { name, words, redirects } = command;
      if (/^(?:nc|ncat|netcat)$/u.test(name))
        return (
          words.some((word) => /^(?:-[a-z]*[ec]|--(?:exec|sh-exec)(?:=.*)?)$/u.test(word)) &&
          operandsOf(command).length > 0
        );
      if (name === "socat") return words.some((word) => /^(?:exec|system):/iu.test(word));
      return (
        redirects.some(({ target }) => /^\/dev\/(?:tcp|udp)\//u.test(target)) &&
        (shellNames.has(name) || name === "exec" || name === "{")
      );
    },
  },
];

/** `python -c 'os.system(b64decode(…))'`. */
function decodesInside({ name, words, input }: FoundCommand): boolean {
  const code = interpreterCode(name, words);
  if (code === undefined || code.kind === "file" || code.kind === "none") return false;
  const text = (code.kind === "text" ? code.text : (input?.text ?? "")).slice(0, 65_536);
  return (
    /b(?:ase)?64_?decode|decode_?b(?:ase)?64|fromhex|unhexlify|["']base64["']|\batob\b|\brot_?13\b|pack\s*\(?\s*["']H\*/iu.test(
      text,
    ) && /\bsystem\b|\bpopen\b|subprocess|\bexec\w*\b|\beval\b|spawn|child_process|\bqx\b|`/u.test(text)
  );
}

/** `eval "$(direnv hook bash)"`, `cat script.sh | bash`: no more than running a program or a file by its name. */
function isSetup({ name }: FoundCommand, { name: runner }: FoundCommand): boolean {
  return runner === "eval" ? !/^(?:cat|echo|printf|tr|sed|awk|cut|head|tail)$/u.test(name) : name === "cat";
}
