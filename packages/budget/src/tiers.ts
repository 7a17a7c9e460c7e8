import { RUN_MODES, type RunMode } from './run-modes.ts';

/** How able a model is wanted, from the cheapest up. */
export type Tier = 'haiku' | 'sonnet' | 'opus';

const LADDER: readonly Tier[] = ['haiku', 'sonnet', 'opus'];

/** What a tier is chosen from. Words that name nothing known are passed over. */
export interface TierChoice {
  /** A person's own word, or the `ATELIER_MODEL_TIER` of a run: taken as it is, the former first. */
  readonly explicit?: string | null | undefined;
  readonly env?: string | null | undefined;
  /** `low`, `medium` or `high`; before the phase. */
  readonly difficulty?: string | null | undefined;
  readonly phase?: string | null | undefined;
  readonly role?: string | null | undefined;
  readonly mode?: RunMode | undefined;
}

const BY_DIFFICULTY: Readonly<Record<string, Tier>> = {
  low: 'haiku',
  medium: 'sonnet',
  high: 'opus',
};

const PHASES: Readonly<Record<Tier, readonly string[]>> = {
  opus: [
    ...['design', 'plan', 'security', 'review', 'handoff', 'diagnose', 'tdd:red', 'abandonment'],
    'no-consensus',
  ],
  sonnet: ['tdd', 'tdd:green', 'tdd:clean', 'qa', 'verify', 'receive-review'],
  haiku: ['doc', 'agenda', 'status', 'format'],
};

const BY_PHASE: ReadonlyMap<string, Tier> = new Map(
  LADDER.flatMap((tier) => PHASES[tier].map((phase) => [phase, tier] as const)),
);

/** Roles whose mistakes are dear: the mode may not lower them. */
const FLOORED = ['review', 'security', 'architect', 'safety'];

/** The tier of a task. Always answers. */
export function recommendTier(choice: TierChoice): Tier {
  const { explicit, env, difficulty, phase, role, mode = 'balanced' } = choice;
  const ordered = parseTier(explicit) ?? parseTier(env);
  if (ordered) return ordered;
  const hard = own(BY_DIFFICULTY, wordOf(difficulty));
  const base = hard ?? BY_PHASE.get(normalizePhase(phase) ?? '') ?? 'sonnet';
  const shifted = shift(base, SHIFTS[RUN_MODES[mode].posture]);
  const named = wordOf(role);
  return FLOORED.some((part) => named.includes(part)) ? 'opus' : shifted;
}

/** A tier from a word, however it is spelt; undefined for any other. */
export function parseTier(word: unknown): Tier | undefined {
  const plain = wordOf(word);
  return LADDER.find((tier) => tier === plain);
}

const SHIFTS = { 'cost-lean': -1, neutral: 0, 'opus-lean': 1 };

const shift = (tier: Tier, by: number): Tier =>
  LADDER[Math.min(LADDER.length - 1, Math.max(0, LADDER.indexOf(tier) + by))] ?? tier;

const wordOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim().toLowerCase() : '';

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/**
 * A phase as the tiers know it: without `dev:` in front, dashes for colons, and a suffix that says how far it is. What
 * is not known keeps its first part; null for no phase at all.
 */
export function normalizePhase(phase: unknown): string | null {
  const word = wordOf(phase).replace(/^dev[:-]/u, '');
  if (word === '') return null;
  if (BY_PHASE.has(word)) return word;
  const colons = word.replaceAll('-', ':');
  if (BY_PHASE.has(colons)) return colons;
  const parts = word.split(':');
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const prefix = parts.slice(0, length).join(':');
    if (BY_PHASE.has(prefix)) return prefix;
  }
  return parts[0] ?? null;
}

/** The model that stands for a tier, by its full name: aliases move. */
export const MODELS: Readonly<Record<Tier, string>> = Object.freeze({
  haiku: 'claude-haiku-5-5',
  sonnet: 'claude-sonnet-5-5',
  opus: 'claude-opus-5-5',
});

/** The tier that a model's name tells; undefined for a name that tells none. */
export const tierOf = (model: string): Tier | undefined =>
  LADDER.find((tier) => wordOf(model).includes(tier));
