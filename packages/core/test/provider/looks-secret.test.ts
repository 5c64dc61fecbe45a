import { expect, test } from "vitest";
import { looksSecret } from "../../src/provider/looks-secret.js";

test.each([
  "GITHUB_TOKEN",
  "githubToken",
  "AWS_SECRET_ACCESS_KEY",
  "api_key",
  "APIKEY",
  "DB_PASSWORD",
  "PGPASSWORD",
  "MYSQL_PWD",
  "GPG_PASSPHRASE",
  "SSH_AUTH_SOCK",
  "DATABASE_URL",
  "SENTRY_DSN",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "SESSION_COOKIE",
  "GITLAB_PAT",
  "npm_config__authToken",
  "SLURM_JWT",
  "tls_pem",
])("%s looks secret", (name) => {
  expect(looksSecret(name)).toBe(true);
});

test.each([
  "PATH",
  "HOME",
  "PWD",
  "OLDPWD",
  "KEYBOARD",
  "AUTHOR",
  "COMPASS",
  "MONKEY",
  "EDITOR",
  "LC_ALL",
  "PATTERN",
  "SPINNER",
  "GIT_AUTHOR_NAME",
  "url",
  "image",
])("%s does not", (name) => {
  expect(looksSecret(name)).toBe(false);
});
