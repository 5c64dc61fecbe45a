import { casesOf } from "../case.js";
import { refusedFor } from "../file-refusal.js";
import { hardNames } from "../hard-names.js";
import { putText, textOf } from "../sandbox-text.js";

export const filesPathsCases = casesOf("files", {
  "path-relative": {
    title: "a relative path begins where the session stands, and .. leads to the physical parent",
    rule: "SPEC 5.2",
    async run({ check, openSession, folder }) {
      const path = await folder();
      const session = await openSession({ cwd: path });
      check.exited(
        await session.execute("mkdir -p real/deep; echo real >real/f; echo here >f; ln -s real/deep link"),
        0,
      );
      check.equal((await session.files.read("f")).text, "here\n", "where it was opened");
      check.exited(await session.execute("cd link"), 0);
      check.equal((await session.files.read("../f")).text, "real\n", "the physical parent");
      check.equal(
        (await session.files.write("new", "x")).path,
        `${path}/real/deep/new`,
        "where it was written",
      );
      check.equal((await session.files.read(`${path}/link/../f`)).text, "real\n", "by an absolute path");
    },
  },
  "path-home": {
    title: "a tilde is the sandbox's home, and that of another account is refused",
    rule: "SPEC 5.2",
    async run({ check, session }) {
      const { path } = await session.files.stat("~");
      const home = await session.execute("cd ~ && pwd -P");
      check.equal(`${path}\n`, home.output, "home");
      await check.rejects(session.files.read("~root/file"), "invalid_argument", "~root");
      await check.rejects(session.files.read(""), "invalid_argument", "an empty path");
      await check.rejects(session.files.read("a\0b"), "invalid_argument", "a NUL");
    },
  },
  "path-hard-names": {
    title: "names with spaces, quotes, newlines and a leading dash are written, read, listed and removed",
    rule: "SPEC 5.3",
    async run({ check, openSession, folder }) {
      const path = await folder();
      const session = await openSession({ cwd: path });
      for (const name of hardNames) {
        await session.files.write(`./${name}`, name);
        check.equal(await textOf(session, `${path}/${name}`), name, `content of ${JSON.stringify(name)}`);
        check.equal((await session.files.read(`${path}/${name}`)).text, name, JSON.stringify(name));
      }
      const { entries } = await session.files.list();
      check.equal(entries.map(({ name }) => name).toSorted(), hardNames.toSorted(), "names");
      for (const name of hardNames) await session.files.remove(`${path}/${name}`);
      check.equal((await session.files.list()).total, 0, "entries");
    },
  },
  "path-bytes": {
    title: "a name that is no UTF-8 is listed, and by what was listed it is read, renamed and removed",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = await folder();
      const name = "caf\uDCE9-\uDCFF";
      await session.files.write(`${path}/${name}`, "text");
      check.printed(
        await session.execute("ls | od -An -tx1 | tr -d ' \\n'", { workdir: path }),
        "636166e92dff0a",
        "bytes of the name",
      );
      const { entries } = await session.files.list(path);
      check.equal(entries[0]?.name, name, "name");
      check.equal((await session.files.read(`${path}/${name}`)).text, "text", "text");
      await session.files.rename(`${path}/${name}`, `${path}/\uDC80`);
      await session.files.remove(`${path}/\uDC80`);
      check.equal((await session.files.list(path)).total, 0, "entries");
    },
  },
  "path-refused": {
    title: "devices, pipes and what shows a process are not read, by whatever way they are named",
    rule: "SPEC 5.2",
    async run({ check, session, folder }) {
      const path = await folder();
      const make =
        "mkfifo pipe; ln -s /dev/zero one; ln -s one two; ln -s two three; ln -s /proc/self process";
      check.exited(await session.execute(make, { workdir: path }), 0);
      await refusedFor(check, session.files.read(`${path}/pipe`), "not_regular", "a pipe");
      for (const asked of ["/dev/zero", "//dev//zero", "/../dev/./zero", `${path}/three`]) {
        await refusedFor(check, session.files.read(asked), "refused", asked);
      }
      const environ = await session.execute("test -e /proc/self/environ");
      if (environ.exitCode !== 0) return;
      for (const asked of [
        "/proc/self/environ",
        "//proc//self/environ",
        `${path}/process/environ`,
        "/proc/1/mem",
      ]) {
        await refusedFor(check, session.files.read(asked), "refused", asked);
      }
    },
  },
  "path-proc": {
    title: "a file of /proc that says it is empty is read to its end",
    rule: "SPEC 5.3",
    async run({ check, session }) {
      const shown = await session.execute("cat /proc/version");
      // Without /proc there is nothing of the kind: the name is missing then, which is told as such.
      if (shown.exitCode !== 0)
        await refusedFor(check, session.files.read("/proc/version"), "not_found", "/proc");
      else check.equal((await session.files.read("/proc/version")).text, shown.output, "text");
    },
  },
  "path-link-loop": {
    title: "links that lead in a circle are told as such",
    rule: "SPEC 5.2",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute("ln -s a b; ln -s b a", { workdir: path }), 0);
      await refusedFor(check, session.files.read(`${path}/a`), "invalid", "reading it");
      await refusedFor(check, session.files.write(`${path}/a`, "x"), "invalid", "writing to it");
    },
  },
  "path-roots": {
    title: "with roots a write stays inside them, through links and .. as well",
    rule: "SPEC 5.2",
    async run({ check, openSession, folder }) {
      const path = await folder();
      const session = await openSession({ cwd: path, files: { roots: [`${path}/in`] } });
      check.exited(await session.execute("mkdir in out; ln -s ../out in/way; ln -s ../out/f in/last"), 0);
      check.equal((await session.files.write("in/f", "x")).created, true, "inside");
      for (const asked of ["out/f", "in/way/f", "in/last", "in/../out/f", `${path}/in/way/new/f`]) {
        await refusedFor(check, session.files.write(asked, "x"), "refused", asked);
      }
      check.equal((await session.files.list("out")).total, 0, "entries outside");
    },
  },
  "path-swapped": {
    title: "with roots no write gets out while a directory on its way is swapped for a link",
    rule: "SPEC 5.2",
    async run({ check, openSession, observer, folder }) {
      const path = await folder();
      const session = await openSession({ cwd: path, files: { roots: [`${path}/in`] } });
      check.exited(await session.execute("mkdir -p in/d out; ln -s ../out in/link"), 0);
      const swapper = observer.execute(
        "n=0; while [ ! -e end ] && [ $n -lt 5000 ]; do n=$((n + 1)); mv in/d in/was && mv in/link in/d; mv in/d in/link && mv in/was in/d; done; :",
        { workdir: path },
      );
      for (let turn = 0; turn < 40; turn += 1) {
        // Whether this one was refused depends on the moment; where it went must not.
        await session.files.write(`in/d/f${turn}`, "x", { createParents: false }).catch(() => undefined);
      }
      await putText(session, `${path}/end`, "");
      check.exited(await swapper, 0, "who swaps");
      check.equal((await session.files.list("out")).total, 0, "entries outside");
    },
  },
});
