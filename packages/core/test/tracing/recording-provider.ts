import { AsyncLocalStorage } from "node:async_hooks";
import {
  context,
  ROOT_CONTEXT,
  trace,
  type Attributes,
  type Context,
  type ContextManager,
  type Exception,
  type Span,
  type SpanContext,
  type SpanStatus,
  type TimeInput,
  type Tracer,
} from "@opentelemetry/api";

/** What a span was told. */
export interface RecordedSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly attributes: Attributes;
  readonly events: { name: string; time: TimeInput | undefined; attributes: unknown }[];
  readonly exceptions: Exception[];
  status: SpanStatus | undefined;
  isEnded: boolean;
}

/** A tracer provider that keeps what it is told, as an SDK would, registered with the API until `unregister`. */
export class RecordingProvider {
  readonly spans: RecordedSpan[] = [];
  #count = 0;

  register(): void {
    trace.setGlobalTracerProvider({ getTracer: () => this.#tracer() });
    context.setGlobalContextManager(new StorageContext());
  }

  unregister(): void {
    trace.disable();
    context.disable();
  }

  #tracer(): Tracer {
    const startSpan = (name: string, _options: unknown, parentContext = context.active()): Span => {
      const recorded: RecordedSpan = {
        name,
        spanId: String((this.#count += 1)).padStart(16, "0"),
        parentId: trace.getSpanContext(parentContext)?.spanId,
        attributes: {},
        events: [],
        exceptions: [],
        status: undefined,
        isEnded: false,
      };
      this.spans.push(recorded);
      return spanOf(recorded);
    };
    return {
      startSpan,
      startActiveSpan: () => {
        throw new Error("not used");
      },
    };
  }
}

function spanOf(recorded: RecordedSpan): Span {
  const spanContext: SpanContext = { traceId: "0".repeat(31) + "1", spanId: recorded.spanId, traceFlags: 1 };
  const span: Span = {
    spanContext: () => spanContext,
    setAttribute: (name, value) => {
      recorded.attributes[name] = value;
      return span;
    },
    setAttributes: (attributes) => {
      Object.assign(recorded.attributes, attributes);
      return span;
    },
    addEvent: (name, attributes, time) => {
      recorded.events.push({ name, attributes, time });
      return span;
    },
    addLink: () => span,
    addLinks: () => span,
    setStatus: (status) => {
      recorded.status = status;
      return span;
    },
    updateName: () => span,
    end: () => {
      recorded.isEnded = true;
    },
    isRecording: () => true,
    recordException: (exception) => {
      recorded.exceptions.push(exception);
    },
  };
  return span;
}

/** The active context of an asynchronous flow. */
class StorageContext implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    run: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(active, () => run.call(self, ...args));
  }

  bind<T>(_: Context, target: T): T {
    return target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
}
