import type { RunEvent } from '@atelier/engine';

/** What a boundary is called: the event's type, with its stage or cause where it has one. */
export function labelOf(event: RunEvent): string {
  // A stage may name what exactly was looked at, after its own name.
  if ('stage' in event) return `${event.type}:${/[a-z-]+/.exec(event.stage)?.[0] ?? ''}`;
  if (event.type !== 'attempt.closed') return event.type;
  const { closure } = event;
  return `${event.type}:${closure.kind === 'failed' ? closure.cause : closure.kind}`;
}
