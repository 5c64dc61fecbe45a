import { casesOf } from "../case.js";
import type { CaseContext } from "../case-context.js";
import { hardNames } from "../hard-names.js";

/** Watches a folder until the work is done. Each event is one text. */
async function watching(
  { session, folder, until, waitFor }: CaseContext,
  work: (place: {
    readonly inside: string;
    readonly seen: readonly string[];
    readonly told: (text: string) => Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  const inside = await folder();
  const end = new AbortController();
  const seen: string[] = [];
  const watch = (async () => {
    for await (const event of session.files.watch(inside, { signal: end.signal, pollMs: 50 })) {
      const from = event.kind === "renamed" ? `${event.from} > ` : "";
      seen.push("path" in event ? `${event.kind} ${from}${event.path}` : event.kind);
    }
  })();
  // Whoever waits below learns of it by what is not seen.
  watch.catch((error: unknown) => seen.push(String(error)));
  try {
    const told = (text: string) => until(`"${text}" is told`, () => seen.includes(text));
    await told("ready");
    await work({ inside, seen, told });
  } finally {
    end.abort();
    await waitFor("the end of the watch", watch);
  }
}

export const filesWatchCases = casesOf("files", {
  "watch-events": {
    title: "a watch is ready first, then tells what is created, changed, renamed and removed",
    rule: "SPEC 5.1",
    run: (context) =>
      watching(context, async ({ inside, seen, told }) => {
        const { check, session } = context;
        // Empty: between the making of a file and its first bytes a look could come, and tell a change of its own.
        await session.execute(": >a", { workdir: inside });
        await told("created a");
        await session.execute("echo three >>a", { workdir: inside });
        await told("changed a");
        await session.execute("mv a b", { workdir: inside });
        await told("renamed a > b");
        await session.execute("rm b", { workdir: inside });
        await told("removed b");
        check.equal(seen[0], "ready", "the first event");
      }),
  },
  "watch-below": {
    title: "a watch tells what happens in a directory that was made after it began",
    rule: "SPEC 5.1",
    run: (context) =>
      watching(context, async ({ inside, seen, told }) => {
        await context.session.execute("mkdir -p d/e", { workdir: inside });
        await told("created d/e");
        await context.session.execute("echo x >d/e/f", { workdir: inside });
        await told("created d/e/f");
        context.check.equal(seen.includes("created d"), true, "the directory itself is told");
      }),
  },
  "watch-names": {
    title: "a watch tells every name as it is",
    rule: "SPEC 5.1",
    run: (context) =>
      watching(context, async ({ inside, seen }) => {
        for (const name of hardNames) {
          await context.session.execute(': >"$N"', { workdir: inside, env: { N: `./${name}` } });
        }
        const all = () => hardNames.every((name) => seen.includes(`created ${name}`));
        await context.until("all names are told", all);
        context.check.equal(all(), true, "names");
      }),
  },
  "watch-end": {
    title: "a watch ends with its signal and leaves no process",
    rule: "SPEC 5.1",
    async run(context) {
      const { check, observer } = context;
      let place = "";
      const count = async () => {
        const ps = `ps -A -o args 2>/dev/null || ps -o args`;
        const { output } = await observer.execute(`{ ${ps}; } | grep -c -- "$W" || :`, {
          // The pattern does not fit the `grep` that it is an argument of.
          env: { W: `[t]alaria-watch ${place}` },
        });
        return Number(output.trim());
      };
      await context.needsProgram("ps");
      await watching(context, async ({ inside }) => {
        place = inside.slice(inside.lastIndexOf("/") + 1);
        await context.until("its process is seen", async () => (await count()) > 0);
      });
      await context.until("its process is gone", async () => (await count()) === 0);
      check.equal(await count(), 0, "processes of the watch");
    },
  },
});
