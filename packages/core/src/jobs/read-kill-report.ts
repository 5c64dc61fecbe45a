import type { KillProof, KillReport, Survivor } from "../environment/outcome.js";
import { fromShellBytes } from "../shell/shell-bytes.js";

/** Reads the answer of `stopText`, in shell bytes. Undefined when the job was not there. */
export function readKillReport(answer: string): KillReport | undefined {
  const survivors: Survivor[] = [];
  let killed: KillProof = "unverified";
  for (const line of answer.split("\n")) {
    if (line === "k gone") return undefined;
    const survivor = /^k s (\d+) (.*)$/.exec(line);
    if (survivor !== null) {
      survivors.push({ pid: Number(survivor[1]), command: fromShellBytes(survivor[2] ?? "") });
    }
    const proof = /^k d (all|group)$/.exec(line)?.[1];
    if (proof === "all" || proof === "group") killed = proof;
  }
  return { killed, survivors };
}
