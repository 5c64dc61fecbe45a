import { hasOption } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";
import type { FoundCommand } from "../found-command.js";

/** The verb of a git command with what follows; its own options (`-C dir`, `-c x=y`) left out. */
function gitWords({ words }: FoundCommand): readonly string[] {
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (/^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path))$/u.test(word)) at += 1;
    else if (!word.startsWith("-")) break;
  }
  return words.slice(at);
}

function isDry(command: FoundCommand): boolean {
  return hasOption(command, "", "dry-run", "help");
}

export const gitRules: readonly CommandRule[] = [
  {
    id: "git_push_force",
    level: "dangerous",
    category: "git",
    description: "`git push --force`, `--force-with-lease`, `--mirror`, `--delete`, `+branch`, `:branch`",
    why: "it replaces or deletes what others have there",
    programs: ["git"],
    matches: (command) => {
      const [verb, ...rest] = gitWords(command);
      if (verb !== "push" || isDry(command)) return false;
      return rest.some((word) =>
        /^(?:-[a-z]*[fd][a-z]*|--(?:force\b.*|mirror|delete|prune)|\+.+|:[^/].*)$/u.test(word),
      );
    },
  },
  {
    id: "git_discard",
    level: "dangerous",
    category: "git",
    description:
      "`git reset --hard`, `git clean -f`, `git checkout -- .`, `git restore .`, `git checkout -f`, `git stash drop|clear`",
    why: "work that is not committed is gone for good",
    programs: ["git"],
    matches: (command) => {
      const [verb, ...rest] = gitWords(command);
      const has = (pattern: RegExp): boolean => rest.some((word) => pattern.test(word));
      switch (verb) {
        case "reset":
          return has(/^--(?:hard|merge|keep)$/u);
        case "clean":
          return has(/^(?:-[a-zA-Z]*f[a-zA-Z]*|--force)$/u) && !has(/^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/u);
        case "checkout":
          return has(/^(?:-f|--force)$/u) || has(/^(?:\.|\.\/|:\/|\uE001|\*)$/u);
        case "restore":
          return (
            has(/^(?:\.|\.\/|:\/|\uE001|\*)$/u) && (!has(/^(?:-S|--staged)$/u) || has(/^(?:-W|--worktree)$/u))
          );
        case "switch":
          return has(/^(?:-f|--force|--discard-changes)$/u);
        case "stash":
          return rest[0] === "drop" || rest[0] === "clear";
        case "worktree":
          return rest[0] === "remove" && has(/^(?:-f|--force)$/u);
        case "rm":
          return has(/^-[a-z]*f|^--force$/u) && has(/^(?:\.|\.\/|\uE001|\*)$/u) && !has(/^--cached$/u);
        default:
          return false;
      }
    },
  },
  {
    id: "git_history",
    level: "dangerous",
    category: "git",
    description:
      "`git branch -D`, `git filter-branch`, `git reflog expire`, `git gc --prune=now`, `git update-ref -d`, `git tag -d`",
    why: "commits can be lost",
    programs: ["git", "git-filter-repo", "bfg"],
    matches: (command) => {
      if (command.name !== "git") return true;
      const [verb, ...rest] = gitWords(command);
      const has = (pattern: RegExp): boolean => rest.some((word) => pattern.test(word));
      switch (verb) {
        case "branch":
          return has(/^-[a-zA-Z]*D/u) || (has(/^(?:-d|--delete)$/u) && has(/^(?:-f|--force)$/u));
        case "filter-branch":
        case "filter-repo":
          return true;
        case "reflog":
          return rest[0] === "expire" || rest[0] === "delete";
        case "gc":
        case "prune":
          return has(/^--(?:prune=now|prune=all|expire=now|expire=all|aggressive-prune)$/u);
        case "update-ref":
          return has(/^-d$/u);
        case "tag":
          return has(/^(?:-d|--delete)$/u);
        default:
          return false;
      }
    },
  },
];
