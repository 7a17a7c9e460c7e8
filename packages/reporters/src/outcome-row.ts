import type { Outcome } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { closureText } from './closure-text.ts';
import { factsIn } from './evidence.ts';
import { names } from './names.ts';
import { sizeText } from './work-text.ts';

/** One task of a report: its name, its kind, the attempts charged, and what else is to be said. */
export function outcomeRow(outcome: Outcome): string[] {
  const [kind, detail] = kindAndDetail(outcome);
  return [printable(outcome.taskId), kind, `${outcome.attempts}`, detail];
}

function kindAndDetail(outcome: Outcome): [kind: string, detail: string] {
  switch (outcome.kind) {
    case 'done':
      return ['done', work(outcome)];
    case 'worker-abandon':
      return [`worker-abandon ${printable(outcome.category)}`, printable(outcome.reason)];
    case 'engine-abandon': {
      const by = outcome.upstreamId === null ? '' : ` by ${printable(outcome.upstreamId)}`;
      return [
        `engine-abandon ${printable(outcome.category)}${by}`,
        outcome.category === 'capacity' ? printable(outcome.lastStatus) : '',
      ];
    }
    case 'held':
      return [`held ${printable(outcome.status)}`, printable(outcome.reply.notes_md ?? '')];
    case 'failed-attempt':
      return ['failed-attempt', closureText(outcome.closure)];
    case 'pending':
      return ['pending', outcome.accepted ? 'accepted, not merged yet' : ''];
  }
}

function work({
  evidence,
  reply,
  replayedFrom,
}: Extract<Outcome, { readonly kind: 'done' }>): string {
  const parts = [
    ...(replayedFrom ? [`as run ${printable(replayedFrom.runId)} left it`] : []),
    sizeText(factsIn(evidence)),
    names(reply.artifacts.flatMap(pathOf)),
  ];
  return parts.filter((part) => part !== '').join(': ');
}

/** Artifacts are the worker's words; what names no path is dropped. */
function pathOf(artifact: unknown): string[] {
  const path =
    typeof artifact === 'object' && artifact !== null && 'path' in artifact
      ? artifact.path
      : artifact;
  return typeof path === 'string' && path !== '' ? [path] : [];
}
