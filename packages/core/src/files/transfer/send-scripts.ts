import { assign } from "../file-path.js";
import { shellQuote } from "../../shell/quote.js";
import { digestText, enterText } from "./receive-file-script.js";
import { transferScript, type TransferScript } from "./transfer-script.js";

/** Gives a file to standard output, then says its size and, if asked, its SHA-256. */
export function sendFileScript(directory: string, name: string, verify: boolean): TransferScript {
  return transferScript(
    [
      enterText(directory),
      assign("b", name),
      '[ -f "./$b" ] || { say moved; exit 1; }',
      'cat "./$b" || { say failed; exit 1; }',
      'n=$(wc -c <"./$b") || { say failed; exit 1; }',
      verify ? `${digestText}; h=$(digest <"./$b")` : "h=",
      "say done $n ${h%% *}",
    ].join("\n"),
  );
}

/** Gives a directory to standard output as a tar archive, its top as `.`. */
export function sendTreeScript(directory: string, plainNames: readonly string[]): TransferScript {
  const excludes = plainNames.map((name) => ` --exclude=${shellQuote(name)}`).join("");
  return transferScript(
    [
      enterText(directory),
      "command -v tar >/dev/null 2>&1 || { say no-tar; exit 1; }",
      `tar -cf -${excludes} .; say done $?`,
    ].join("\n"),
  );
}
