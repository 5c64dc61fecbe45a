import { casesOf } from "../case.js";
import { readAll, readUntil } from "../read-all.js";

const size = { columns: 101, rows: 33 };

export const environmentTerminalCases = casesOf("environment", {
  terminal: {
    title: "a program given a terminal has one on all its streams, of the size asked for",
    rule: "DESIGN, the one primitive",
    needs: ["spawn", "tty"],
    async run({ check, session, waitFor }) {
      const program = await session.spawn(
        ["sh", "-c", "[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && stty size; exit 3"],
        {
          tty: size,
        },
      );
      const output = (await waitFor("the program's output", readAll(program.stdout))).toString();
      check.equal(output.replaceAll("\r\n", "\n"), "33 101\n", "output");
      check.equal(await waitFor("its exit", program.exit), { kind: "exited", code: 3 }, "exit");
      check.equal((await waitFor("its stderr", readAll(program.stderr))).length, 0, "bytes on stderr");
    },
  },
  "terminal-name": {
    title: "TERM names the terminal: xterm-256color, or what was asked for",
    rule: "SPEC 3.12",
    needs: ["spawn", "tty"],
    async run({ check, session, waitFor }) {
      for (const [term, expected] of [
        [undefined, "xterm-256color"],
        ["vt100", "vt100"],
      ] as const) {
        const tty = term === undefined ? size : { ...size, term };
        const program = await session.spawn(["sh", "-c", "echo $TERM"], { tty });
        const output = (await waitFor("the program's output", readAll(program.stdout))).toString();
        check.equal(output.trim(), expected, "TERM");
      }
    },
  },
  "terminal-resize": {
    title: "a resize reaches the program as a signal and a new size",
    rule: "DESIGN, the one primitive",
    needs: ["spawn", "tty"],
    async run({ check, session, waitFor }) {
      const script = "trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.1; done";
      const program = await session.spawn(["sh", "-c", script], { tty: size });
      await waitFor("the program to be ready", readUntil(program.stdout, "ready"));
      check.present(program.resize, "resize of a process with a terminal");
      program.resize?.({ columns: 77, rows: 22 });
      const output = (await waitFor("the program's answer", readAll(program.stdout))).toString();
      check.includes(output, "22 77", "output after the resize");
      check.equal(await waitFor("its exit", program.exit), { kind: "exited", code: 0 }, "exit");
    },
  },
  "terminal-interrupt": {
    title: "the interrupt character typed into a terminal interrupts the program in it",
    rule: "DESIGN, the one primitive",
    needs: ["spawn", "tty"],
    async run({ check, session, waitFor, mark, processes, until }) {
      const one = mark();
      const program = await session.spawn(["sh", "-c", `echo ready; sleep ${one}; echo not reached`], {
        tty: size,
      });
      await waitFor("the program to be ready", readUntil(program.stdout, "ready"));
      await until("the sleep to have begun", () => processes.isAlive(one));
      const rest = readAll(program.stdout);
      program.stdin.write("\u0003");
      const exit = await waitFor("its exit", program.exit);
      check.that(
        (exit.kind === "signaled" && exit.signal === "SIGINT") ||
          (exit.kind === "exited" && exit.code === 130),
        `expected an end by SIGINT, got ${JSON.stringify(exit)}`,
      );
      check.excludes((await waitFor("the rest of its output", rest)).toString(), "not reached", "output");
    },
  },
  "terminal-raw": {
    title: "a terminal in raw mode passes all 256 values of a byte both ways",
    rule: "field 7.6, output",
    needs: ["spawn", "tty"],
    async run({ check, session, waitFor }) {
      const all = Buffer.from(Uint8Array.from({ length: 2_048 }, (_, index) => index % 256));
      const script = `stty raw -echo; echo ready; head -c ${all.length}; exit 3`;
      const program = await session.spawn(["sh", "-c", script], { tty: size });
      await waitFor("the program to be ready", readUntil(program.stdout, "ready\n"));
      const rest = readAll(program.stdout);
      program.stdin.write(all);
      check.bytes(await waitFor("the program's output", rest), all, "bytes that came back");
      check.equal(await waitFor("its exit", program.exit), { kind: "exited", code: 3 }, "exit");
    },
  },
  "terminal-output-at-exit": {
    title: "nothing is lost of what a program in a terminal writes in the moment it ends",
    rule: "field 6 D 91",
    needs: ["spawn", "tty"],
    async run({ check, session, waitFor }) {
      for (let round = 0; round < 5; round += 1) {
        const script = "head -c 100000 /dev/zero | tr '\\0' x; printf end";
        const program = await session.spawn(["sh", "-c", script], { tty: size });
        const output = (await waitFor("the program's output", readAll(program.stdout))).toString();
        check.equal(output.length, 100_003, "bytes of output");
        check.that(output.endsWith("xend"), "expected the last word of the program");
        check.equal(await waitFor("its exit", program.exit), { kind: "exited", code: 0 }, "exit");
      }
    },
  },
  "terminal-session": {
    title: "a terminal opened in a session stands in its directory and has its variables",
    rule: "SPEC 2.7, field 6 E 131",
    needs: ["spawn", "tty", "state"],
    async run({ check, session, folder, waitFor }) {
      const path = await folder();
      check.exited(await session.execute(`cd ${path}; export HERE='a b'`), 0);
      const program = await session.spawn(["sh", "-c", 'pwd; echo "$HERE"'], { tty: size });
      const output = (await waitFor("the program's output", readAll(program.stdout))).toString();
      check.equal(output.replaceAll("\r\n", "\n"), `${path}\na b\n`, "output");
    },
  },
});
