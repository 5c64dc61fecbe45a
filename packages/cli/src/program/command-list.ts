import type { Command } from "commander";
import type { Invocation } from "./invocation.js";

/** Completes a command that so far has only a name and a summary: its options, arguments, examples and action. */
export type DefineCommand = (command: Command, invocation: Invocation) => void;

interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  /** Left out of the help page and of completion. */
  readonly hidden?: true;
  /** Loads the rest. Called only for the command that runs, so that one command never pays for another. */
  readonly load: () => Promise<{ readonly define: DefineCommand }>;
}

/** All commands, in the order of the help page. */
export const commandList: readonly ListedCommand[] = [
  {
    name: "exec",
    summary: "run a command and end with its exit status",
    load: () => import("../exec/exec-command.js"),
  },
  {
    name: "shell",
    summary: "open an interactive shell",
    load: () => import("../shell/shell-command.js"),
  },
  {
    name: "files",
    summary: "read, change, search and copy files of a sandbox",
    load: () => import("../files/files-command.js"),
  },
  {
    name: "jobs",
    summary: "start commands that outlive the call, and look after them",
    load: () => import("../jobs/jobs-command.js"),
  },
  {
    name: "approvals",
    summary: "show, explain and change which commands may run",
    load: () => import("../approvals/approvals-command.js"),
  },
  {
    name: "audit",
    summary: "show what agents have done",
    load: () => import("../audit/audit-command.js"),
  },
  {
    name: "describe",
    summary: "print what a model is told about where it is",
    load: () => import("../describe/describe-command.js"),
  },
  {
    name: "status",
    summary: "show what would be used, and where each value comes from",
    load: () => import("../inspect/status-command.js"),
  },
  {
    name: "backends",
    summary: "list the places commands can run in",
    load: () => import("../inspect/backends-command.js"),
  },
  {
    name: "doctor",
    summary: "check the backends and say what to fix",
    load: () => import("../inspect/doctor-command.js"),
  },
  {
    name: "setup",
    summary: "choose and set up a backend",
    load: () => import("../setup/setup-command.js"),
  },
  {
    name: "config",
    summary: "read and change the configuration",
    load: () => import("../configuration/config-command.js"),
  },
  {
    name: "plugins",
    summary: "list, enable and disable plugins",
    load: () => import("../plugins/plugins-command.js"),
  },
  {
    name: "sandboxes",
    summary: "list sandboxes and free abandoned ones",
    load: () => import("../sandboxes/sandboxes-command.js"),
  },
  {
    name: "conformance",
    summary: "hold a backend to the contract",
    load: () => import("../suite/conformance-command.js"),
  },
  {
    name: "bench",
    summary: "measure a backend against the alternatives",
    load: () => import("../suite/bench-command.js"),
  },
  {
    name: "tour",
    summary: "a short guided session, really executed",
    load: () => import("../tour/tour-command.js"),
  },
  {
    name: "completion",
    summary: "print the completion script of a shell",
    load: () => import("../completion/completion-command.js"),
  },
  {
    name: "__complete",
    summary: "answer a completion script",
    hidden: true,
    load: () => import("../completion/complete-command.js"),
  },
];
