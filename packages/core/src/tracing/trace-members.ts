import type { CallTracer, TraceAttributes } from "./call-tracer.js";

export interface TraceMembersOptions<T> {
  readonly tracer: CallTracer;
  /** Of every span. */
  readonly attributes: TraceAttributes;
  /** Those that do not give a promise: an iterable lives on after its call. */
  readonly except: readonly (keyof T)[];
  /** Takes secrets out of what a method rejects with, and returns it. */
  readonly redactError: (error: unknown) => unknown;
}

/** The same object, with a span named `<prefix>.<member>` around each call of a method, and no secret in what it throws. */
export function traceMembers<T extends object>(
  target: T,
  prefix: string,
  { tracer, attributes, except, redactError }: TraceMembersOptions<T>,
): T {
  return new Proxy(target, {
    get(_, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== "function" || typeof member === "symbol") return value;
      // Private members are found on the object itself, not on what stands before it.
      const method = (...args: unknown[]): unknown => Reflect.apply(value, target, args) as unknown;
      if (member === "constructor" || except.includes(member as keyof T)) return method;
      return (...args: unknown[]) =>
        tracer.traceCall(`${prefix}.${member}`, attributes, async () => {
          try {
            return await method(...args);
          } catch (error) {
            throw redactError(error);
          }
        });
    },
  });
}
