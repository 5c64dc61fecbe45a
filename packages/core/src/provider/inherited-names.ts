/**
 * Variables of this host that an agent's process gets without being asked for: who and where the user is, language,
 * terminal, certificates. An allowlist, because a list of what must not pass is never complete.
 */
const inheritedNames: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TZ",
  "TMPDIR",
  "TERM",
  "COLORTERM",
  "LANG",
  "LANGUAGE",
  // Written out: `LC_*` as a pattern would let LC_MY_TOKEN through, a known way to smuggle values over ssh.
  "LC_ALL",
  "LC_ADDRESS",
  "LC_COLLATE",
  "LC_CTYPE",
  "LC_IDENTIFICATION",
  "LC_MEASUREMENT",
  "LC_MESSAGES",
  "LC_MONETARY",
  "LC_NAME",
  "LC_NUMERIC",
  "LC_PAPER",
  "LC_TELEPHONE",
  "LC_TIME",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
]);

/** Proxy settings pass too, unless they carry a password: `agentEnvironment` looks at the value. */
export const proxyNames: ReadonlySet<string> = new Set(
  ["http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "no_proxy"].flatMap((name) => [
    name,
    name.toUpperCase(),
  ]),
);

/** True for a variable that belongs to every agent's environment and so can be no backend's credential. */
export function isInheritedByAgents(name: string): boolean {
  return inheritedNames.has(name) || proxyNames.has(name);
}
