import { hasOption, verbsOf } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";
import type { FoundCommand } from "../found-command.js";

const engines: readonly string[] = ["docker", "podman", "nerdctl", "docker-compose", "podman-compose"];
const clusters: readonly string[] = [
  "kubectl",
  "oc",
  "k",
  "helm",
  "kubectx",
  "minikube",
  "kind",
  "k3d",
  "nomad",
  "flux",
  "argocd",
  "istioctl",
];

/** Verbs behind the client's own options: `docker --context x rm`. */
function text(command: FoundCommand): string {
  return verbsOf(command, "HcnpfD");
}

function has(command: FoundCommand, pattern: RegExp): boolean {
  return command.words.some((word) => pattern.test(word));
}

export const containerRules: readonly CommandRule[] = [
  {
    id: "docker_delete",
    level: "dangerous",
    category: "containers",
    description:
      "`docker system prune`, `docker volume rm`, `docker rm -f`, `docker compose down -v`, `docker image prune -a` …",
    why: "containers, images or their data are gone, others' too",
    programs: engines,
    matches: (command) => {
      const verbs = text(command);
      if (/(?:^|compose )down\b/u.test(verbs)) return has(command, /^(?:-v|--volumes|--rmi(?:=.*)?)$/u);
      if (
        /^(?:(?:system|volume|container|image|network|builder|buildx|pod) prune|volume (?:rm|remove)|stack rm|swarm leave|machine rm|system reset)\b/u.test(
          verbs,
        )
      )
        return true;
      if (/^(?:container )?(?:rm|kill|stop)\b|^(?:rmi|image rm)\b|^compose (?:rm|kill)\b/u.test(verbs)) {
        return hasOption(command, "f", "force", "all") || command.substitutions.length > 0;
      }
      return false;
    },
  },
  {
    id: "docker_host_access",
    level: "dangerous",
    category: "containers",
    description:
      "`docker run --privileged`, `-v /:/…`, the engine's socket or `--pid=host` inside a container",
    why: "what runs inside has the rights of root on the host",
    programs: engines,
    matches: (command) => {
      if (!/\b(?:run|create|exec)\b/u.test(text(command)) && !has(command, /^(?:run|create)$/u)) return false;
      const { words } = command;
      return words.some(
        (word, at) =>
          /^--(?:privileged|pid=host|ipc=host|userns=host|cap-add=(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE)|security-opt=\S*unconfined|device=\/dev\/(?:sd|nvme|mem).*)$/u.test(
            word,
          ) ||
          (/^(?:--pid|--userns|--ipc)$/u.test(words[at - 1] ?? "") && word === "host") ||
          (words[at - 1] === "--cap-add" && /^(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE)$/u.test(word)) ||
          /^(?:-v|--volume=|--mount=)?(?:type=bind,)?(?:(?:source|src)=)?\/(?:etc|root|boot|proc|sys|dev|usr|home|var\/run\/docker\.sock|run\/docker\.sock|var\/lib\/docker)?(?::|,(?:target|dst|destination)=)/u.test(
            word,
          ),
      );
    },
  },
  {
    id: "cluster_delete",
    level: "dangerous",
    category: "containers",
    description:
      "`kubectl delete`, `kubectl drain`, `kubectl scale --replicas=0`, `helm uninstall`, `minikube delete` …",
    why: "what runs in the cluster goes away",
    programs: clusters,
    matches: (command) => {
      if (hasOption(command, "", "help") || has(command, /^--dry-run/u)) return false;
      const verbs = text(command);
      switch (command.name) {
        case "helm":
          return /^(?:uninstall|delete|del|un|rollback)\b/u.test(verbs);
        case "minikube":
        case "kind":
        case "k3d":
          return /\bdelete\b/u.test(verbs);
        case "nomad":
          return /\b(?:stop|purge)\b/u.test(verbs);
        case "flux":
        case "argocd":
        case "istioctl":
          return /\b(?:delete|uninstall)\b/u.test(verbs);
        default:
          return (
            /^(?:delete|drain|cordon|taint)\b|^rollout undo\b/u.test(verbs) ||
            (verbs.startsWith("scale") && has(command, /^--replicas=0$/u)) ||
            (verbs.startsWith("replace") && has(command, /^--force$/u))
          );
      }
    },
  },
];
