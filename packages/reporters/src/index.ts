export type { BarrierRecord } from './barrier-record.ts';
export { jsonLine } from './json-line.ts';
export { type LineReporterOptions, lineReporter } from './line-reporter.ts';
export { type FinishedRecord, finishedRecord, ndjsonReporter } from './ndjson-reporter.ts';
export type { RunSetting, SandboxState } from './opening.ts';
export {
  type OutcomeRecord,
  outcomeRecord,
  type RunFacts,
  type TaskRecord,
} from './outcome-record.ts';
export type { SpendRange } from './preview-spend.ts';
export { type CostSum, type CostTable, renderCost } from './render-cost.ts';
export { type Forecast, type ForecastRow, renderForecast } from './render-forecast.ts';
export { renderGraph } from './render-graph.ts';
export { type RenderedIssue, renderIssues } from './render-issues.ts';
export { renderOutcomeRecord } from './render-outcome-record.ts';
export { renderPlanChange } from './render-plan-change.ts';
export { type RenderOptions, renderPreview } from './render-preview.ts';
export { type ReportOptions, renderReport } from './render-report.ts';
export {
  type RestoredWork,
  renderRestored,
  renderSalvage,
  renderSalvageList,
  type SavedDetail,
  type SavedItem,
} from './render-salvage.ts';
export { type RunStatus, renderStatus } from './render-status.ts';
export {
  type CollectedWorktrees,
  renderCollection,
  renderWorktrees,
  type WorktreeItem,
} from './render-worktrees.ts';
export {
  type TerminalReporter,
  type TerminalReporterOptions,
  terminalReporter,
} from './terminal-reporter.ts';
export { type WaveRecord, type WaveReporterOptions, waveReporter } from './wave-reporter.ts';
