import { attemptToken } from '@atelier/cli-transport';
import type { RunEvent } from '@atelier/engine';
import { attemptKey, isEnd } from '../spending/attempts-of.ts';

/** What the workers show that may have outlived the host before this one: of every attempt without an end. */
export function tokensOfOpenAttempts(history: readonly RunEvent[]): string[] {
  const open = new Map<string, string>();
  for (const event of history) {
    if (event.type === 'attempt.started')
      open.set(attemptKey(event.taskId, event.attempt), event.nonce);
    else if (isEnd(event) && 'attempt' in event)
      open.delete(attemptKey(event.taskId, event.attempt));
  }
  return [...open.values()].map(attemptToken);
}
