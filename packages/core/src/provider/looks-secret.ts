/** Telling anywhere in a name, with or without separators. */
const tellingParts =
  /SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|ACCESSKEY|PRIVATEKEY|CONNECTIONSTRING|DATABASEURL/;

/** Telling only as a whole word: `KEYBOARD`, `AUTHOR` and `COMPASS` are no secrets. */
const tellingWords: ReadonlySet<string> = new Set([
  "AUTH",
  "COOKIE",
  "COOKIES",
  "CREDS",
  "DSN",
  "JWT",
  "KEY",
  "KEYS",
  "NETRC",
  "OAUTH",
  "PASS",
  "PAT",
  "PEM",
  "PIN",
  "PW",
  "PWD",
  "SIGNATURE",
]);

const notSecret: ReadonlySet<string> = new Set(["PWD", "OLDPWD"]);

/**
 * Whether a variable or a configuration field looks, by its name, as if it held a secret. Used where forgetting is
 * cheap and leaking is not: session files, the captured login environment, what `config get` shows.
 * Generous on purpose; never the only guard, because a name can say nothing.
 */
export function looksSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  if (notSecret.has(name.toUpperCase())) return false;
  return tellingParts.test(words.join("")) || words.some((word) => tellingWords.has(word));
}
