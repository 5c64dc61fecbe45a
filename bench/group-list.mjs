// @ts-check

/**
 * What is measured, in the order it is run. A group's module is loaded in the process that measures it, and nowhere else.
 *
 * @type {readonly { name: string, load: () => Promise<{ measure: import("./group-result.mjs").Measure }> }[]}
 */
export const groupList = [
  { name: "commands", load: () => import("./groups/commands.mjs") },
  { name: "sequential", load: () => import("./groups/sequential.mjs") },
  { name: "parallel", load: () => import("./groups/parallel.mjs") },
  { name: "output", load: () => import("./groups/output.mjs") },
  { name: "stdin", load: () => import("./groups/stdin.mjs") },
  { name: "files", load: () => import("./groups/files.mjs") },
  { name: "transfer", load: () => import("./groups/transfer.mjs") },
  { name: "startup", load: () => import("./groups/startup.mjs") },
  { name: "search", load: () => import("./groups/search.mjs") },
  { name: "jobs", load: () => import("./groups/jobs.mjs") },
];

export const groupNames = groupList.map(({ name }) => name);
