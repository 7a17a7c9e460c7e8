import { dirname } from 'node:path';
import type { WorkOrder } from '@atelier/engine';
import type { AgentCall, AttemptPlace } from './agent.ts';

const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];

/** What every program gets, whatever else; HOME is its own. */
export const plainEnvironment = (): Record<string, string> => ({
  // Node's own folder comes last: an agent that is a script finds its interpreter there.
  PATH: [...new Set([...SYSTEM_PATH, dirname(process.execPath)])].join(':'),
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  TZ: 'UTC',
});

/**
 * The whole environment of an agent's program. Nothing is inherited from the host; the agent may add to it
 * and change it, but not what ties the attempt together.
 */
export const environmentOf = (
  { task, attempt, nonce }: WorkOrder,
  { home, replyFile }: AttemptPlace,
  call: AgentCall,
): Record<string, string> => ({
  ...plainEnvironment(),
  ...call.env,
  HOME: home,
  ATELIER_TASK_ID: String(task.id),
  ATELIER_ATTEMPT: String(attempt),
  ATELIER_NONCE: nonce,
  ATELIER_REPLY_FILE: replyFile,
});
