export { parseRunMode } from './parse-run-mode.ts';
export {
  type ResolvedRunMode,
  type RunModeReason,
  type RunModeSources,
  resolveRunMode,
} from './resolve-run-mode.ts';
export { RUN_MODES, type RunMode, type RunModeTraits } from './run-modes.ts';
export { workersOf } from './workers-of.ts';
