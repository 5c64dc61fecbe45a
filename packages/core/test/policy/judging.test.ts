import { describe, expect, it } from "vitest";
import { testPolicy } from "./test-policy.js";

const policy = await testPolicy();

describe("what a text would execute", () => {
  it.each([
    ["sudo -u root env A=1 timeout 5 rm -r x", ["rm -r x"]],
    ["sh -c 'cd a && git pull'", ["cd a", "git pull"]],
    ["X=1; echo $X ${Y:-z} $HOME", ["echo 1 … z ~"]],
    ["find src -name '*.o' -exec rm {} +", ["rm src/…"]],
    ['f() { make "$1"; }; f all', ["make all"]],
    ["cat <<E | bash\nls -l\nE", ["ls -l"]],
    ["echo {a,b}{1..2}", ["echo a1 a2 b1 b2"]],
    ["for f in a b; do cp $f c; done", ["cp a b c"]],
    ["ls $(git rev-parse --show-toplevel)/x", ["git rev-parse --show-toplevel", "ls ./x"]],
    ["printf '%s\\n' a b | xargs -n1 wc", ["wc a b"]],
  ])("of %j has %j", (text, wanted) => {
    expect(policy.commandsOf(text)).toEqual(expect.arrayContaining(wanted));
  });

  it("is not what quotes, comments and heredocs only mention", () => {
    expect(policy.commandsOf("echo 'rm -rf /' # rm -rf /\ncat > f <<'E'\nrm -rf /\nE")).toEqual([
      "echo rm -rf /",
      "cat",
    ]);
  });
});

describe("deletion", () => {
  const place = { cwd: "/work/app", home: "/home/me" };

  it.each([
    ["rm -rf build", "allow"],
    ["rm -rf /work/app/build", "allow"],
    ["cd build && rm -rf *", "allow"],
    ['cd "$(git rev-parse --show-toplevel)" && rm -rf dist', "allow"],
    ["rm -rf /work/app", "ask"],
    ["rm -rf /work/other", "ask"],
    ["rm -rf ../app2", "ask"],
    ["rm -rf ../../etc", "deny"],
    ["rm -rf /home/me", "deny"],
    ["rm -rf /home/me/x", "ask"],
  ])("of %j below /work/app is decided: %s", (command, decision) => {
    expect(policy.judge(command, place).decision).toBe(decision);
  });

  it("of everything is refused where the session stands in the root or the home", () => {
    expect(policy.judge("rm -rf *", { cwd: "/" }).rule).toBe("delete_system");
    expect(policy.judge("rm -rf ./*", { cwd: "/home/me", home: "/home/me" }).rule).toBe("delete_system");
    expect(policy.judge("rm -rf *", { cwd: "/etc" }).rule).toBe("delete_system");
  });

  it("is the session's own below a directory of the system that it stands in", () => {
    expect(policy.judge("rm -rf node_modules", { cwd: "/usr/src/app" }).decision).toBe("allow");
    expect(policy.judge("rm -rf ../../lib", { cwd: "/usr/src/app" }).decision).toBe("deny");
  });
});

describe("a text that is no shell text", () => {
  it("is asked about, with the parser's words", () => {
    const verdict = policy.judge("echo 'open");
    expect(verdict).toMatchObject({ decision: "ask", rule: "unparsable", category: "unclear" });
    expect(verdict.reason).toContain("unterminated single quote");
  });

  it("is refused when it plainly holds what never runs", () => {
    expect(policy.judge("if; ( rm -rf / ; 'x").level).toBe("hardline");
    expect(policy.judge("'\"$(dd if=x of=/dev/sda").level).toBe("hardline");
  });
});

describe("every command of a text", () => {
  it("is judged, and the worst decides", () => {
    expect(policy.judge("git push -f; ls; mkfs.ext4 /dev/sda").rule).toBe("format_disk");
    expect(policy.judge("ls && git push -f").rule).toBe("git_push_force");
  });
});
