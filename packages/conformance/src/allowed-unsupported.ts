/**
 * How many cases each first-party backend may report as unsupported. A run with more of them fails, so that a backend
 * cannot quietly lose an ability. The numbers only go down.
 */
export const allowedUnsupported: Readonly<Record<string, number>> = {
  local: 0,
  docker: 2,
  ssh: 4,
  singularity: 6,
  qemu: 4,
};
