import { casesOf } from "../case.js";
import { refusedFor } from "../file-refusal.js";
import { freshSecret } from "../planted-secrets.js";

export const secretsFilesCases = casesOf("secrets", {
  "file-read": {
    title: "a known secret in a file is taken out of what a read shows, and stays in the file",
    rule: "SPEC 9.3",
    async run({ check, openSession, folder }) {
      const secret = freshSecret();
      const session = await openSession({ secrets: { CASE_TOKEN: secret } });
      const path = `${await folder()}/settings.txt`;
      const content = `first\ntoken = "${secret}"\nlast\n`;
      await session.files.write(path, content);
      const shown = await session.files.read(path);
      check.equal(shown.text, 'first\ntoken = "[redacted:CASE_TOKEN]"\nlast\n', "the text");
      check.equal(shown.numbered, '1|first\n2|token = "[redacted:CASE_TOKEN]"\n3|last\n', "numbered");
      check.equal(shown.isRedacted, true, "isRedacted");
      const { bytes } = await session.files.readBytes(path);
      check.equal(Buffer.from(bytes).toString(), content, "the bytes of the file");
      await session.files.patch(path, { find: "last", replace: "end" });
      const patched = await session.files.readBytes(path);
      check.equal(Buffer.from(patched.bytes).toString(), content.replace("last", "end"), "after a patch");
      const after = await session.files.read(path, { offset: 3 });
      check.equal([after.text, after.firstLine, after.totalLines], ["end\n", 3, 3], "a window beyond it");
      const masked = { find: 'token = "[redacted:CASE_TOKEN]"', replace: "token = none" };
      const call = session.files.patch(path, masked);
      check.includes(
        await refusedFor(check, call, "no_match", "a placeholder"),
        "secret",
        "text of the error",
      );
    },
  },
});
