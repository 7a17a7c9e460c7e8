export { CAUSES, type CauseTraits } from './core/causes.ts';
export type { Closure, FailCause, FailedClosure, Usage } from './core/closure.ts';
export { closureStatus } from './core/closure.ts';
export { type UpstreamEdge, upstreamEdges } from './core/edges.ts';
export { EngineError } from './core/error.ts';
export type { Escalation, EscalationSink, SurvivingState } from './core/escalation.ts';
export { escalationLine } from './core/escalation.ts';
export type {
  AttemptOfRun,
  AttemptTerms,
  Notice,
  Parking,
  RunEvent,
  RunFact,
  Verdict,
} from './core/event.ts';
export { foldRun } from './core/fold.ts';
export { compareIds, compareText } from './core/id-order.ts';
export type { Integration, Replayable } from './core/input.ts';
export { canonicalInstant } from './core/instant.ts';
export { type Outcome, outcomesOf } from './core/outcome.ts';
export { type Pairing, pairReviews } from './core/pairing.ts';
export { placesOf, placesOfName } from './core/places.ts';
export { DEFAULTS, type Policy } from './core/policy.ts';
export { PreflightError, preflight } from './core/preflight.ts';
export type {
  FailedAttempt,
  PendingTask,
  SeedRecord,
  StructuredAbandon,
} from './core/seed-record.ts';
export {
  isAbandonedResult,
  isFailedAttempt,
  isStructuredAbandon,
  toSeedRecord,
} from './core/seed-record.ts';
export type { RunState, TaskPhase, TaskState } from './core/state.ts';
export type { Task, TaskId } from './core/task.ts';
export { isClosed, taskKey } from './core/task.ts';
export type { TaskIssue, TaskIssueCode } from './core/task-issues/task-issue.ts';
export {
  type WaveTracker,
  waveGateSatisfied,
  waveGateSatisfied as waveCanAdvance,
} from './core/wave-gate.ts';
export { partitionWaves } from './core/waves.ts';
export { type BarrierCost, barrierCost } from './digest/barrier-cost.ts';
export type { Wait } from './digest/held-work.ts';
export {
  type WaveOptions,
  type WaveWatch,
  watchWaves,
  waveSummaries,
} from './digest/watch-waves.ts';
export type { WaveSummary } from './digest/wave-summary.ts';
export { type ManualClock, manualClock } from './memory/manual-clock.ts';
export { memoryJournal } from './memory/memory-journal.ts';
export { type PollingSeams, pollingTransport } from './memory/polling-transport.ts';
export {
  type ScriptedWorker,
  scriptedTransport,
  type WorkerScript,
} from './memory/scripted-transport.ts';
export type {
  Acceptability,
  Acceptance,
  AcceptedWork,
  CheckContext,
  IntegrationContext,
} from './shell/acceptance.ts';
export type { Audit, ForeignText } from './shell/audit.ts';
export type { Briefing, BriefingContext } from './shell/briefing.ts';
export { type Clock, systemClock } from './shell/clock.ts';
export { deliverOwed, type Owed } from './shell/deliver-owed.ts';
export type { Gate, GateAnswer } from './shell/gate.ts';
export { type Journal, journalConflict } from './shell/journal.ts';
export type { RunOptions, RunSignal } from './shell/options.ts';
export type { Recall } from './shell/recall.ts';
export { type RunReport, run } from './shell/run.ts';
export { parallel, pipeline } from './shell/schedules.ts';
export type {
  AttemptHandle,
  AttemptReport,
  ReviewedWork,
  Transport,
  WorkOrder,
} from './shell/transport.ts';
