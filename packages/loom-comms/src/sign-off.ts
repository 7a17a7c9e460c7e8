import type { Allowance } from './allowance.ts';
import type { Identities, Identity } from './identities.ts';
import type { Line } from './line.ts';
import type { LoomResult } from './loom-result.ts';

/**
 * Signs a name off on its own session. `done` also where the chat does not know the name any more; a name whose
 * session is dead stays behind.
 */
export async function signOff(
  parts: { readonly line: Line; readonly identities: Identities },
  { role, session, assignedName }: Identity,
  within: Allowance,
): Promise<LoomResult<unknown>> {
  const { line, identities } = parts;
  const call = { tool: 'deregister', args: { name: assignedName } };
  const answer = await line.tool(session, call, within);
  if (answer.ok) {
    identities.drop(role, 'gone');
    return answer;
  }
  const { code } = answer.error;
  if (code === 'AGENT_NOT_FOUND' || code === 'NOT_REGISTERED') {
    identities.drop(role, 'gone');
    return { ok: true, value: undefined };
  }
  if (code === '-32000') identities.drop(role, 'lost');
  return answer;
}
