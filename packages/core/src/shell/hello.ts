import { parseStateDump, type StateDump } from "./state-dump.js";
import { readShellWord } from "./shell-word.js";

/** What a channel says of itself when it is up. */
export interface Hello {
  /** Pid of the channel's bash inside the sandbox; also its process group and session. */
  readonly pid: number;
  readonly bashVersion: string;
  /** Path of the channel's private files, without their endings. */
  readonly files: string;
  /** The home directory bash resolves `~` to. */
  readonly home: string;
  /** The state every shell of this sandbox starts from. */
  readonly state: StateDump;
}

/** Parses the payload of a hello frame. */
export function parseHello(pid: number, payload: Buffer): Hello {
  const text = payload.toString("latin1");
  const lines = text.split("\n", 3);
  const [bashVersion = "", files = "", home = ""] = lines;
  const rest = text.slice(bashVersion.length + files.length + home.length + lines.length);
  return {
    pid,
    bashVersion,
    files: readShellWord(files, 0).value,
    home: readShellWord(home, 0).value,
    state: parseStateDump(rest),
  };
}
