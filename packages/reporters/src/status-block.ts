import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { fit, pad } from './fit.ts';
import type { Progress } from './progress.ts';
import { duration } from './when.ts';

/** Attempts shown before they are only counted, so that the block stays within a small terminal. */
const SHOWN = 8;

interface StatusBlockOptions {
  /** On the clock that the progress was folded with. */
  readonly now: number;
  readonly columns: number;
  readonly unsandboxed: boolean;
}

/** A few lines on where the run stands, each at most so many columns wide. */
export function statusBlock(
  progress: Progress,
  { now, columns, unsandboxed }: StatusBlockOptions,
): string[] {
  const { running, plan } = progress;
  const attempts = [...running.values()];
  const rest = attempts.length - SHOWN;
  return [
    (unsandboxed ? 'UNSANDBOXED, ' : '') + headline(progress),
    ...attempts.slice(0, SHOWN).map(({ taskId, attempt, since, reviews }) => {
      const name = pad(fit(printable(taskId), plan.nameColumns), plan.nameColumns);
      const work = reviews === undefined ? '' : `  reviews ${printable(reviews)}`;
      return `  ${name}  attempt ${attempt}  ${duration(now - since)}${work}`;
    }),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ].map((line) => fit(line, columns));
}

function headline(progress: Progress): string {
  const { plan, waves, running, reviewing, done, abandoned, held } = progress;
  const of = (total: number): string => (plan.known ? ` of ${total}` : '');
  return [
    ...(waves > 0 && plan.hasBarriers ? [`wave ${waves}${of(plan.waves)}`] : []),
    `${done}${of(plan.tasks)} done`,
    ...(abandoned > 0 ? [`${abandoned} abandoned`] : []),
    ...(held > 0 ? [`${held} held`] : []),
    ...(reviewing.size > 0 ? [`${reviewing.size} under review`] : []),
    `${count(running.size, 'attempt', 'attempts')} running`,
  ].join(', ');
}
