import { casesOf } from "../case.js";

export const stateDirectoryCases = casesOf("state", {
  cd: {
    title: "a cd holds for the next command, and result, session and shell agree on where they are",
    rule: "SPEC 2.8",
    async run({ check, session, folder }) {
      const path = await folder();
      const result = await session.execute(`cd ${path}; exit 3`);
      check.exited(result, 3);
      check.equal<string>(result.cwd, path, "cwd of the result");
      check.equal(result.cwdObserved, true, "cwdObserved");
      check.equal<string | null>(session.cwd, path, "cwd of the session");
      check.printed(await session.execute("pwd -P; pwd"), `${path}\n${path}\n`, "the next command");
    },
  },
  "cd-link": {
    title: "a cd through a symlink is remembered, and .. from there is the parent of the link's target",
    rule: "SPEC 2.7",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute(`mkdir -p ${path}/a/b; ln -s a/b ${path}/link; cd ${path}/link`), 0);
      check.printed(await session.execute("pwd -P"), `${path}/a/b\n`, "the next command");
      check.printed(await session.execute("pwd -P", { workdir: ".." }), `${path}/a\n`, "the workdir ..");
      const lookUp = await session.execute("pwd -P", { workdir: `${path}/link/..` });
      check.printed(lookUp, `${path}/a\n`, "the workdir link/..");
    },
  },
  "workdir-once": {
    title: "an explicit workdir is used once and not remembered",
    rule: "SPEC 2.1",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute("cd /"), 0);
      check.printed(await session.execute("pwd -P", { workdir: path }), `${path}\n`, "the call");
      check.equal<string | null>(session.cwd, "/", "cwd of the session");
      check.printed(await session.execute("pwd -P"), "/\n", "the next call");
    },
  },
  "workdir-relative": {
    title: "a relative workdir is below the session's directory",
    rule: "SPEC 2.1",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute(`mkdir -p ${path}/x/y; cd ${path}`), 0);
      for (const workdir of ["x/y", "./x/y", "x//y/", "x/../x/y"]) {
        check.printed(await session.execute("pwd -P", { workdir }), `${path}/x/y\n`, workdir);
      }
    },
  },
  "workdir-home": {
    title: "~ and ~/x are below the home that the sandbox has; ~name is refused",
    rule: "SPEC 2.1",
    async run({ check, session }) {
      const home = await session.home();
      check.that(home.startsWith("/"), `expected an absolute home, got ${home}`);
      check.printed(
        await session.execute("pwd -P", { workdir: "~" }),
        (await session.execute("cd ~ && pwd -P")).output,
      );
      check.exited(
        await session.execute('mkdir -p "$DIR"', { env: { DIR: `${home}/.talaria-conformance` } }),
        0,
      );
      const below = await session.execute("pwd -P; rmdir ../.talaria-conformance", {
        workdir: "~/.talaria-conformance",
      });
      check.exited(below, 0);
      check.that(
        below.output.endsWith("/.talaria-conformance\n"),
        `expected a folder of the home, got ${below.output}`,
      );
      await check.rejects(
        session.execute("true", { workdir: "~root" }),
        ["workdir", "invalid_argument"],
        "~root",
      );
    },
  },
  "workdir-missing": {
    title: "a workdir that is missing or no directory is an error of the call, and nothing runs",
    rule: "SPEC 2.9",
    async run({ check, session, folder, nextCommandWorks }) {
      const path = await folder();
      check.exited(await session.execute(`: >${path}/file; cd ${path}`), 0);
      for (const workdir of [`${path}/missing`, "missing", `${path}/file`, "../no/such/folder"]) {
        const error = await check.rejects(session.execute(`: >${path}/ran`, { workdir }), "workdir", workdir);
        check.includes(error.message, workdir, "text of the error");
      }
      check.exited(await session.execute(`[ -e ${path}/ran ]`), 1, "looking for a trace of the commands");
      check.printed(await session.execute("pwd -P"), `${path}\n`, "the next command");
      await nextCommandWorks();
    },
  },
  removed: {
    title: "a remembered directory that was removed gives way to its nearest ancestor, with a note",
    rule: "SPEC 2.9",
    async run({ check, session, observer, folder }) {
      const path = await folder();
      check.exited(await session.execute(`mkdir -p ${path}/a/b/c; cd ${path}/a/b/c`), 0);
      check.exited(await observer.execute(`rm -rf ${path}/a/b`), 0);
      const result = await session.execute("pwd -P; exit 4");
      check.exited(result, 4);
      check.equal(result.output, `${path}/a\n`, "output");
      check.includes(result.notes.join("\n"), `${path}/a/b/c`, "notes of the result");
      const next = await session.execute("pwd -P");
      check.printed(next, `${path}/a\n`, "the next command");
      check.equal(next.notes, [], "notes of the next result");
    },
  },
  "removed-by-itself": {
    title: "a command that removes the directory it stands in hurts nothing",
    rule: "SPEC 2.9",
    async run({ check, session, folder, nextCommandWorks }) {
      const path = await folder();
      check.exited(
        await session.execute(`mkdir ${path}/gone; cd ${path}/gone; rm -rf ${path}/gone; exit 2`),
        2,
      );
      check.printed(await session.execute("pwd -P"), `${path}\n`, "the next command");
      await nextCommandWorks();
    },
  },
  "after-signal": {
    title:
      "after a death by a signal the directory is the one before the command, and said not to be observed",
    rule: "SPEC 2.8",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute(`cd ${path}`), 0);
      const result = await session.execute("cd /; sh -c 'kill -KILL $PPID'; sleep 5");
      check.equal<unknown>([result.cwd, result.cwdObserved], [path, false], "cwd, observed");
      check.printed(await session.execute("pwd -P"), `${path}\n`, "the next command");
    },
  },
  "after-timeout": {
    title: "after a timeout the directory is the one before the command, and nothing that it changed stays",
    rule: "SPEC 2.8",
    needs: ["kill"],
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute(`cd ${path}; export KEPT=1`), 0);
      const result = await session.execute("cd /; export LOST=1; sleep 30", { timeoutMs: 400 });
      check.timedOut(result);
      check.equal<unknown>([result.cwd, result.cwdObserved], [path, false], "cwd, observed");
      check.equal<string | null>(session.cwd, path, "cwd of the session");
      const next = 'echo "$(pwd -P) [$LOST]"';
      check.printed(await session.execute(next), `${path} []\n`, "the next command");
    },
  },
  "after-exec": {
    title: "after exec of a program the directory is the one before the command, and said not to be observed",
    rule: "SPEC 2.8",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute(`cd ${path}`), 0);
      const result = await session.execute("cd /; exec sh -c 'exit 3'");
      check.exited(result, 3);
      check.equal<unknown>([result.cwd, result.cwdObserved], [path, false], "cwd, observed");
      check.printed(await session.execute("pwd -P"), `${path}\n`, "the next command");
    },
  },
  "after-exit-trap": {
    title: "after a command's own trap on EXIT the directory is known or said not to be, and never lost",
    rule: "SPEC 2.8",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute(`cd ${path}`), 0);
      const result = await session.execute("trap 'echo bye' EXIT; cd /; exit 3");
      check.exited(result, 3);
      check.equal<string>(result.cwd, result.cwdObserved ? "/" : path, "cwd of the result");
      check.printed(await session.execute("pwd -P"), `${result.cwd}\n`, "the next command");
    },
  },
});
