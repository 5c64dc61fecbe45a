import type { FileStat } from "@talaria/core";
import { failure, success } from "../exit-status.js";
import { formatBytes } from "../output/amounts.js";
import { formatDocument } from "../output/json-document.js";
import { pathMember, visiblePath } from "../output/path-text.js";
import { formatTable } from "../output/table.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import { eachOf } from "../program/each-of.js";
import type { FileOptions } from "./file-options.js";
import { modeText, momentText, octal, statMember } from "./stat-member.js";

export interface StatFileOptions extends FileOptions {
  readonly follow: boolean;
}

/** Prints what the sandbox says of each file. Status 1 when one of them could not be looked at. */
export async function showStat(
  invocation: Invocation,
  paths: readonly string[],
  options: StatFileOptions,
): Promise<number> {
  const { stdout, style, messages } = invocation;
  return inSession(invocation, options, async (session, { signal }) => {
    const { done, failures } = await eachOf(messages, paths, signal, (path) =>
      session.files.stat(path, { followLinks: options.follow, signal }),
    );
    const status = failures.length === 0 ? success : failure;
    if (options.json) {
      const files = done.map(({ name: asked, result: { path, ...facts } }) => ({
        asked,
        ...pathMember("path", path),
        ...statMember(facts),
      }));
      await stdout.write(formatDocument({ files, failures }));
      return status;
    }
    for (const { result } of done) {
      stdout.line(style.bold(visiblePath(result.path)));
      for (const line of formatTable(statRows(result), "  ")) stdout.line(line);
    }
    return status;
  });
}

function statRows(stat: FileStat): string[][] {
  const { type, mode, uid, gid, links, sizeBytes, modifiedMs, linkTarget, version } = stat;
  return [
    ["kind", type.replaceAll("_", " ")],
    ...(linkTarget === undefined ? [] : [["leads to", visiblePath(linkTarget)]]),
    ["size", `${sizeBytes.toLocaleString("en-US")} bytes (${formatBytes(sizeBytes)})`],
    ["permissions", `${modeText(type, mode)} (${octal(mode)})`],
    ["owner", `${uid}:${gid}`],
    ["names", String(links)],
    ["changed", momentText(modifiedMs)],
    ["version", version],
  ];
}
