import { EnvironmentConnectionError } from "../errors/errors.js";
import type { ProcessExit, SandboxProcess } from "../environment/sandbox-process.js";
import { FrameReader, type Frame } from "./frame-reader.js";

/** How long a channel may take to come up once its process runs. */
const helloTimeoutMs = 30_000;

/** Waits for the hello frame. What comes before it is noise of a login shell and is skipped. */
export async function readHello(
  process: SandboxProcess,
  nonce: Buffer,
  signal: AbortSignal | undefined,
): Promise<Frame> {
  const noise: Buffer[] = [];
  const keep = (bytes: Buffer): void => {
    if (noise.length < 16) noise.push(bytes);
  };
  const reader = new FrameReader(nonce, keep, keep);
  return new Promise<Frame>((resolve, reject) => {
    let settled = false;
    const fail = (message: string): void => {
      if (settled) return;
      stop();
      void process.kill("SIGKILL").catch(() => {});
      const said = Buffer.concat(noise).toString("utf8").trim().slice(-400);
      reject(
        new EnvironmentConnectionError(
          `The shell in the sandbox did not start: ${message}${said === "" ? "" : `: ${said}`}`,
          {
            operation: "openChannel",
            retryHint:
              "See whether `bash` runs in the sandbox and whether /tmp is writable there, then try again.",
          },
        ),
      );
    };
    const onData = (bytes: Buffer): void => {
      const answer = reader.feed(bytes);
      if (answer === undefined) return;
      if (answer.frame.kind === "f") fail(answer.frame.payload.toString("utf8"));
      else {
        stop();
        resolve(answer.frame);
      }
    };
    const onError = (bytes: Buffer): void => keep(bytes);
    const onAbort = (): void => fail("cancelled");
    const timer = setTimeout(() => fail(`no answer within ${helloTimeoutMs / 1000} s`), helloTimeoutMs);
    const stop = (): void => {
      settled = true;
      clearTimeout(timer);
      process.stdout.off("data", onData);
      process.stderr.off("data", onError);
      signal?.removeEventListener("abort", onAbort);
    };
    process.stdout.on("data", onData);
    process.stderr.on("data", onError);
    signal?.addEventListener("abort", onAbort, { once: true });
    void process.exit.then((exit) => {
      // Its last words may still be on the way.
      setTimeout(() => fail(describeExit(exit)), 20);
    });
  });
}

function describeExit(exit: ProcessExit): string {
  switch (exit.kind) {
    case "exited":
      return `it exited with ${exit.code}`;
    case "signaled":
      return `it was ended by ${exit.signal}`;
    case "lost":
      return exit.reason;
  }
}
