import type { AttemptReport, FailCause, Usage } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { boundedReport } from '../bounded-report.ts';
import type { PassRecord } from './pass.ts';
import { larger } from './usage-sum.ts';

type Failed = Extract<AttemptReport, { kind: 'failed' }>;
type Reason = Pick<Failed, 'cause' | 'detail' | 'resumeAt'>;

/** What a program that was not served looks like from outside. Everything else has a reason of its own. */
const UNSERVED: ReadonlySet<FailCause> = new Set<FailCause>([
  'account',
  'exit',
  'no-reply',
  'overloaded',
  'request',
  'stalled',
  'timeout',
  'usage-limit',
]);

/** What only the API can know, and the statuses that it says it by. Anything that a program starts can write its output. */
const SAID_BY: ReadonlyMap<FailCause, (status: number) => boolean> = new Map<
  FailCause,
  (status: number) => boolean
>([
  ['usage-limit', (status) => [400, 402, 403, 429].includes(status)],
  // Of a quota that is used up an API says 429.
  ['account', (status) => [400, 401, 402, 403, 404, 429].includes(status)],
  ['overloaded', (status) => status === 0 || status === 408 || status === 429 || status >= 500],
]);

/** By how much the program's word on the end of a limit may differ from what the API has told the proxy. */
const SAME_LIMIT_MS = 3_600_000;

/**
 * A report with what the proxy knows: what was counted, or where it may not have seen all, of each amount the larger one;
 * and why it failed, when it failed because it was not served any more. That the API has turned a worker away counts only
 * where the proxy has met it; else it is a failure like any other. A reply stays a reply.
 */
export function completedReport(report: AttemptReport, record: PassRecord): AttemptReport {
  const told = report.usage ?? {};
  const usage = record.isFromStart ? counted(told, record.usage) : larger(told, record.usage);
  const { usage: _, ...rest } = report;
  const whole = Object.keys(usage).length === 0 ? rest : { ...rest, usage };
  if (whole.kind !== 'failed') return whole;
  const { resumeAt: __, ...failed } = whole;
  return { ...failed, ...reasonOf(whole, record) };
}

/**
 * The tokens that were metered, beside those of which the program says that there were none; of the money the program's
 * word, as far as so many tokens can cost it.
 */
function counted(told: Usage, metered: Usage): Usage {
  if (Object.keys(metered).length === 0) return {};
  const kept = Object.entries(told).filter(([name, amount]) => amount === 0 || name === 'costUsd');
  const usage = { ...Object.fromEntries(kept), ...metered };
  return boundedReport({ kind: 'replied', reply: null, usage }, 0).usage ?? {};
}

function reasonOf({ cause, detail, resumeAt }: Failed, record: PassRecord): Reason {
  const { wasCut, cutWhy = 'it ran past what it may spend', trouble } = record;
  const own = { cause, detail, ...(resumeAt !== undefined && { resumeAt }) };
  if (wasCut && (cause === 'interrupted' || UNSERVED.has(cause)))
    return { ...own, cause: 'budget', detail: `it was cut: ${cutWhy}` };
  if (!UNSERVED.has(cause)) return own;
  if (trouble?.kind === 'account') return { cause: 'account', detail: trouble.detail };
  if (trouble?.kind === 'request') return { cause: 'request', detail: trouble.detail };
  if (trouble?.kind === 'limit') {
    const isSame = resumeAt !== undefined && Math.abs(resumeAt - trouble.resumeAt) <= SAME_LIMIT_MS;
    return {
      cause: 'usage-limit',
      detail: `the model API met a usage limit: ${detail}`,
      resumeAt: isSame ? resumeAt : trouble.resumeAt,
    };
  }
  return wasMet(cause, record)
    ? own
    : {
        cause: 'exit',
        detail: `it claims ${cause}, which the API did not say: ${printable(detail)}`,
      };
}

function wasMet(cause: FailCause, { met, isFromStart }: PassRecord): boolean {
  const saidBy = SAID_BY.get(cause);
  // While no host lived, nobody answered.
  if (cause === 'overloaded' && !isFromStart) return true;
  return !saidBy || (met !== undefined && saidBy(met));
}
