import { casesOf } from "../case.js";

export const environmentDescriptionCases = casesOf("environment", {
  "description-directory": {
    title: "the description names the directory a command really runs in, after a cd too",
    rule: "SPEC 1, isRemote; DESIGN, decision 7",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute(`cd ${path}`), 0);
      const physical = (await session.execute("pwd -P")).output.trim();
      const { text } = await session.describe();
      check.that(text.includes(`Directory: ${physical}.`), `the description names ${physical}: ${text}`);
    },
  },
  "description-account": {
    title: "the description names the account that commands run as, and whether it is root",
    rule: "SPEC 1, isRemote",
    async run({ check, session }) {
      const uid = (await session.execute("id -u")).output.trim();
      const name = (await session.execute("id -un 2>/dev/null || id -u")).output.trim();
      const { text, facts } = await session.describe();
      check.equal(String(facts?.uid), uid, "the number of the account");
      const isRoot = uid === "0" ? "root" : "not root";
      check.that(text.includes(`${name} (${isRoot})`), `the description names ${name} (${isRoot}): ${text}`);
    },
  },
  "description-shell": {
    title: "the description names the shell that commands run in",
    rule: "SPEC 1, isRemote",
    async run({ check, session }) {
      const version = (await session.execute('echo "${BASH_VERSION%%(*}"')).output.trim();
      const { text } = await session.describe();
      const shell = version === "" ? "Shell: sh." : `Shell: bash ${version}.`;
      check.that(text.includes(shell), `the description says "${shell}": ${text}`);
    },
  },
  "description-programs": {
    title: "what the description calls not installed is not there",
    rule: "SPEC 1, isRemote",
    async run({ check, session }) {
      check.exited(await session.execute("true"), 0);
      const { facts } = await session.describe();
      check.that(facts !== null, "a sandbox that has run a command is asked");
      for (const program of facts?.missingPrograms ?? []) {
        const found = await session.execute(`command -v ${program}`);
        check.that(found.exitCode !== 0, `${program} is not there: ${found.output}`);
      }
    },
  },
  "description-leaves-no-trace": {
    title: "describing changes nothing of the session, and hides nothing that the next command finds",
    rule: "SPEC 1; DESIGN, decision 7",
    async run({ check, session, folder, nextCommandWorks }) {
      const path = await folder();
      check.exited(await session.execute(`cd ${path}; d=mine; export o=mine`), 0);
      await session.describe();
      check.printed(await session.execute('echo "$o"; pwd -P; ls -A'), `mine\n${session.cwd ?? ""}\n`);
      await nextCommandWorks();
    },
  },
  "description-short": {
    title: "the description is short, has no empty line, and says what happens to dangerous commands",
    rule: "SPEC 1, envDescription",
    async run({ check, session }) {
      check.exited(await session.execute("true"), 0);
      const { text } = await session.describe();
      check.that(text.length <= 1500, `${text.length} characters`);
      check.that(!/^\s*$/m.test(text), `no empty line: ${text}`);
      check.that(/^Dangerous commands /m.test(text), `a line about dangerous commands: ${text}`);
    },
  },
});
