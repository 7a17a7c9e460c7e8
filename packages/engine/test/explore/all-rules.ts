import { attemptRule, chargeRule } from './charge-rules.ts';
import { completionRule, escalationRule, replayRule } from './end-rules.ts';
import type { Rule } from './rule.ts';
import { integrationRule, verdictRule, waveRule } from './run-rules.ts';

/** Whatever is to hold for every fact of every run. */
export const ALL_RULES: readonly Rule[] = [
  ...[chargeRule, attemptRule, escalationRule, completionRule, replayRule],
  ...[waveRule, integrationRule, verdictRule],
];
