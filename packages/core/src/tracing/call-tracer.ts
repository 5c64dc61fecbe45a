import type * as OpenTelemetry from "@opentelemetry/api";
import type { Redactor } from "../secrets/redactor.js";
import { errorFacts } from "./error-facts.js";

/** What an attribute may hold. */
export type TraceValue = string | number | boolean;

/** Names and values of a span's attributes; undefined ones are left out. */
export type TraceAttributes = Readonly<Record<string, TraceValue | undefined>>;

/** The span of a call that is under way. Does nothing where nobody traces. */
export interface CallSpan {
  set(attributes: TraceAttributes): void;
  /** Something happened, `atMs` milliseconds after the call began; without it: now. */
  event(name: string, atMs?: number, attributes?: TraceAttributes): void;
  /** The call ended, without an error being thrown, in a way that is one. The text is redacted. */
  fail(message: string): void;
}

export interface CallTracerOptions {
  /** `tracing.enabled`. Default true. */
  readonly isEnabled?: boolean | undefined;
  /** Takes secrets out of error texts and of attributes that are text. */
  readonly redactor?: Pick<Redactor, "redact"> | undefined;
  /** `tracing.include_command`: whether who calls puts the text of commands into spans. Default false. */
  readonly includesCommand?: boolean | undefined;
}

const silent: CallSpan = { set: () => {}, event: () => {}, fail: () => {} };

/** Where every copy of `@opentelemetry/api` 1.x keeps what was registered with it. */
const registration = Symbol.for("opentelemetry.js.api.1");

/**
 * Makes one OpenTelemetry span per call, as a child of whatever span is active. `@opentelemetry/api` is an optional
 * peer and is loaded with the first call after a program has registered a tracer provider; until then a call costs one
 * look at a global.
 */
export class CallTracer {
  readonly includesCommand: boolean;
  readonly #isEnabled: boolean;
  readonly #redact: (text: string) => string;
  #api: Promise<typeof OpenTelemetry | undefined> | undefined;

  constructor(options: CallTracerOptions = {}) {
    const { isEnabled = true, redactor, includesCommand = false } = options;
    this.#isEnabled = isEnabled;
    this.#redact = redactor === undefined ? (text) => text : (text) => redactor.redact(text);
    this.includesCommand = includesCommand;
  }

  /** Whether a call would be traced now. */
  get isActive(): boolean {
    if (!this.#isEnabled) return false;
    const registered = (globalThis as Record<symbol, unknown>)[registration];
    return typeof registered === "object" && registered !== null && "trace" in registered;
  }

  /**
   * Runs a call inside a span named `talaria.…`. Resolves and rejects exactly as `run` does; a rejection is recorded,
   * redacted. Tracing that fails never fails the call.
   */
  traceCall<T>(name: string, attributes: TraceAttributes, run: (span: CallSpan) => Promise<T>): Promise<T> {
    return this.isActive ? this.#traced(name, attributes, run) : run(silent);
  }

  async #traced<T>(
    name: string,
    attributes: TraceAttributes,
    run: (span: CallSpan) => Promise<T>,
  ): Promise<T> {
    this.#api ??= import("@opentelemetry/api").catch(() => undefined);
    const api = await this.#api;
    if (api === undefined) return run(silent);
    let span: OpenTelemetry.Span;
    try {
      const tracer = api.trace.getTracer("@talaria/core");
      span = tracer.startSpan(name, { kind: api.SpanKind.CLIENT });
    } catch {
      return run(silent);
    }
    const call = this.#callSpan(span, api.SpanStatusCode.ERROR);
    call.set(attributes);
    try {
      return await api.context.with(api.trace.setSpan(api.context.active(), span), () => run(call));
    } catch (error) {
      const facts = errorFacts(error, this.#redact);
      quietly(() => span.recordException({ name: facts.name, message: facts.message, stack: facts.stack }));
      call.set({ "error.type": facts.type, "talaria.operation": facts.operation });
      call.fail(facts.message);
      throw error;
    } finally {
      quietly(() => span.end());
    }
  }

  #callSpan(span: OpenTelemetry.Span, errorCode: number): CallSpan {
    const beganAt = Date.now();
    const clean = (attributes: TraceAttributes): Record<string, TraceValue> => {
      const cleaned: Record<string, TraceValue> = {};
      for (const [name, value] of Object.entries(attributes)) {
        if (value !== undefined) cleaned[name] = typeof value === "string" ? this.#redact(value) : value;
      }
      return cleaned;
    };
    return {
      set: (attributes) => quietly(() => span.setAttributes(clean(attributes))),
      event: (name, atMs, attributes = {}) =>
        quietly(() =>
          span.addEvent(name, clean(attributes), atMs === undefined ? undefined : beganAt + atMs),
        ),
      fail: (message) => quietly(() => span.setStatus({ code: errorCode, message: this.#redact(message) })),
    };
  }
}

/** An SDK that throws must not fail what is traced. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Nothing can be done, and nobody asked: the span is lost.
  }
}
