import type { AttemptReport, FailCause } from '@atelier/engine';
import type { PassRecord } from './pass.ts';
import { larger } from './usage-sum.ts';

type Failed = Extract<AttemptReport, { kind: 'failed' }>;

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

/**
 * A report with what the proxy knows: of each amount the larger one, for a program that was cut short has not told all;
 * and why it failed, when it failed because it was not served any more. A reply stays a reply.
 */
export function completedReport(report: AttemptReport, record: PassRecord): AttemptReport {
  const usage = larger(report.usage ?? {}, record.usage);
  const counted = Object.keys(usage).length === 0 ? report : { ...report, usage };
  return counted.kind === 'failed' ? { ...counted, ...reasonOf(counted, record) } : counted;
}

function reasonOf(
  { cause, detail, resumeAt }: Failed,
  { wasCut, trouble }: PassRecord,
): Pick<Failed, 'cause' | 'detail' | 'resumeAt'> {
  const own = { cause, detail, ...(resumeAt !== undefined && { resumeAt }) };
  if (wasCut && (cause === 'interrupted' || UNSERVED.has(cause)))
    return { ...own, cause: 'budget', detail: `it was cut: it ran past what it may spend` };
  if (!trouble || !UNSERVED.has(cause)) return own;
  if (trouble.kind === 'account') return { ...own, cause: 'account', detail: trouble.detail };
  return {
    cause: 'usage-limit',
    detail: `the model API met a usage limit: ${detail}`,
    resumeAt: resumeAt ?? trouble.resumeAt,
  };
}
