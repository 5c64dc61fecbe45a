import { operandsOf, verbsOf } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";
import type { FoundCommand } from "../found-command.js";
import { marks } from "../marks.js";
import { resolvePath } from "../sandbox-location.js";

const inHome =
  /^(?:\.ssh(?:\/(?!known_hosts|config$|.*\.pub$|authorized_keys).*)?|\.aws(?:\/credentials|\/sso\/.*|\/cli\/.*)?|\.gnupg(?:\/.*)?|\.kube\/config|\.docker\/config\.json|\.netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.git-credentials|\.config\/(?:gcloud|gh|hub|op|sops|rclone|git\/credentials|configstore)(?:\/.*)?|\.azure(?:\/.*)?|\.cargo\/credentials.*|\.gem\/credentials|\.vault-token|\.password-store(?:\/.*)?|\.mozilla\/.*|\.config\/(?:google-chrome|chromium)\/.*|\.terraform\.d\/credentials.*|\.talaria\/.*(?:config\.yaml|secrets.*|auth.*)|\.local\/share\/keyrings(?:\/.*)?|Library\/Keychains(?:\/.*)?)$/u;
const absolute =
  /^\/(?:etc\/(?:shadow|gshadow|sudoers|ssh\/ssh_host_.*_key|krb5\.keytab)-?|proc\/(?:[^/]+)\/(?:environ|mem)|run\/secrets(?:\/.*)?|var\/run\/secrets(?:\/.*)?)$/u;
const anywhere =
  /(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)?|[^/]*_rsa|credentials\.json|service[-_]account[^/]*\.json)$/u;
const dotEnv = /(?:^|\/)\.env(?:\.(?!example|sample|template|dist|test|defaults)\w+)*$/u;

const lookers = new Set([
  "ls",
  "stat",
  "test",
  "[",
  "chmod",
  "chown",
  "chgrp",
  "mkdir",
  "ssh",
  "ssh-add",
  "ssh-keygen",
  "git",
  "touch",
  "rm",
  "find",
  "file",
  "du",
  "cd",
  "pushd",
  "which",
  "sftp",
  "echo",
  "printf",
  "export",
  "shred",
  "readlink",
  "realpath",
  "basename",
  "dirname",
  "ssh-copy-id",
  "ansible",
  "ansible-playbook",
  "mosh",
  "autossh",
  "sshfs",
  "unlink",
  "sudo",
  "doas",
  "env",
  "command",
  "nohup",
  "timeout",
  "wc",
  "sha256sum",
  "md5sum",
  "exec",
  "{",
  "kubectl",
  "helm",
  "",
  "true",
  ":",
  "for",
]);

/** Whether a path is that of a secret of this user or of the system. */
function isSecretPath(path: string, command: FoundCommand): boolean {
  const full = resolvePath(path, command);
  const home = command.home === marks.home ? marks.home : command.home;
  const inside = full.startsWith(`${home}/`)
    ? full.slice(home.length + 1)
    : /^\/(?:root|home\/[^/]+|Users\/[^/]+)\/(.+)$/u.exec(full)?.[1];
  return (inside !== undefined && inHome.test(inside)) || absolute.test(full) || anywhere.test(full);
}

function reads(command: FoundCommand): readonly string[] {
  const { words, redirects, name } = command;
  const at = words.indexOf("-i");
  // `scp -i key`: the key is used, not read out.
  const operands = words.filter(
    (word, index) => index > 0 && !(at > 0 && index === at + 1 && /^(?:scp|rsync)$/u.test(name)),
  );
  const inputs = redirects.filter(({ operator }) => operator === "<").map(({ target }) => target);
  return [...(lookers.has(name) ? [] : operands.map(withoutPrefix)), ...inputs];
}

/** `@file` and `name=@file` of curl, `if=file` of dd, `--from-file=file`. */
function withoutPrefix(word: string): string {
  return word.replace(/^(?:[\w.-]*=)?@|^(?:if|--[\w-]+)=/u, "");
}

const senders =
  /^(?:curl|wget|nc|ncat|netcat|socat|scp|rsync|ftp|tftp|sftp|http|https|xh|ssh|mail|sendmail|mutt|telnet|aws|gsutil|rclone|dig|nslookup|host)$/u;

function holdsSecrets(command: FoundCommand): boolean {
  const { name, words } = command;
  if (
    name === "env" ||
    name === "printenv" ||
    (name === "export" && words.length <= 2) ||
    (name === "set" && words.length === 1)
  ) {
    return !command.isWrapper || operandsOf(command).length === 0;
  }
  return words
    .slice(1)
    .some((word) => dotEnv.test(withoutPrefix(word)) || isSecretPath(withoutPrefix(word), command));
}

export const secretRules: readonly CommandRule[] = [
  {
    id: "read_credentials",
    level: "dangerous",
    category: "credentials",
    description:
      "reading private keys, `~/.aws/credentials`, `~/.netrc`, `/etc/shadow`, `/proc/*/environ` and other files of credentials",
    why: "what is read there opens other machines and accounts",
    matches: (command) => reads(command).some((path) => isSecretPath(path, command)),
  },
  {
    id: "print_credentials",
    level: "dangerous",
    category: "credentials",
    description:
      "`gh auth token`, `gcloud auth print-access-token`, `security find-generic-password`, `pass show`, the cloud's metadata address …",
    why: "it prints a credential",
    programs: [
      "gh",
      "gcloud",
      "security",
      "pass",
      "secret-tool",
      "op",
      "aws",
      "az",
      "vault",
      "kubectl",
      "curl",
      "wget",
      "bw",
      "lpass",
      "gpg",
      "heroku",
    ],
    matches: (command) => {
      const verbs = verbsOf(command);
      const all = command.words.slice(1).join(" ");
      switch (command.name) {
        case "gh":
          return (
            /^auth token\b/u.test(verbs) ||
            (/^auth status\b/u.test(verbs) && /--show-token|\s-t\b/u.test(all))
          );
        case "gcloud":
          return /\bprint-(?:access|identity)-token\b|\bsecrets versions access\b/u.test(all);
        case "security":
          return /^(?:find-(?:generic|internet)-password|dump-keychain|export)\b/u.test(verbs);
        case "pass":
          return /^(?:show\b|[\w-]+\/)/u.test(verbs);
        case "secret-tool":
          return /^(?:lookup|search)/u.test(verbs);
        case "op":
          return /^(?:read|item get|document get)\b/u.test(verbs);
        case "bw":
        case "lpass":
          return /^(?:get|show|export)\b/u.test(verbs);
        case "vault":
          return /^(?:kv get|read|token lookup)\b/u.test(verbs);
        case "aws":
          return (
            /^(?:secretsmanager get-secret-value|configure get|sts get-session-token|iam create-access-key|ecr get-login-password)\b/u.test(
              verbs,
            ) ||
            (verbs.startsWith("ssm get-parameter") && /--with-decryption/u.test(all))
          );
        case "az":
          return /^(?:account get-access-token|keyvault secret show)\b/u.test(verbs);
        case "kubectl":
          return /^get secrets?\b/u.test(verbs) && /-o[ =]?(?:yaml|json|go-template)|--output/u.test(all);
        case "gpg":
          return /--export-secret/u.test(all);
        case "heroku":
          return /^auth:token|^config\b/u.test(verbs);
        default:
          return /169\.254\.169\.254|metadata\.google\.internal|169\.254\.170\.2|\[fd00:ec2::254\]|100\.100\.100\.200/u.test(
            all,
          );
      }
    },
  },
  {
    id: "send_credentials",
    level: "dangerous",
    category: "credentials",
    description:
      "sending the environment, `.env` or files of credentials over the network: `env | curl -d @- …`",
    why: "secrets leave the machine",
    matches: (command) => {
      if (!senders.test(command.name) || (command.isWrapper && command.name !== "ssh")) return false;
      const sources = [...(command.input?.producers ?? []), ...command.substitutions];
      if (sources.some((source) => holdsSecrets(source))) return true;
      const { words, redirects } = command;
      return (
        redirects.some(({ operator, target }) => operator === "<" && dotEnv.test(target)) ||
        words
          .slice(1)
          .some((word, at) =>
            /^(?:[\w.-]*=)?@/u.test(word) ||
            /^(?:-T|--upload-file|--post-file)$/u.test(words[at] ?? "") ||
            word.startsWith("--post-file=") ||
            /^(?:scp|rsync|sftp)$/u.test(command.name)
              ? dotEnv.test(withoutPrefix(word))
              : false,
          )
      );
    },
  },
];
