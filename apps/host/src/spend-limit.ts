import type { Plan } from '@atelier/engine/plan';
import { UsageError } from './command.ts';

/** What a run may spend in all. Absent: no limit of that kind. */
export interface SpendLimit {
  /** Output tokens. */
  readonly tokens?: number;
  /** US dollars. */
  readonly usd?: number;
}

const MONEY = /^(?:\$(\d+(?:\.\d{1,4})?)|(\d+(?:\.\d{1,4})?)usd)$/u;
const TOKENS = /^(\d+(?:\.\d{1,6})?)(k|m)?$/u;
const FACTORS = { '': 1, k: 1_000, m: 1_000_000 };

/**
 * Output tokens as `500000`, `500k` or `2m`, dollars as `$20` or `20usd`; one of each may be given. Throws a
 * {@link UsageError} for anything else.
 */
export function spendLimit(given: readonly string[]): SpendLimit {
  let limit: SpendLimit = {};
  for (const text of given) {
    const part = partOf(text.trim().toLowerCase());
    if (!part || Object.keys(part).some((key) => key in limit))
      throw new UsageError(
        part ? `--budget names its ${Object.keys(part)[0]} twice` : `--budget can not be "${text}"`,
        'Output tokens as 500000, 500k or 2m, dollars as $20 or 20usd; each once.',
      );
    limit = { ...limit, ...part };
  }
  return limit;
}

/** A limit with another one on top: what that does not name stays. */
export const limitOver = (before: SpendLimit, given: SpendLimit = {}): SpendLimit => ({
  ...before,
  ...given,
});

/** What a plan says that its run may spend. */
export const limitOfPlan = ({
  budget: { tokens, usd } = {},
}: Pick<Plan, 'budget'>): SpendLimit => ({
  ...(tokens === undefined ? {} : { tokens }),
  ...(usd === undefined ? {} : { usd }),
});

function partOf(text: string): SpendLimit | undefined {
  const money = MONEY.exec(text);
  const usd = Number(money?.[1] ?? money?.[2]);
  if (money) return usd > 0 ? { usd } : undefined;
  const [, digits, unit = ''] = TOKENS.exec(text) ?? [];
  const tokens = Math.round(Number(digits) * FACTORS[unit as keyof typeof FACTORS]);
  return tokens > 0 ? { tokens } : undefined;
}
