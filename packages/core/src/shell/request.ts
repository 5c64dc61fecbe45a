import { randomBytes } from "node:crypto";
import { nonceLineBytes, requestBlockBytes, requestHeaderBytes } from "./driver.js";

/** One command as a channel takes it. Texts hold one byte per character (latin1) but for `script`, which is UTF-8. */
export interface ChannelRequest {
  readonly script: Buffer;
  /** Evaluated in the subshell before the script: directory, variables, options. */
  readonly prelude: Buffer;
  /** Evaluated by the channel itself after the command, so that later subshells inherit it: functions, aliases. */
  readonly inherit: Buffer;
  /** Both streams as one, in exact order. */
  readonly merge: boolean;
  /** Standard input follows the request. Uses the channel up. */
  readonly stdin: boolean;
  /** Whether the state dump has to contain the functions. */
  readonly functions: boolean;
}

const nonceRandomBytes = 12;

function nonceOf(random: Buffer): Buffer {
  return Buffer.from(`\u0002${random.toString("base64url")}.`, "latin1");
}

/**
 * A word no output contains by chance: 96 random bits behind a control character, which makes the search for it fast
 * in text.
 */
export function makeNonce(): Buffer {
  return nonceOf(randomBytes(nonceRandomBytes));
}

/** Makes many nonces. Asking the system for randomness costs more than the rest of a request, so it is asked in bulk. */
export class NonceSource {
  #random = Buffer.alloc(0);
  #used = 0;

  next(): Buffer {
    if (this.#used === this.#random.length) {
      this.#random = randomBytes(nonceRandomBytes * 64);
      this.#used = 0;
    }
    this.#used += nonceRandomBytes;
    return nonceOf(this.#random.subarray(this.#used - nonceRandomBytes, this.#used));
  }
}

function fixedWidth(fields: readonly (string | number)[], bytes: number): Buffer {
  return Buffer.from(`${fields.join(" ").padEnd(bytes - 1)}\n`, "latin1");
}

/** The bytes of a request. Its nonce line comes last, so that it is still unread while the command runs. */
export function encodeRequest(request: ChannelRequest, nonce: Buffer): Buffer {
  const { prelude, script, inherit } = request;
  const length = requestHeaderBytes + prelude.length + script.length;
  const padding = Math.max(0, requestBlockBytes - length);
  const header = fixedWidth(
    [
      request.merge ? 1 : 0,
      request.stdin ? 1 : 0,
      request.functions ? 1 : 0,
      prelude.length,
      script.length,
      Math.max(0, length - requestBlockBytes),
    ],
    requestHeaderBytes,
  );
  const nonceLine = fixedWidth(
    [nonce.toString("latin1"), request.merge ? 0 : 1, inherit.length],
    nonceLineBytes,
  );
  return Buffer.concat([header, prelude, script, Buffer.alloc(padding, " "), nonceLine, inherit]);
}
