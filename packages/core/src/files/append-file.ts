import { InvalidArgumentError } from "../errors/errors.js";
import { changePlan } from "./change-plan.js";
import { checkMode } from "./check-number.js";
import { withContent } from "./content-feed.js";
import type { FileShell } from "./file-shell.js";
import { fail, resolveText } from "./resolve-script.js";
import { statText } from "./stat-text.js";
import type { AppendFileOptions, WrittenFile } from "./write-result.js";
import { writtenFile } from "./written-answer.js";

/** Adds to the end of a file by the system's own appending: what others append at the same time stays whole too. */
export async function appendFile(
  shell: FileShell,
  asked: string,
  content: string | Uint8Array,
  options: AppendFileOptions,
): Promise<WrittenFile> {
  checkMode(options.mode);
  if (typeof content === "string" && /\p{Surrogate}/u.test(content)) {
    throw new InvalidArgumentError(
      "content",
      "The text has half of a surrogate pair in it, which is no character.",
      {
        operation: "append",
        hint: "Leave it out, or give bytes.",
      },
    );
  }
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  const path = shell.path(asked);
  const call = { operation: "append", path, signal: options.signal };
  const plan = await changePlan(shell, path, {
    followLast: true,
    allowSensitive: options.allowSensitive,
    createParents: options.createParents ?? true,
  });
  const mode = options.mode === undefined ? ":" : `chmod ${(options.mode & 0o7777).toString(8)} "./$b"`;
  const answer = await withContent(shell, bytes, call, (feed) => {
    const script = [
      resolveText(plan),
      `[ ! -d "./$b" ] || ${fail("is_directory")}`,
      `c=1; [ ! -e "./$b" ] && [ ! -L "./$b" ] || { c=; [ -f "./$b" ] || ${fail("not_regular")}; }`,
      `${feed.text} >>"./$b" || ${fail("failed")}`,
      `${mode} || ${fail("failed")}`,
      `z=$(${statText('"./$b"', true)}) || ${fail("failed")}`,
      `printf '=%s\\0%s\\0%s\\0' "$r" "$c" "$z"; exit 0`,
    ].join("\n");
    const input = feed.stdin === undefined ? {} : { stdin: feed.stdin };
    return shell.inTurn(path.name, () => shell.run(script, { ...call, ...input }));
  });
  return writtenFile(shell, answer, call, bytes.length);
}
