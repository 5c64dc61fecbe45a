import { looksSecret } from "../provider/looks-secret.js";
import { placeholder } from "./stream-redactor.js";

/** The look of a kind of secret. What the first group catches stays, the rest of the match goes. */
interface TokenPattern {
  readonly name: string;
  readonly look: RegExp;
}

/**
 * Tokens that say what they are. Each begins with letters that nothing else begins with, and repeats one class of
 * characters at a time, so that no text makes them slow.
 */
const tokens: readonly TokenPattern[] = [
  { name: "anthropic_key", look: /()\bsk-ant-[A-Za-z0-9_-]{16,}/g },
  { name: "openai_key", look: /()\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}/g },
  { name: "github_token", look: /()\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})/g },
  {
    name: "gitlab_token",
    look: /()\bgl(?:pat|oas|dt|rt|rtr|ptt|ft|soat|cbt|agent|imt|ffct)-[A-Za-z0-9_.-]{20,}/g,
  },
  { name: "slack_token", look: /()\bx(?:ox[abceoprs]|app)-[A-Za-z0-9-]{10,}/g },
  { name: "slack_webhook", look: /(\bhooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,}/g },
  {
    name: "google_key",
    look: /()\b(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,})/g,
  },
  { name: "aws_key_id", look: /()\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g },
  {
    name: "aws_secret",
    look: /(\baws_?(?:secret)?_?(?:access)?_?key["']?\s{0,8}[:=]\s{0,8}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi,
  },
  { name: "npm_token", look: /()\bnpm_[A-Za-z0-9]{30,}/g },
  { name: "npm_auth", look: /(\b_(?:authToken|auth|password)\s{0,4}=\s{0,4})[^\s"']{8,}/g },
  { name: "pypi_token", look: /()\bpypi-[A-Za-z0-9_-]{40,}/g },
  { name: "stripe_key", look: /()\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{20,}/g },
  { name: "sendgrid_key", look: /()\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g },
  { name: "huggingface_token", look: /()\bhf_[A-Za-z0-9]{30,}/g },
  { name: "docker_token", look: /()\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}/g },
  { name: "daytona_key", look: /()\bdtn_[A-Za-z0-9]{32,}/g },
  { name: "modal_token", look: /()\ba[ks]-[A-Za-z0-9]{22}\b/g },
  { name: "jwt", look: /()\beyJ[A-Za-z0-9_-]{6,}\.eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*/g },
  {
    name: "authorization",
    look: /(\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token|digest|apikey)\s{1,4})[^\s"',;$<{][^\s"',;]{5,}/gi,
  },
  { name: "bearer", look: /(\bbearer\s{1,4})[A-Za-z0-9._~+/=-]{16,}/gi },
  {
    name: "header_key",
    look: /(\bx-(?:api-key|auth-token|goog-api-key|amz-security-token)["']?\s{0,4}:\s{0,4}["']?)[^\s"',;]{8,}/gi,
  },
  {
    name: "url_password",
    look: /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:@/"'<>]{0,128}:)[^\s@/"'<>]{1,512}(?=@)/gi,
  },
  {
    name: "url_parameter",
    look: /([?&;](?:password|passwd|pwd|pass|secret|client_secret|token|access_token|refresh_token|id_token|api_?key|auth|sig|signature|x-amz-signature|x-amz-credential|x-goog-signature)=)[^&\s"'#<>]{4,}/gi,
  },
];

/** `--password x`, `--token=x`, `curl -u name:x`: how secrets get into command lines. */
const commandLine: readonly TokenPattern[] = [
  {
    name: "option",
    look: /((?:^|\s)--?[a-z-]{0,40}(?:password|passwd|passphrase|secret|token|api-?key|credential)s?(?:=|\s{1,4}))(?:"[^"\n]*"|'[^'\n]*'|[^\s"';|&$-][^\s"';|&]*)/gi,
  },
  {
    name: "user_password",
    look: /((?:^|\s)(?:-u|--user|--proxy-user)[=\s]{0,4}["']?[^\s:"'=/$-][^\s:"'/]{0,128}:)[^\s"'/$][^\s"']{0,512}/g,
  },
];

/** `NAME=value` and `NAME: value`, to be judged by the name. */
const assignment =
  /(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]{1,80})(=|:[ \t]{1,4})("[^"\n]{4,}"|'[^'\n]{4,}'|[^\s"';|&$()<>{},]{4,})/g;

/** Takes out what looks like a token whoever reads the text. Works on any text, bytes as latin1 too. */
export function redactTokens(text: string): string {
  return replaceAll(text, tokens);
}

/** The same, and what command lines and error texts give away by the name it is given to. For texts nobody runs. */
export function redactTelling(text: string): string {
  const clean = replaceAll(replaceAll(text, tokens), commandLine);
  return clean.replaceAll(assignment, (whole, name: string, between: string, value: string) => {
    const isPlaceholder = value.startsWith("[redacted:");
    // `tokens: 1204` and `The password: required` say nothing.
    const isWord = between !== "=" && !/[0-9][^0-9]|[^0-9][0-9]/.test(value);
    return isPlaceholder || isWord || !looksSecret(name) ? whole : `${name}${between}${placeholder(name)}`;
  });
}

function replaceAll(text: string, patterns: readonly TokenPattern[]): string {
  let clean = text;
  for (const { name, look } of patterns) {
    clean = clean.replaceAll(look, (_, kept: string) => `${kept}${placeholder(name)}`);
  }
  return clean;
}
