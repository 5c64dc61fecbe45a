import { randomUUID } from "node:crypto";
import type { SessionCacheOptions } from "../cache/session-cache.js";
import { talariaHomePath } from "../config/talaria-home.js";
import type { TerminalEnvironment } from "../environment/environment.js";
import { looksSecret } from "../provider/looks-secret.js";
import { checkDirectory, checkSessionEnvironment } from "./check-command.js";
import { makeOversight, seesHost } from "./make-oversight.js";
import { sessionBackend, type SessionBackend } from "./session-backend.js";
import { SessionFile } from "./session-file.js";
import type { StateFilter } from "./session-file-secrets.js";
import { SessionMemory } from "./session-memory.js";
import { checkSessionName } from "./session-name.js";
import type { OpenSessionOptions } from "./session-options.js";
import type { SessionOversight } from "./session-oversight.js";
import { SessionPlace } from "./session-place.js";
import { isSameSandbox, type SessionRecord } from "./session-record.js";
import { SessionShell } from "./session-shell.js";
import { commandSettings } from "./session-settings.js";
import { TerminalSession } from "./terminal-session.js";

/**
 * Opens a session: finds the backend, makes its environment, and takes up what a named session kept. No command runs
 * yet. Throws InvalidArgumentError, ConfigError, UnknownBackendError, RegistrationError, SessionFileError (the file is
 * left as it is), or what the backend throws; nothing is left behind then.
 */
export async function openSession(options: OpenSessionOptions = {}): Promise<TerminalSession> {
  checkOptions(options);
  options.signal?.throwIfAborted();
  const stripped = new Set<string>();
  let oversight: SessionOversight | undefined;
  const file = sessionFile(options, {
    isForbidden: (name) => stripped.has(name) || looksSecret(name),
    holdsSecret: (text) => oversight?.holdsSecret(text) ?? false,
  });
  const kept = (await file?.read()) ?? null;
  const backend = await sessionBackend(options, kept?.backend);
  for (const name of backend.stripEnvKeys) stripped.add(name);
  const settings = commandSettings(backend.config);
  const id = randomUUID();
  const environment = await backend.open(id);
  try {
    options.signal?.throwIfAborted();
    const place = new SessionPlace(environment, backend.place);
    oversight = makeOversight(options, {
      backend,
      environment,
      sessionName: options.session ?? id,
      place: () => ({ cwd: session.cwd ?? undefined, home: place.home.names?.[0] }),
    });
    const session = assemble(options, {
      id,
      backend,
      environment,
      place,
      file,
      kept,
      oversight,
      ...settings,
    });
    return session;
  } catch (error) {
    if (!backend.isHandedIn) await environment.cleanup();
    throw error;
  }
}

interface Gathered extends ReturnType<typeof commandSettings> {
  readonly id: string;
  readonly backend: SessionBackend;
  readonly environment: TerminalEnvironment;
  readonly place: SessionPlace;
  readonly file: SessionFile | undefined;
  readonly kept: SessionRecord | null;
  readonly oversight: SessionOversight;
}

function assemble(options: OpenSessionOptions, gathered: Gathered): TerminalSession {
  const { id, backend, environment, place, file, kept, oversight, limits, timeoutMs } = gathered;
  const identity = {
    backend: environment.backend,
    sandboxId: environment.id,
    generation: environment.generation,
  };
  const continued = kept !== null && isSameSandbox(kept, identity) ? kept : null;
  return new TerminalSession({
    id,
    name: options.session,
    oversight,
    redact: oversight.outputRules,
    files: options.files ?? {},
    cache: cacheSettings(options, backend),
    description: () => ({
      backend: environment.backend,
      ...backend.told,
      mounts: environment.mounts ?? [],
      approvals: approvalsTold(options, backend, environment),
    }),
    environment,
    ownsEnvironment: !backend.isHandedIn,
    place,
    shell: new SessionShell(environment, id, options.env ?? {}, continued?.state),
    memory: file === undefined ? undefined : new SessionMemory(file, environment, id, continued),
    limits,
    timeoutMs,
    cwd: continued?.cwd ?? null,
    notes: [
      ...backend.notes,
      ...(kept === null || continued !== null ? [] : [leftBehind(kept, environment)]),
    ],
    onWarning: options.onWarning ?? (() => undefined),
  });
}

/** What is mirrored into the sandbox. */
function cacheSettings(
  options: OpenSessionOptions,
  { config, cachePathBase: base }: SessionBackend,
): SessionCacheOptions {
  // Not asked for where it is not needed: a user without a home directory has none.
  const talariaHome = options.talariaHome ?? config?.talariaHome ?? (base === null ? "/" : talariaHomePath());
  return {
    talariaHome,
    base,
    credentialFiles: config?.get("terminal.credential_files"),
    isEnabled: config?.get("terminal.cache_sync"),
  };
}

/** What happens to dangerous commands, in short. */
function approvalsTold(
  options: OpenSessionOptions,
  { config, skipContainerGuards }: SessionBackend,
  environment: TerminalEnvironment,
): "asked" | "refused" | "allowed" {
  const mode = options.approvals?.mode ?? config?.get("approvals.mode") ?? "ask";
  if (mode === "deny") return "refused";
  if (mode === "off" || (skipContainerGuards && !seesHost(environment))) return "allowed";
  return (options.approve ?? options.approvals?.approve) === undefined ? "refused" : "asked";
}

/** Says what of a named session is not taken up, and why (SPEC 2.10). */
function leftBehind(kept: SessionRecord, environment: TerminalEnvironment): string {
  const where =
    kept.cwd === null ? "its variables and functions" : `its directory ${kept.cwd}, variables and functions`;
  const other =
    kept.backend === environment.backend
      ? `another sandbox of "${kept.backend}" (${kept.sandboxId}, generation ${kept.generation})`
      : `the backend "${kept.backend}"`;
  return `This session was last on ${other}: ${where} belong there and are not used on "${environment.backend}".`;
}

function sessionFile(
  { session, talariaHome, config }: OpenSessionOptions,
  filter: StateFilter,
): SessionFile | undefined {
  if (session === undefined) return undefined;
  return new SessionFile({
    talariaHome: talariaHome ?? config?.talariaHome ?? talariaHomePath(),
    name: session,
    filter,
  });
}

function checkOptions({ session, cwd, env }: OpenSessionOptions): void {
  if (session !== undefined) checkSessionName(session);
  if (cwd !== undefined) checkDirectory("cwd", cwd);
  if (env !== undefined) checkSessionEnvironment(env);
}
