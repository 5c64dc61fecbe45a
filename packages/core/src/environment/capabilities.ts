/**
 * What a backend may or may not be able to do. Declared by the provider, probed by the environment, asked for by name.
 * The list only grows; an unknown name in a manifest is kept and shown.
 */
export const capabilityNames = [
  /** Bytes can be given to a command's standard input. */
  "stdin",
  /** Exported variables, functions, options and the cwd are remembered between commands. */
  "state",
  /** stdout and stderr can be had apart. */
  "separateStreams",
  /** A command's process group can be ended while the sandbox lives on. */
  "kill",
  /** A kill can be shown to have reached every process (KillProof `all`). */
  "killProof",
  /** Several commands can run at once. */
  "concurrency",
  /** A process can be given a terminal, with resize. */
  "tty",
  /** Commands can run as another account. */
  "user",
  /** Any process can be started with its streams held (`spawn`). */
  "spawn",
  /** `execPrefix` gives an argv that runs inside the sandbox. */
  "execPrefix",
  "ports",
  "snapshot",
  "networkPolicy",
  "limits",
] as const;

export type Capability = (typeof capabilityNames)[number];

/** Everything that follows from `spawn` alone. */
export const derivedCapabilities: readonly Capability[] = [
  "stdin",
  "state",
  "separateStreams",
  "kill",
  "killProof",
  "concurrency",
  "spawn",
];
