import { mkdir, readdir, readFile, readlink, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { casesOf } from "../case.js";
import { hardNames } from "../hard-names.js";
import { onHost } from "../on-host.js";

export const filesTransferCases = casesOf("files", {
  "transfer-file": {
    title: "a file goes up and comes down byte-exact, with its mode and its time",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256);
        await writeFile(join(host, "f"), bytes, { mode: 0o640 });
        await utimes(join(host, "f"), 1_000_000_000, 1_000_000_000);
        const up = await session.files.upload(join(host, "f"), `${inside}/g`);
        check.equal(up.path, `${inside}/g`, "where it landed");
        check.printed(
          await session.execute("wc -c <g | tr -d ' '; ls -l g | cut -c1-10", { workdir: inside }),
          "300000\n-rw-r-----\n",
        );
        await session.files.download(`${inside}/g`, join(host, "back"));
        check.bytes(await readFile(join(host, "back")), bytes, "bytes that came back");
        const { mode, mtimeMs } = await stat(join(host, "back"));
        check.equal(mode & 0o777, 0o640, "mode");
        check.equal(Math.trunc(mtimeMs / 1000), 1_000_000_000, "time");
      });
    },
  },
  "transfer-empty": {
    title: "an empty file and an empty directory arrive",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        await mkdir(join(host, "t/empty"), { recursive: true });
        await writeFile(join(host, "t/none"), "");
        await session.files.upload(join(host, "t"), inside);
        await session.files.upload(join(host, "t/none"), `${inside}/alone`);
        check.printed(
          await session.execute("ls t; ls -A t/empty; wc -c <alone | tr -d ' '", { workdir: inside }),
          "empty\nnone\n0\n",
        );
        await session.files.download(`${inside}/t`, join(host, "back"));
        check.equal((await readdir(join(host, "back"))).sort(), ["empty", "none"], "names");
      });
    },
  },
  "transfer-names": {
    title:
      "names with spaces, quotes, newlines and a leading dash come through, as names of files and as targets",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        await mkdir(join(host, "t"));
        for (const name of hardNames) await writeFile(join(host, "t", name), name);
        const result = await session.files.upload(join(host, "t"), `${inside}/-t 'x'`);
        check.equal(result.files, hardNames.length, "files");
        await session.files.download(`${inside}/-t 'x'`, join(host, "back"));
        for (const name of hardNames) {
          check.equal(
            await readFile(join(host, "back", name), "utf8"),
            name,
            `content of ${JSON.stringify(name)}`,
          );
        }
        const plain = await folder();
        for (const name of hardNames) await session.files.upload(join(host, "t", name), plain);
        await session.files.download(`${plain}/`, join(host, "singly"));
        check.equal((await readdir(join(host, "singly"))).sort(), [...hardNames].sort(), "names sent singly");
      });
    },
  },
  "transfer-bytes": {
    title: "names that are no UTF-8 come through",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        await mkdir(join(host, "t"));
        await writeFile(Buffer.from(`${host}/t/n\xff\xfe`, "latin1"), "bytes");
        await session.files.upload(join(host, "t"), inside);
        check.printed(await session.execute(`cat t/"$(printf 'n\\377\\376')"`, { workdir: inside }), "bytes");
        await session.files.download(`${inside}/t`, join(host, "back"));
        const names = await readdir(join(host, "back"), { encoding: "buffer" });
        check.equal(
          names.map((name) => name.toString("latin1")),
          ["n\xff\xfe"],
          "names",
        );
      });
    },
  },
  "transfer-links": {
    title: "links stay links and are never followed; hard links stay hard",
    rule: "SPEC 5.2",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        await mkdir(join(host, "t/d"), { recursive: true });
        await writeFile(join(host, "secret"), "not to be seen");
        await writeFile(join(host, "t/f"), "x");
        await symlink("../f", join(host, "t/d/inside"));
        await symlink("../secret", join(host, "t/outside"));
        await session.files.upload(join(host, "t"), inside);
        check.printed(
          await session.execute(
            "readlink d/inside outside; cat d/inside; [ -e outside ] || echo dangling; rm outside; ln f h",
            { workdir: `${inside}/t` },
          ),
          "../f\n../secret\nxdangling\n",
        );
        await session.files.download(`${inside}/t`, join(host, "back"));
        check.equal(await readlink(join(host, "back/d/inside")), "../f", "link");
        check.equal(
          (await stat(join(host, "back/h"))).ino,
          (await stat(join(host, "back/f"))).ino,
          "the file of both names",
        );
      });
    },
  },
  "transfer-places": {
    title:
      "a tree lands as with cp -r: in a directory that is there, else under the new name; a slash means what is in it",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        await mkdir(join(host, "t"));
        await writeFile(join(host, "t/f"), "x");
        const places = [];
        places.push((await session.files.upload(join(host, "t"), `${inside}/new`)).path);
        places.push((await session.files.upload(join(host, "t"), `${inside}/new`)).path);
        places.push((await session.files.upload(`${join(host, "t")}/`, `${inside}/new`)).path);
        check.equal(places, [`${inside}/new`, `${inside}/new/t`, `${inside}/new`], "places");
        await mkdir(join(host, "down"));
        await session.files.download(`${inside}/new/t`, join(host, "down"));
        await session.files.download(`${inside}/new/t/`, join(host, "down"));
        check.equal((await readdir(join(host, "down"))).sort(), ["f", "t"], "names");
        const error = await check.rejects(
          session.files.upload(join(host, "t"), `${inside}/no/such`),
          "file",
          "an upload below nothing",
        );
        check.includes(error.message, "no/such", "message");
      });
    },
  },
  "transfer-merge": {
    title:
      "a tree that goes into an existing one replaces files and keeps the rest; a conflict changes nothing",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const inside = await folder();
      await session.execute("mkdir -p d/sub; echo old >d/sub/f; echo kept >d/sub/k; ln -s sub d/link", {
        workdir: inside,
      });
      await onHost(async (host) => {
        await mkdir(join(host, "t/sub"), { recursive: true });
        await writeFile(join(host, "t/sub/f"), "new\n");
        await writeFile(join(host, "t/.hidden"), "h\n");
        await session.files.upload(`${join(host, "t")}/`, `${inside}/d`);
        check.printed(
          await session.execute("cat sub/f sub/k .hidden; ls -A", { workdir: `${inside}/d` }),
          "new\nkept\nh\n.hidden\nlink\nsub\n",
        );
        await mkdir(join(host, "t/link"));
        await writeFile(join(host, "t/link/evil"), "x");
        await writeFile(join(host, "t/another"), "x");
        await check.rejects(
          session.files.upload(`${join(host, "t")}/`, `${inside}/d`),
          "file",
          "an upload through a link",
        );
        await check.rejects(
          session.files.upload(`${join(host, "t")}/`, `${inside}/d`, { overwrite: false, exclude: ["link"] }),
          "file",
          "an upload over what is there",
        );
        check.printed(
          await session.execute("ls -A . sub", { workdir: `${inside}/d` }),
          ".:\n.hidden\nlink\nsub\n\nsub:\nf\nk\n",
        );
      });
    },
  },
  "transfer-exclude": {
    title: "what is excluded is left out, both ways",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const inside = await folder();
      await session.execute(
        "mkdir -p t/node_modules/x t/build/cache; touch t/a.log t/b t/node_modules/x/y t/build/cache/z t/build/keep",
        { workdir: inside },
      );
      const exclude = ["node_modules", "*.log", "build/cache"];
      await onHost(async (host) => {
        await session.files.download(`${inside}/t`, join(host, "t"), { exclude });
        check.equal(
          (await readdir(join(host, "t"), { recursive: true })).sort(),
          ["b", "build", "build/keep"],
          "what came down",
        );
        await session.files.upload(join(host, "t"), `${inside}/up`, { exclude: ["build/**"] });
        check.printed(
          await session.execute("find . | sort", { workdir: `${inside}/up` }),
          ".\n./b\n./build\n",
        );
      });
    },
  },
});
