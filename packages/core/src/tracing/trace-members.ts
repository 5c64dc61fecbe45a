import type { CallTracer } from "./call-tracer.js";

/**
 * The same object, with a span named `<prefix>.<member>` around each call of a method. `except` names those that do not
 * give a promise: an iterable lives on after its call.
 */
export function traceMembers<T extends object>(
  target: T,
  prefix: string,
  { tracer, except }: { readonly tracer: CallTracer; readonly except: readonly (keyof T)[] },
): T {
  return new Proxy(target, {
    get(_, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== "function" || typeof member === "symbol") return value;
      // Private members are found on the object itself, not on what stands before it.
      const method = (...args: unknown[]): unknown => Reflect.apply(value, target, args) as unknown;
      if (member === "constructor" || except.includes(member as keyof T)) return method;
      return (...args: unknown[]) => tracer.traceCall(`${prefix}.${member}`, {}, async () => method(...args));
    },
  });
}
