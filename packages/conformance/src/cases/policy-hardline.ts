import type { CaseContext } from "../case-context.js";
import { casesOf, type CaseDefinition } from "../case.js";
import { checkRefused, sessionThatAsks } from "../policy-probe.js";

/**
 * A text that never runs, behind something that would keep it from doing harm if it did: a backend that fails the case
 * must live to report it. The trace is left before.
 */
function guarded(text: string): (trace: string) => string {
  return (trace) => `echo ran >${trace}; false && { ${text}\n}`;
}

async function refusesAll(context: CaseContext, texts: readonly string[]): Promise<void> {
  const { check } = context;
  const { session, asked } = await sessionThatAsks(context, () => "always", {
    approvals: { mode: "off", allow: ["*"] },
  });
  for (const text of texts) await checkRefused(context, session, guarded(text));
  check.equal(asked.length, 0, "questions about what nobody can allow");
}

function refused(title: string, texts: readonly string[]): CaseDefinition {
  return {
    title: `${title} is refused in every mode, whatever is allowed, and nothing of the text runs`,
    rule: "SPEC 9.1",
    run: (context) => refusesAll(context, texts),
  };
}

export const policyHardlineCases = casesOf("policy", {
  "hardline-deletion": refused("deleting the root, a directory of the system or a home", [
    "rm -rf /",
    "rm -r -f /*",
    'rm -rf "$HOME"',
    "rm -rf ~/*",
    "rm -rf //etc/../usr/",
    "cd / && rm -rf ./*",
    "find / -delete",
  ]),
  "hardline-wrappers": refused("deletion of the root behind wrappers", [
    "sudo -u root env -i X=1 nohup timeout 5 rm -rf /",
    "env -S 'rm -rf /'",
    "command nice -n 5 setsid rm -rf /",
    "echo / | xargs -n 1 rm -rf",
    "find /etc -exec rm -rf {} +",
    "flock /tmp/lock -c 'rm -rf /'",
  ]),
  "hardline-quoting": refused("deletion of the root in quotes, escapes, globs and variables", [
    "r\\m -rf /",
    "'r'm \"-rf\" /",
    "$'\\x72m' -rf /",
    "{rm,-rf,/}",
    "rm${IFS}-rf${IFS}/",
    "a=r; b=m; $a$b -rf /usr",
    "/bin/r? -rf /etc",
  ]),
  "hardline-shells": refused("deletion of the root in a text for another shell", [
    "sh -c 'rm -rf /'",
    'bash -lc "sh -c \\"rm -rf /\\""',
    'eval "rm -rf /"',
    "echo 'rm -rf /' | sh",
    "sh <<E\nrm -rf /\nE",
    "echo cm0gLXJmIC8= | base64 -d | bash",
    "trap 'rm -rf /' EXIT",
  ]),
  "hardline-substitution": refused("deletion of the root in a substitution or a function", [
    "echo $(rm -rf /)",
    "echo `rm -rf /etc`",
    "x=$(rm -rf /)",
    'f() { rm -rf "$1"; }; f /',
    "for d in a /; do rm -rf $d; done",
    "diff <(rm -rf /) f",
  ]),
  "hardline-code": refused("deletion of the root by another language", [
    "python3 -c 'import os; os.system(\"rm -rf /\")'",
    "python3 -c 'import shutil; shutil.rmtree(\"/\")'",
    'node -e \'require("fs").rmSync("/", { recursive: true })\'',
    "perl -e 'system(\"rm -rf /\")'",
  ]),
  "hardline-disks": refused("formatting or overwriting a disk", [
    "mkfs.ext4 /dev/sda1",
    "dd if=/dev/zero of=/dev/sda",
    "echo x > /dev/nvme0n1",
    "sudo tee /dev/vda < f",
    "wipefs -a /dev/sdb",
  ]),
  "hardline-machine": refused("stopping the machine or everything on it", [
    "shutdown -h now",
    "sudo systemctl reboot",
    "kill -9 -1",
    ":(){ :|:& };:",
    "echo b > /proc/sysrq-trigger",
    "chmod -R 777 /",
    "echo secret | sudo -S id",
  ]),
  "hardline-unparsable": {
    title: "a text that is no shell text and plainly holds what never runs is refused",
    rule: "SPEC 9.1",
    run: (context) => refusesAll(context, ["rm -rf / 'open", "if; rm -rf /etc", 'dd of=/dev/sda "x']),
  },
});
