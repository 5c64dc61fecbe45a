import { describeValue } from "./describe-value.js";
import type { ConfigField, ConfigFieldType, ConfigSchema } from "./config-schema.js";
import { isEnvironmentName } from "./environment-name.js";

const fieldTypes: readonly ConfigFieldType[] = [
  "boolean",
  "list",
  "number",
  "secret",
  "select",
  "string",
  "text",
];

/** Names that reach an object's prototype when a key is assigned carelessly. Never a key, in any source. */
export const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** One segment of a configuration key. */
export function isKeySegment(segment: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(segment) && !forbiddenKeys.has(segment);
}

/** Says what is wrong with a declared schema; thrown by `copyConfigSchema`. */
export class SchemaProblem extends Error {}

/**
 * Copies a declared schema into frozen plain data. Only the known members of a field are kept, so getters, functions
 * and extra members of the original cannot matter later. Throws SchemaProblem.
 */
export function copyConfigSchema(declared: unknown): ConfigSchema {
  if (typeof declared !== "object" || declared === null || Array.isArray(declared)) {
    throw new SchemaProblem(`must be an object of fields, but is ${describeValue(declared)}`);
  }
  const fields: Record<string, ConfigField> = {};
  for (const key of Reflect.ownKeys(declared)) {
    if (typeof key !== "string" || !isKeySegment(key)) {
      throw new SchemaProblem(
        `has a field named "${String(key)}"; names are letters, digits, "_" and "-", and never ${[...forbiddenKeys].join(", ")}`,
      );
    }
    fields[key] = copyField(key, Reflect.get(declared, key));
  }
  return Object.freeze(fields);
}

function copyField(key: string, declared: unknown): ConfigField {
  if (typeof declared !== "object" || declared === null) {
    throw new SchemaProblem(`field "${key}" must be an object, but is ${describeValue(declared)}`);
  }
  const member = (name: string): unknown => Reflect.get(declared, name);
  const type = fieldTypes.find((known) => known === member("type"));
  if (type === undefined) {
    throw new SchemaProblem(
      `field "${key}" has type ${describeValue(member("type"))}; known types are ${fieldTypes.join(", ")}`,
    );
  }
  if (type === "secret") {
    const leak = ["default", "example", "examples", "options", "const", "value"].find(
      (name) => member(name) !== undefined,
    );
    if (leak !== undefined)
      throw new SchemaProblem(`field "${key}" is a secret and must not carry "${leak}"`);
  }
  const options = copyOptions(key, type, member("options"));
  const field: ConfigField = {
    type,
    description: text(key, "description", member("description")) ?? "",
    example: text(key, "example", member("example")),
    options,
    minimum: bound(key, type, "minimum", member("minimum")),
    maximum: bound(key, type, "maximum", member("maximum")),
    environmentVariable: variable(key, member("environmentVariable")),
    required: flag(key, "required", member("required")),
  };
  if (field.minimum !== undefined && field.maximum !== undefined && field.minimum > field.maximum) {
    throw new SchemaProblem(`field "${key}" has a minimum above its maximum`);
  }
  return Object.freeze({ ...field, default: copyDefault(key, field, member("default")) });
}

function copyOptions(key: string, type: ConfigFieldType, value: unknown): readonly string[] | undefined {
  if (type !== "select") {
    if (value === undefined) return undefined;
    throw new SchemaProblem(`field "${key}" carries options, which only a select has`);
  }
  const options: unknown[] = Array.isArray(value) ? Array.from(value) : [];
  const texts = options.filter((option): option is string => typeof option === "string" && option !== "");
  if (texts.length === 0 || texts.length !== options.length || new Set(texts).size !== texts.length) {
    throw new SchemaProblem(`field "${key}" is a select and needs options: a list of different texts`);
  }
  return Object.freeze(texts);
}

function copyDefault(key: string, field: ConfigField, value: unknown): ConfigField["default"] {
  if (value === undefined) return undefined;
  const wrong = (expected: string): never => {
    throw new SchemaProblem(`field "${key}" has the default ${describeValue(value)}, expected ${expected}`);
  };
  switch (field.type) {
    case "boolean":
      return typeof value === "boolean" ? value : wrong("true or false");
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return wrong("a finite number");
      if (value < (field.minimum ?? -Infinity) || value > (field.maximum ?? Infinity)) {
        return wrong("a number within its bounds");
      }
      return value;
    case "list":
      return Array.isArray(value) && value.every((item): item is string => typeof item === "string")
        ? Object.freeze([...value])
        : wrong("a list of texts");
    case "select":
      return typeof value === "string" && field.options?.includes(value) === true
        ? value
        : wrong("one of its options");
    case "string":
    case "text":
      return typeof value === "string" ? value : wrong("a text");
    case "secret":
      return wrong("none");
  }
}

function text(key: string, member: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new SchemaProblem(`field "${key}" has a ${member} that is ${describeValue(value)}, expected a text`);
}

function flag(key: string, member: string, value: unknown): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  throw new SchemaProblem(`field "${key}" has "${member}" ${describeValue(value)}, expected true or false`);
}

function bound(key: string, type: ConfigFieldType, member: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (type !== "number") throw new SchemaProblem(`field "${key}" has a ${member}, which only a number has`);
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new SchemaProblem(
    `field "${key}" has the ${member} ${describeValue(value)}, expected a finite number`,
  );
}

function variable(key: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && isEnvironmentName(value)) return value;
  throw new SchemaProblem(
    `field "${key}" has the environmentVariable ${describeValue(value)}, expected a variable's name`,
  );
}
