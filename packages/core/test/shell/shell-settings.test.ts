import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostRunner, seen, temporaryFolder } from "../support/host-shell.js";

describe("settings of a command", () => {
  it.each([
    "set -o posix",
    "set -e",
    "set -u",
    "set -n",
    "set -x",
    "set -v",
    "set -eux -o pipefail",
    "set -f",
    "set -a",
    "set -b",
    "set -h; set +h",
    "set -k",
    "set -t",
    "set -p",
    "set -C",
    "set -E",
    "set -T",
    "set -P",
    "set -H",
    "set -m",
    "set +B",
    "set -o emacs",
    "set -o vi",
    "set -o ignoreeof",
    "set -o nolog",
    "set -- a b c",
    "shopt -s extdebug",
    "shopt -s failglob",
    "shopt -s nullglob",
    "shopt -s dotglob globstar nocaseglob nocasematch",
    "shopt -s extglob",
    "shopt -s compat42",
    "shopt -s compat31",
    "shopt -s xpg_echo",
    "shopt -s lastpipe",
    "shopt -s inherit_errexit",
    "shopt -s localvar_inherit localvar_unset",
    "shopt -s expand_aliases sourcepath autocd cdspell execfail",
    "shopt -u interactive_comments",
    "shopt -u patsub_replacement 2>/dev/null",
    "BASH_COMPAT=3.2",
    "export BASH_COMPAT=4.0",
    "export POSIXLY_CORRECT=1",
    "POSIXLY_CORRECT=",
    "export IFS=,",
    "IFS=",
    "IFS=$' _0123456789tlx'",
    "export IFS=$'0x \\n'",
    "unset IFS",
    "export TMOUT=1",
    "readonly TMOUT=1",
    "export LC_ALL=POSIX",
    "export LC_ALL=nope_NOPE.UTF-8 2>/dev/null",
    "export LC_CTYPE=C LANG=C",
    "unset LANG LC_ALL LC_CTYPE",
    "export GLOBIGNORE='*'",
    "export EXECIGNORE='*'",
    "export FIGNORE=x HISTFILE=/dev/full PROMPT_COMMAND='echo hurt' PS4='$(echo hurt)' PS1='$(echo hurt)'",
    "export BASH_XTRACEFD=2; set -x",
    "export SHELLOPTS",
    "export BASHOPTS",
    "export OLDPWD=/nope",
    "export PWD=/nope",
    "unset PWD",
    "unset OLDPWD",
    "export HOME=/nope",
    "unset HOME",
    "export CDPATH=/usr:/",
    "export SHLVL=999",
    "unset SHLVL",
    "SECONDS=1000000",
    "RANDOM=1",
    "readonly PWD OLDPWD",
    "readonly SECONDS OPTIND",
    "declare -i SECONDS",
    "readonly POSIXLY_CORRECT=1",
    "readonly IFS",
    "readonly LC_ALL=C LANG LC_CTYPE",
    "unset BASH_VERSION BASHPID UID 2>/dev/null",
    "unset PATH; PATH=/usr/bin:/bin",
    "hash -p /nope/echo /bin/echo",
    "trap 'echo hurt >&2' DEBUG",
    "trap 'echo hurt >&2' ERR",
    "trap 'echo hurt >&2' RETURN",
    "trap '' TERM INT HUP PIPE CHLD",
    "trap 'exit 7' CHLD",
    "trap '' EXIT",
    "trap 'false' DEBUG; shopt -s extdebug",
    "ulimit -f 0",
    "ulimit -c 0",
    "ulimit -n 8",
    "ulimit -n 195",
    "ulimit -t 1",
    "ulimit -s 128",
    "ulimit -u 1",
    "ulimit -v 200000",
    "umask 777",
    "umask -S u=rwx",
    "disown -a",
    "suspend 2>/dev/null",
    "complete -F nope x",
    "history -c; set -o history",
  ])("%s does not hurt the next one", async (setting) => {
    const runner = hostRunner();
    await runner.run("export KEPT=kept");
    const { outcome } = await runner.run(`${setting}\n:`);
    expect(outcome.kind).toBe("exited");
    const { stdout, outcome: next } = await runner.run('builtin echo "ok $KEPT"', { timeoutMs: 5_000 });
    expect(stdout).toBe("ok kept\n");
    expect(next).toEqual({ kind: "exited", code: 0 });
    expect(seen(await runner.run("exit 5"))[2]).toBe("exited 5");
  });
});

describe("settings that stay or go", () => {
  it("keeps what SPEC 3.11 names and drops the rest", async () => {
    const runner = hostRunner();
    await runner.run(
      "set -euf -o pipefail; shopt -s nullglob; umask 027; alias ll='ls -l'; plain=1; export E=1; readonly R=1; " +
        "f() { echo f; }; trap 'echo t' USR1; set -- a b; ulimit -n 64; exec 7</dev/null; IFS=,",
    );
    const { stdout } = await runner.run(
      'echo "$-"; shopt -po pipefail; shopt -p nullglob; umask; alias ll; echo "[$plain][$E][${R-}]"; f; ' +
        'trap -p USR1; echo "$#"; [ "$(ulimit -n)" != 64 ] && echo free; [ -e /dev/fd/7 ] || echo closed; printf "%q\\n" "$IFS"',
    );
    expect(stdout).toBe(
      "fhBc\nset -o pipefail\nshopt -s nullglob\n0027\nalias ll='ls -l'\n[][1][]\nf\n0\nfree\nclosed\n$' \\t\\n'\n",
    );
  });

  it("keeps exported variables that steer a shell", async () => {
    const runner = hostRunner();
    await runner.run(
      "export POSIXLY_CORRECT=yes IFS=: TMOUT=5 BASH_COMPAT=4.0 LC_ALL=C CDPATH=/usr GLOBIGNORE=x",
    );
    const { stdout } = await runner.run(
      'echo "$POSIXLY_CORRECT|$TMOUT|$BASH_COMPAT|$LC_ALL|$CDPATH|$GLOBIGNORE"; env | grep -c ^IFS',
    );
    expect(stdout).toBe("yes|5|4.0|C|/usr|x\n1\n");
    expect(await runner.hurt()).toBeUndefined();
    await runner.run("unset POSIXLY_CORRECT IFS TMOUT BASH_COMPAT LC_ALL CDPATH GLOBIGNORE");
    expect((await runner.run('echo "${POSIXLY_CORRECT-none}${TMOUT-none}"')).stdout).toBe("nonenone\n");
  });

  it("does not read BASH_ENV for a command, and passes it on", async () => {
    const file = join(await temporaryFolder(), "env.sh");
    await writeFile(file, "echo hurt\n");
    const runner = hostRunner();
    await runner.run(`export BASH_ENV=${file} ENV=${file}`);
    expect(await runner.hurt()).toBeUndefined();
    expect((await runner.run("bash -c :")).stdout).toBe("hurt\n");
  });

  it("starts under variables that would steer its own shells", async () => {
    const file = join(await temporaryFolder(), "env.sh");
    await writeFile(file, "echo noise; alias builtin=nope; set -u\n");
    const runner = hostRunner({
      POSIXLY_CORRECT: "1",
      IFS: "x",
      CDPATH: "/usr:/",
      TMOUT: "1",
      KEPT: "kept",
      PS4: "$(x)",
    });
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
    const steered = hostRunner({
      BASH_ENV: file,
      SHELLOPTS: "braceexpand:hashall:nounset:errexit",
      KEPT: "kept",
    });
    expect(await steered.hurt(" $KEPT")).toBeUndefined();
  });

  it("waits for the next command longer than a TMOUT of its sandbox says", async () => {
    const runner = hostRunner({ TMOUT: "1" });
    const script = 'echo "$TMOUT $TALARIA_CHANNEL"';
    const first = await runner.run(script);
    expect(first.stdout).toMatch(/^1 \w+\n$/);
    // Only time that passes shows that nobody is counting it.
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect((await runner.run(script)).stdout).toBe(first.stdout);
  });
});
