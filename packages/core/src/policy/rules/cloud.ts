import { hasOption, verbsOf } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";

export const cloudRules: readonly CommandRule[] = [
  {
    id: "infrastructure_delete",
    level: "dangerous",
    category: "cloud",
    description:
      "`terraform destroy`, `terraform apply -auto-approve`, `pulumi destroy`, `cdk destroy`, `eksctl delete` …",
    why: "it takes infrastructure down",
    programs: [
      "terraform",
      "tofu",
      "terragrunt",
      "pulumi",
      "cdk",
      "serverless",
      "sls",
      "sam",
      "eksctl",
      "kops",
      "ansible",
      "packer",
      "copilot",
    ],
    matches: (command) => {
      const text = command.words.slice(1).join(" ");
      if (/^(?:terraform|tofu|terragrunt)$/u.test(command.name)) {
        return (
          /\bdestroy\b|-auto-approve|\bstate (?:rm|push)\b|\bforce-unlock\b|\bworkspace delete\b|\btaint\b/u.test(
            text,
          ) && !/^plan\b/u.test(text)
        );
      }
      return /^(?:destroy|delete|remove|cancel|down)\b|^(?:app|svc|env|stack|cluster)\s+(?:rm|delete)\b|^(?:up|update)\b.*(?:--yes|-y)\b/u.test(
        text,
      );
    },
  },
  {
    id: "cloud_delete",
    level: "dangerous",
    category: "cloud",
    description:
      "`aws … delete-*`, `aws … terminate-*`, `aws s3 rm --recursive`, `gcloud … delete`, `az … delete`, `gh repo delete`, `heroku apps:destroy` …",
    why: "what it deletes in the cloud is gone for everybody",
    programs: [
      "aws",
      "gcloud",
      "gsutil",
      "az",
      "doctl",
      "heroku",
      "fly",
      "flyctl",
      "vercel",
      "netlify",
      "wrangler",
      "firebase",
      "gh",
      "glab",
      "rclone",
      "mc",
      "s3cmd",
      "linode-cli",
      "hcloud",
      "oci",
      "ibmcloud",
      "scw",
      "railway",
      "supabase",
      "neonctl",
      "ovhcloud",
    ],
    matches: (command) => {
      const verbs = verbsOf(command, "p");
      const { name, words } = command;
      if (hasOption(command, "", "help", "dry-run", "dryrun")) return false;
      switch (name) {
        case "aws":
          if (/^s3 (?:rb\b)/u.test(verbs)) return true;
          if (/^s3 (?:rm|mv)\b/u.test(verbs)) return hasOption(command, "", "recursive");
          if (/^s3 sync\b/u.test(verbs)) return hasOption(command, "", "delete");
          return words.some(
            (word, at) =>
              at > 1 &&
              at < 6 &&
              /^(?:delete|terminate|deregister|remove|purge|destroy|release|disable|detach|stop|reboot|put-bucket-policy|schedule-key-deletion)(?:-|$)/u.test(
                word,
              ),
          );
        case "gsutil":
        case "s3cmd":
        case "mc":
          return (
            /^-?m?\s*(?:rm|rb|del)\b/u.test(verbs) &&
            (hasOption(command, "rRaf", "recursive", "force") || verbs.startsWith("rb"))
          );
        case "rclone":
          return /^(?:delete|purge|sync|rmdirs|deletefile|cleanup)\b/u.test(verbs);
        case "gh":
        case "glab":
          return (
            /^(?:repo|release|secret|variable|workflow|run|ssh-key|gpg-key|codespace|issue|label|cache|gist)\s+(?:delete|remove|archive)\b/u.test(
              verbs,
            ) || /\bDELETE\b/u.test(words.join(" "))
          );
        case "heroku":
          return /(?::destroy|:delete|:remove|pg:reset|pg:kill|maintenance:on|config:unset)\b/u.test(verbs);
        case "vercel":
        case "netlify":
          return /^(?:remove|rm|project rm|sites:delete|env rm|env:unset)\b/u.test(verbs);
        case "firebase":
          return /:delete|:remove|:disable/u.test(verbs);
        default:
          return /\b(?:delete|destroy|terminate|remove|purge|rm)\b/u.test(verbs);
      }
    },
  },
];
