/** How a run weighs cost against quality. */
export type RunMode = 'cost-lean' | 'balanced' | 'quality-lean';

/** What a run mode stands for. */
export interface RunModeTraits {
  /** Which way the model tier of a task is shifted. */
  readonly posture: 'cost-lean' | 'neutral' | 'opus-lean';
  /** The name of the saved profile that stands for the mode. */
  readonly profile: string;
  /** Advice only. */
  readonly orchestratorModel: 'sonnet' | 'opus';
  /** The share of the ceiling that may be spent. */
  readonly headroom: number;
  /** The ceiling as a share of the caller's total; never above 1, so that no mode spends more than was allowed. */
  readonly ceilingFactor: number;
  /** The most attempts in flight at once; null leaves the caller's number alone. */
  readonly maxWorkers: number | null;
  /** Changes nothing at all. */
  readonly neutral: boolean;
}

/** Every run mode. */
export const RUN_MODES: Readonly<Record<RunMode, RunModeTraits>> = Object.freeze({
  'cost-lean': Object.freeze({
    posture: 'cost-lean',
    profile: 'cost-effective',
    orchestratorModel: 'sonnet',
    headroom: 0.55,
    ceilingFactor: 0.6,
    maxWorkers: 2,
    neutral: false,
  }),
  balanced: Object.freeze({
    posture: 'neutral',
    profile: 'balanced',
    orchestratorModel: 'sonnet',
    headroom: 0.7,
    ceilingFactor: 1,
    maxWorkers: null,
    neutral: true,
  }),
  'quality-lean': Object.freeze({
    posture: 'opus-lean',
    profile: 'code-quality',
    orchestratorModel: 'opus',
    headroom: 0.85,
    ceilingFactor: 1,
    maxWorkers: 5,
    neutral: false,
  }),
});
