import { SpanStatusCode, trace } from "@opentelemetry/api";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { TalariaError } from "../../src/errors/talaria-error.js";
import { Redactor } from "../../src/secrets/redactor.js";
import { CallTracer } from "../../src/tracing/call-tracer.js";
import { traceResult } from "../../src/tracing/command-attributes.js";
import { openHost } from "../support/host-shell.js";
import { RecordingProvider } from "./recording-provider.js";

const value = "S3cret-of-the-house";
const redactor = new Redactor([{ name: "HOUSE", value }]);

describe("without a registered tracer provider", () => {
  it("runs the call at once, with a span that does nothing", async () => {
    const tracer = new CallTracer();
    expect(tracer.isActive).toBe(false);
    let isStarted = false;
    const call = tracer.traceCall("talaria.execute", { a: 1 }, async (span) => {
      isStarted = true;
      span.set({ b: 2 });
      span.event("x");
      span.fail("y");
      return 7;
    });
    expect(isStarted).toBe(true);
    expect(await call).toBe(7);
  });
});

describe("with a registered tracer provider", () => {
  let provider: RecordingProvider;
  beforeEach(() => {
    provider = new RecordingProvider();
    provider.register();
    onTestFinished(() => provider.unregister());
  });

  it("makes one span a call, with attributes whose texts are redacted", async () => {
    const result = await new CallTracer({ redactor }).traceCall(
      "talaria.files.read",
      { "talaria.backend": "local", path: `/x/${value}`, missing: undefined },
      async (span) => {
        span.set({ bytes: 3 });
        return "done";
      },
    );
    expect(result).toBe("done");
    expect(provider.spans).toMatchObject([
      {
        name: "talaria.files.read",
        attributes: { "talaria.backend": "local", path: "/x/[redacted:HOUSE]", bytes: 3 },
        isEnded: true,
        status: undefined,
      },
    ]);
    expect(Object.keys(provider.spans[0]?.attributes ?? {})).not.toContain("missing");
  });

  it("is the child of the span that is active, and the parent of those made within it", async () => {
    const tracer = new CallTracer();
    await tracer.traceCall("outer", {}, async () => {
      await Promise.resolve();
      await tracer.traceCall("inner", {}, async () => expect(trace.getActiveSpan()).toBeDefined());
    });
    const [outer, inner] = provider.spans;
    expect(outer?.parentId).toBeUndefined();
    expect(inner?.parentId).toBe(outer?.spanId);
  });

  it("records an error without its secrets, and throws it as it was", async () => {
    const error = new TalariaError("connection", `no way to ${value}`, { operation: "execute" });
    const call = new CallTracer({ redactor }).traceCall("talaria.execute", {}, () => Promise.reject(error));
    await expect(call).rejects.toBe(error);
    const [span] = provider.spans;
    expect(span).toMatchObject({
      isEnded: true,
      attributes: { "error.type": "connection", "talaria.operation": "execute" },
      status: { code: SpanStatusCode.ERROR, message: "no way to [redacted:HOUSE]" },
    });
    expect(JSON.stringify(span)).not.toContain(value);
    expect(span?.exceptions).toHaveLength(1);
  });

  it("has the phases of a command as events and attributes, in their order", async () => {
    const host = openHost();
    await new CallTracer().traceCall("talaria.execute", {}, async (span) => {
      traceResult(span, await host.execute("echo hi; exit 3"));
    });
    const [span] = provider.spans;
    expect(span?.events.map(({ name }) => name)).toEqual([
      "queued",
      "connected",
      "first_byte",
      "exited",
      "drained",
    ]);
    const times = span?.events.map(({ time }) => Number(time)) ?? [];
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(span?.attributes).toMatchObject({
      "process.exit.code": 3,
      "talaria.outcome": "exited",
      "talaria.output.bytes": 3,
    });
    expect(span?.attributes["talaria.timing.exit_ms"]).toBeTypeOf("number");
    // A status of the command's own is an answer, not a failure of the call.
    expect(span?.status).toBeUndefined();
  });

  it("calls a timeout an error", async () => {
    const host = openHost();
    await new CallTracer().traceCall("talaria.execute", {}, async (span) => {
      traceResult(span, await host.execute("sleep 60", { timeoutMs: 200, killGraceMs: 50 }));
    });
    expect(provider.spans[0]?.status?.code).toBe(SpanStatusCode.ERROR);
  });

  it("makes none when tracing is off", async () => {
    await new CallTracer({ isEnabled: false }).traceCall("talaria.execute", {}, async () => {});
    expect(provider.spans).toEqual([]);
  });

  it("runs the call all the same when the provider throws", async () => {
    provider.unregister();
    trace.setGlobalTracerProvider({
      getTracer: () => {
        throw new Error("broken");
      },
    });
    expect(await new CallTracer().traceCall("talaria.execute", {}, async () => 5)).toBe(5);
  });
});
