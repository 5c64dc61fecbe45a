import { casesOf } from "../case.js";
import { refusedFor } from "../file-refusal.js";

export const filesTreeCases = casesOf("files", {
  list: {
    title: "a listing is sorted by name, with types, sizes and where links lead",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = await folder();
      const make = "mkdir b; printf 123 >a; ln -s a c; mkfifo d; : >.hidden; : >b/below";
      check.exited(await session.execute(make, { workdir: path }), 0);
      const listing = await session.files.list(path);
      check.equal(
        listing.entries.map(({ name, type }) => `${name} ${type}`),
        [".hidden file", "a file", "b directory", "c symlink", "d fifo"],
        "entries",
      );
      check.equal(listing.entries.find(({ name }) => name === "a")?.sizeBytes, 3, "size");
      check.equal(listing.entries.find(({ name }) => name === "c")?.linkTarget, "a", "where the link leads");
    },
  },
  "list-options": {
    title: "depth, limit and hidden names choose what is listed, and the total says what was left out",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute("mkdir -p a/b/c .git/x; : >f", { workdir: path }), 0);
      const deep = await session.files.list(path, { depth: 2, hidden: false });
      check.equal(
        deep.entries.map(({ name }) => name),
        ["a", "a/b", "f"],
        "names",
      );
      const short = await session.files.list(path, { limit: 1 });
      check.equal([short.entries.length, short.total], [1, 3], "entries and total");
      await refusedFor(check, session.files.list(`${path}/f`), "not_directory", "a file");
    },
  },
  stat: {
    title: "stat tells of a file what it is, through a link or of the link itself",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = await folder();
      const make = "printf 12345 >f; chmod 640 f; ln -s f link; ln -s nowhere lost; ln f second";
      check.exited(await session.execute(make, { workdir: path }), 0);
      const through = await session.files.stat(`${path}/link`);
      check.equal<unknown>(
        [through.path, through.type, through.sizeBytes, through.mode, through.links],
        [`${path}/f`, "file", 5, 0o640, 2],
        "the file",
      );
      const itself = await session.files.stat(`${path}/link`, { followLinks: false });
      check.equal<unknown>([itself.type, itself.linkTarget], ["symlink", "f"], "the link");
      check.equal(await session.files.exists(`${path}/f`), true, "the file exists");
      check.equal(await session.files.exists(`${path}/lost`), false, "a link that leads nowhere exists");
    },
  },
  mkdir: {
    title: "directories are made with those above them, again without harm, and never over a file",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = await folder();
      check.equal<string>(await session.files.mkdir(`${path}/a/b`), `${path}/a/b`, "path");
      await session.files.mkdir(`${path}/a/b`);
      await session.files.mkdir(`${path}/c`, { mode: 0o711 });
      check.equal((await session.files.stat(`${path}/c`)).mode & 0o777, 0o711, "mode");
      await refusedFor(
        check,
        session.files.mkdir(`${path}/x/y`, { parents: false }),
        "not_found",
        "none above",
      );
      await refusedFor(check, session.files.mkdir(`${path}/c`, { parents: false }), "exists", "a taken name");
      check.exited(await session.execute("test -d a/b && test ! -e x", { workdir: path }), 0);
    },
  },
  remove: {
    title:
      "a file, a link without its target, and an empty directory are removed; a full one only when asked",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(
        await session.execute("mkdir -p full/a empty; : >full/f; ln -s full link", { workdir: path }),
        0,
      );
      await session.files.remove(`${path}/link`);
      await session.files.remove(`${path}/empty`);
      await refusedFor(check, session.files.remove(`${path}/full`), "not_empty", "a full directory");
      check.printed(await session.execute("ls -A; ls -A full", { workdir: path }), "full\na\nf\n");
      await session.files.remove(`${path}/full`, { recursive: true });
      await refusedFor(check, session.files.remove(`${path}/full`), "not_found", "what is gone");
      await session.files.remove(`${path}/full`, { ifExists: true });
      check.equal((await session.files.list(path)).total, 0, "entries");
    },
  },
  "remove-keeps": {
    title: "the root, the home and where the session stands are not removed",
    rule: "SPEC 5.2",
    async run({ check, openSession, folder }) {
      const path = await folder();
      const session = await openSession({ cwd: path });
      check.exited(await session.execute("mkdir -p a/b; : >a/b/f; cd a/b"), 0);
      for (const kept of ["/", "~", `${path}/a`, ".", "../../a/b/"]) {
        await refusedFor(check, session.files.remove(kept, { recursive: true }), "refused", kept);
      }
      check.exited(await session.execute("test -f f && test -d ~"), 0, "what was kept");
    },
  },
  rename: {
    title: "a file and a directory get another name or place, and one that is taken only when asked",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute("echo 1 >a; echo 2 >b; mkdir d e; : >d/f", { workdir: path }), 0);
      await refusedFor(check, session.files.rename(`${path}/a`, `${path}/b`), "exists", "a taken name");
      check.printed(await session.execute("cat a b", { workdir: path }), "1\n2\n", "after the refusal");
      check.equal<string>(
        await session.files.rename(`${path}/a`, `${path}/b`, { overwrite: true }),
        `${path}/b`,
        "path",
      );
      await refusedFor(check, session.files.rename(`${path}/b`, `${path}/e`), "exists", "a directory's name");
      await refusedFor(
        check,
        session.files.rename(`${path}/d`, `${path}/d/in`),
        "invalid",
        "a directory into itself",
      );
      await session.files.rename(`${path}/d`, `${path}/e/d`);
      check.printed(
        await session.execute("cat b; ls -A . e/d", { workdir: path }),
        "1\n.:\nb\ne\n\ne/d:\nf\n",
      );
    },
  },
});
