import type { WorkOrder } from '@atelier/engine';
import type { AgentExit } from '../../src/agent.ts';

/** An order whose briefing names the attempt the way the scripted model looks for it. */
export function orderOf(marker: string, over: Partial<WorkOrder> = {}): WorkOrder {
  return {
    runId: 'run-1',
    task: { id: 'T-1' },
    attempt: 1,
    nonce: 'nonce-1',
    briefing: `Do the task. ${marker}\ntask_id: T-1\nattempt: 1\n`,
    wallClockMs: 60_000,
    ...over,
  };
}

/** The end of a program that printed this. */
export function exitOf(stdout: string, over: Partial<AgentExit> = {}): AgentExit {
  return {
    stdout,
    stderr: '',
    replyText: undefined,
    stdoutBytes: Buffer.byteLength(stdout),
    exitCode: 0,
    signal: undefined,
    endedAfterReply: false,
    ...over,
  };
}
