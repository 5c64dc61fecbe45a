import { conformanceGroups, type ConformanceCase } from "../case.js";
import { completionBackgroundCases } from "./completion-background.js";
import { completionEndCases } from "./completion-end.js";
import { concurrencyCases } from "./concurrency.js";
import { environmentDescriptionCases } from "./environment-description.js";
import { environmentTerminalCases } from "./environment-terminal.js";
import { environmentVariablesCases } from "./environment-variables.js";
import { filesCacheCases } from "./files-cache.js";
import { filesPatchCases } from "./files-patch.js";
import { filesPatchSetCases } from "./files-patch-set.js";
import { filesPatchStrategyCases } from "./files-patch-strategies.js";
import { filesArchiveCases } from "./files-archive.js";
import { filesSearchCases } from "./files-search.js";
import { filesPathsCases } from "./files-paths.js";
import { filesReadCases } from "./files-read.js";
import { filesTransferBulkCases } from "./files-transfer-bulk.js";
import { filesTransferCases } from "./files-transfer.js";
import { filesWatchCases } from "./files-watch.js";
import { filesTreeCases } from "./files-tree.js";
import { filesWriteCases } from "./files-write.js";
import { jobsInputCases } from "./jobs-input.js";
import { jobsLifeCases } from "./jobs-life.js";
import { jobsOutputCases } from "./jobs-output.js";
import { jobsStopCases } from "./jobs-stop.js";
import { jobsYieldCases } from "./jobs-yield.js";
import { killCancelCases } from "./kill-cancel.js";
import { killLimitsCases } from "./kill-limits.js";
import { killTimeoutCases } from "./kill-timeout.js";
import { lifecycleEnvironmentCases } from "./lifecycle-environment.js";
import { lifecycleProcessCases } from "./lifecycle-process.js";
import { lifecycleSessionCases } from "./lifecycle-session.js";
import { outcomeDamageCases } from "./outcome-damage.js";
import { outcomeSignalCases } from "./outcome-signal.js";
import { outcomeStatusCases } from "./outcome-status.js";
import { outputBoundsCases } from "./output-bounds.js";
import { outputEncodingCases } from "./output-encoding.js";
import { outputOrderCases } from "./output-order.js";
import { policyHardlineCases } from "./policy-hardline.js";
import { policyListsCases } from "./policy-lists.js";
import { policyQuestionsCases } from "./policy-questions.js";
import { quotingNamesCases } from "./quoting-names.js";
import { quotingScriptCases } from "./quoting-script.js";
import { secretsEnvironmentCases } from "./secrets-environment.js";
import { secretsFilesCases } from "./secrets-files.js";
import { secretsKeptCases } from "./secrets-kept.js";
import { secretsOutputCases } from "./secrets-output.js";
import { stateDirectoryCases } from "./state-directory.js";
import { stateDroppedCases } from "./state-dropped.js";
import { stateKeptCases } from "./state-kept.js";
import { stateSurvivesCases } from "./state-survives.js";
import { stdinAbsentCases } from "./stdin-absent.js";
import { stdinGivenCases } from "./stdin-given.js";

const files: readonly (readonly ConformanceCase[])[] = [
  outcomeStatusCases,
  outcomeSignalCases,
  outcomeDamageCases,
  completionEndCases,
  completionBackgroundCases,
  killTimeoutCases,
  killCancelCases,
  killLimitsCases,
  outputEncodingCases,
  outputOrderCases,
  outputBoundsCases,
  stdinAbsentCases,
  stdinGivenCases,
  quotingScriptCases,
  quotingNamesCases,
  stateKeptCases,
  stateDroppedCases,
  stateDirectoryCases,
  stateSurvivesCases,
  environmentVariablesCases,
  environmentTerminalCases,
  environmentDescriptionCases,
  concurrencyCases,
  lifecycleSessionCases,
  lifecycleEnvironmentCases,
  lifecycleProcessCases,
  filesReadCases,
  filesWriteCases,
  filesTreeCases,
  filesPathsCases,
  filesTransferCases,
  filesTransferBulkCases,
  filesArchiveCases,
  filesCacheCases,
  filesWatchCases,
  filesSearchCases,
  jobsLifeCases,
  jobsOutputCases,
  jobsInputCases,
  jobsStopCases,
  jobsYieldCases,
  filesPatchCases,
  filesPatchStrategyCases,
  filesPatchSetCases,
  policyHardlineCases,
  policyListsCases,
  policyQuestionsCases,
  secretsEnvironmentCases,
  secretsOutputCases,
  secretsFilesCases,
  secretsKeptCases,
];

/** Every case of the suite, in the order of its groups. */
export const conformanceCases: readonly ConformanceCase[] = files
  .flat()
  .toSorted((one, other) => conformanceGroups.indexOf(one.group) - conformanceGroups.indexOf(other.group));
