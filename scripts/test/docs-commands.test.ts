import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { calledCommands, commandSections, readHelp } from "../docs/command-sections.mjs";
import { readPage } from "../docs/markdown-page.mjs";
import { allPages } from "../docs/pages.mjs";

const root = path.join(import.meta.dirname, "..", "..");
const page = readFileSync(path.join(root, "docs/guide/cli.md"), "utf8");
const sections = commandSections(readPage(page).prose);

beforeAll(() => {
  execFileSync(process.execPath, [path.join(root, "scripts/bootstrap.mjs")], { cwd: root });
}, 180_000);

/** What the command itself says. */
function helpOf(command: string): ReturnType<typeof readHelp> {
  const words = command === "" ? [] : command.split(" ");
  const bin = path.join(root, "packages/cli/dist/bin.js");
  const { stdout, status } = spawnSync(process.execPath, [bin, ...words, "--help"], { encoding: "utf8" });
  expect(status, command).toBe(0);
  return readHelp(stdout);
}

test("the page has a section for every command, and none for one that does not exist", () => {
  const commands = helpOf("").commands.flatMap((name) => [
    name,
    ...helpOf(name).commands.map((sub) => `${name} ${sub}`),
  ]);
  expect(sections.map(({ command }) => command).toSorted((a, b) => a.localeCompare(b))).toEqual(
    commands.toSorted((a, b) => a.localeCompare(b)),
  );
});

test.each(sections)("the options of talaria $command are those of its --help", ({ command, options }) => {
  const { options: own, commands } = helpOf(command);
  const parent = sections.find((section) => section.command === command.split(" ")[0]);
  const described = new Set([...options, ...(parent?.options ?? [])]);
  expect(own.filter((option) => !described.has(option))).toEqual([]);
  const known = new Set([...own, ...commands.flatMap((sub) => helpOf(`${command} ${sub}`).options)]);
  const bare = new Set([...known].map((option) => option.split(" ")[0]));
  expect([...options].filter((option) => !known.has(option) && !bare.has(option))).toEqual([]);
});

test("every talaria command that a page calls exists, with the options it is called with", () => {
  const calls = allPages(root).flatMap((file) => calledCommands(readFileSync(path.join(root, file), "utf8")));
  expect(calls.length).toBeGreaterThan(50);
  const helps = new Map<string, ReturnType<typeof readHelp>>();
  const help = (command: string): ReturnType<typeof readHelp> => {
    const known = helps.get(command) ?? helpOf(command);
    helps.set(command, known);
    return known;
  };
  const universal = ["--help", "--version"];
  const wrong = calls.flatMap(({ words, options }) => {
    const [command = "", sub = ""] = words;
    if (command === "help" || command === "") return [];
    if (!help("").commands.includes(command)) return [command];
    const name = help(command).commands.includes(sub) ? `${command} ${sub}` : command;
    const known = new Set([...universal, ...help(name).options.map((option) => option.split(" ")[0] ?? "")]);
    return options.filter((option) => !known.has(option)).map((option) => `${name} ${option}`);
  });
  expect(wrong).toEqual([]);
});

test("options are read from a help text with and without a short form, wrapped lines left out", () => {
  const help = [
    "Usage: talaria x [options]",
    "",
    "Options:",
    "  -b, --backend <backend>  where to run",
    "                           (default: --there)",
    "  --max-bytes <n>          bytes",
    "  -h, --help               show this help",
    "",
    "Commands:",
    "  get [options] [key]      one value",
    "  help [topic]             help",
    "",
  ].join("\n");
  expect(readHelp(help)).toEqual({
    options: ["-b", "--backend <backend>", "--max-bytes <n>"],
    commands: ["get"],
  });
});

test("calls are found at a prompt, in a block and in quotes, and options end at the command's own words", () => {
  const text = [
    "$ talaria exec -s work --json -- ls --all",
    "    ./talaria config set a.b --json   # not --this",
    "Ask `talaria doctor --strict`, or read on: talaria is a word here.",
  ].join("\n");
  expect(calledCommands(text)).toEqual([
    { words: ["exec"], options: ["--json"] },
    { words: ["config", "set"], options: ["--json"] },
    { words: ["doctor"], options: ["--strict"] },
  ]);
});
