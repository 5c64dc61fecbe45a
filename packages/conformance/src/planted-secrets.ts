import { randomBytes } from "node:crypto";

/** A secret that occurs nowhere else, of the letters that secrets have. */
export function freshSecret(): string {
  return `Cf-${randomBytes(15).toString("base64url")}_x9`;
}

/** Puts variables into this process's environment for as long as the work takes. */
export async function withHostVariables<T>(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Every window of a text: none of them may be seen where the text is a secret. */
export function windowsOf(text: string, length = 10): readonly string[] {
  return Array.from({ length: text.length - length + 1 }, (_, at) => text.slice(at, at + length));
}
