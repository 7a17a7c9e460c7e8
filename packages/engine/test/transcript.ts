import {
  type Acceptance,
  closureStatus,
  type Gate,
  type ManualClock,
  manualClock,
  type Policy,
  type RunEvent,
  run,
  type ScriptedWorker,
  scriptedTransport,
  type Task,
} from '../src/index.ts';
import { replyFor } from './scenario.ts';

/** A scenario as text: what is given, one line each, until a line of dashes. */
interface Given {
  readonly tasks: Task[];
  readonly policy: Record<string, unknown>;
  readonly workers: Map<string, string[]>;
  readonly merges: Map<string, string[]>;
  readonly gate: string[];
  interruptMs: number | undefined;
}

const RULE = '-'.repeat(40);

/** Plays the given part of a transcript and returns the whole of it anew. */
export async function play(text: string): Promise<string> {
  const [head = ''] = text.split(`\n${RULE}`);
  const given = parse(head);
  const clock = manualClock();
  const started = clock.wall();
  const lines: string[] = [];
  const stop = new AbortController();
  if (given.interruptMs !== undefined) void clock.sleep(given.interruptMs).then(() => stop.abort());
  let nonce = 0;
  await clock.runUntil(
    run(given.tasks, {
      runId: 'r',
      clock,
      transport: transportOf(given, clock),
      policy: given.policy as Partial<Policy>,
      ...(given.merges.size > 0 ? { acceptance: acceptanceOf(given) } : {}),
      ...(given.gate.length > 0 ? { gate: gateOf(given) } : {}),
      signal: stop.signal,
      nonce: () => {
        nonce += 1;
        return `n${nonce}`;
      },
      sink: () => undefined,
      onEvent: (event) => {
        // They say nothing here that the event before or after them does not.
        if (event.type !== 'attempt.spawned' && event.type !== 'attempt.replied')
          lines.push(line(event, Date.parse(event.at) - started));
      },
      onSignal: (signal) => {
        if (signal.kind === 'gate')
          lines.push(
            `${' '.repeat(9)}(gate: ${signal.reason}, asks again in ${signal.waitMs / 1000} s)`,
          );
      },
    }),
  );
  return `${head}\n${RULE}\n${lines.join('\n')}\n`;
}

function parse(head: string): Given {
  const given: Given = {
    tasks: [],
    policy: {},
    workers: new Map(),
    merges: new Map(),
    gate: [],
    interruptMs: undefined,
  };
  for (const text of head.split('\n')) {
    const [word = '', ...rest] = text.split(/[ :]+/).filter(Boolean);
    const values = Object.fromEntries(
      rest.filter((part) => part.includes('=')).map((part) => part.split('=') as [string, string]),
    );
    const [name = ''] = rest;
    const listed = text
      .slice(text.indexOf(':') + 1)
      .split('|')
      .map((part) => part.trim());
    if (word === 'policy')
      for (const [key, value] of Object.entries(values))
        given.policy[key] = Number.isNaN(Number(value)) ? value : Number(value);
    if (word === 'task') given.tasks.push(taskOf(name, values));
    if (word === 'worker') given.workers.set(name, listed);
    if (word === 'merge') given.merges.set(name, listed);
    if (word === 'gate') given.gate.push(...listed);
    if (word === 'interrupt') given.interruptMs = seconds(name);
  }
  return given;
}

const taskOf = (id: string, values: Record<string, string>): Task => ({
  id,
  parallel_group: Number(values['wave']),
  assigned_persona: values['by'] ?? null,
  depends_on: values['after']?.split(',') ?? [],
  ...(values['reviews'] ? { reviews: values['reviews'] } : {}),
  ...(values['status'] ? { status: values['status'] } : {}),
  ...(values['attempts'] ? { attempts: Number(values['attempts']) } : {}),
});

const seconds = (text: string): number => Number(text.replace(/s$/, '')) * 1000;

function transportOf(given: Given, clock: ManualClock) {
  return scriptedTransport(
    ({ task: { id }, attempt }): ScriptedWorker => {
      const steps = given.workers.get(String(id)) ?? [];
      const [kind = 'done', after = '1s'] = (steps[attempt - 1] ?? steps.at(-1) ?? '').split(' ');
      const afterMs = seconds(after);
      if (kind === 'silent') return {};
      if (kind === 'late') return { peek: replyFor('done', id, attempt) };
      if (kind === 'crash')
        return {
          report: { kind: 'failed', cause: 'exit', detail: 'exit code 1', exitCode: 1 },
          afterMs,
        };
      if (kind === 'limit')
        return {
          report: { kind: 'failed', cause: 'usage-limit', detail: 'resets at 9 am' },
          afterMs,
        };
      if (kind === 'logged-out')
        return { report: { kind: 'failed', cause: 'account', detail: 'not logged in' }, afterMs };
      return { report: { kind: 'replied', reply: replyFor(kind, id, attempt) }, afterMs };
    },
    { clock },
  );
}

const acceptanceOf = ({ merges }: Given): Acceptance => ({
  accept: () => ({ kind: 'accepted' }),
  integrate: (_wave, accepted) =>
    accepted.map(({ task: { id }, attempt }) =>
      merges.get(String(id))?.[attempt - 1] === 'conflict'
        ? { kind: 'refused', taskId: id, cause: 'conflict', detail: 'both changed a.ts' }
        : { kind: 'merged', taskId: id },
    ),
});

function gateOf({ gate }: Given): Gate {
  const answers = [...gate];
  return () => {
    const [word = 'go', value = ''] = (answers.shift() ?? 'go').split(' ');
    if (word === 'wait') return { kind: 'wait', ms: seconds(value), reason: 'rate limit' };
    return word === 'park' ? { kind: 'park', detail: 'budget spent' } : { kind: 'go' };
  };
}

function line(event: RunEvent, ms: number): string {
  const time = `${(ms / 1000).toFixed(1)}s`.padStart(8);
  return `${time} ${event.type} ${detailOf(event)}`.trimEnd();
}

function detailOf(event: RunEvent): string {
  switch (event.type) {
    case 'run.started':
      return `${event.tasks.length} tasks`;
    case 'wave.opened':
      return `wave-${event.wave} (group ${event.group}, ${event.size} tasks)`;
    case 'wave.closed':
      return `wave-${event.wave}`;
    case 'attempt.started': {
      const { taskId, attempt, reviews } = event;
      return `${taskId} attempt ${attempt}${reviews ? ` reviews ${reviews.taskId} attempt ${reviews.attempt}` : ''}`;
    }
    case 'attempt.checked':
      return `${event.taskId} attempt ${event.attempt}: ${event.stage}`;
    case 'review.requested':
      return `${event.taskId} attempt ${event.attempt} by ${event.reviewers.join(', ')}`;
    case 'attempt.accepted':
      return `${event.taskId} attempt ${event.attempt}`;
    case 'attempt.closed':
      return `${event.taskId} attempt ${event.attempt}: ${closureStatus(event.closure)}`;
    case 'integration.started':
      return event.taskIds.join(', ');
    case 'integration.failed':
      return event.detail;
    case 'task.completed':
      return `${event.taskId}`;
    case 'task.replayed':
      return `${event.taskId} from attempt ${event.from.attempt} of ${event.from.runId}`;
    case 'integration.checked':
      return event.stage;
    case 'task.abandoned':
      return `${event.taskId} by ${event.by}: ${event.category}${event.upstreamId === null ? '' : ` (${event.upstreamId} is lost)`}`;
    case 'task.held':
      return `${event.taskId}: ${event.status}`;
    case 'escalation.raised': {
      const { surviving_state: left, worker, attempt, category } = event.escalation;
      const survivors = left
        ? `; ended: ${left.terminal_tasks.join(' ') || '-'}; open: ${left.outstanding_tasks.join(' ')}; artifacts: ${left.artifacts.join(' ') || '-'}`
        : '';
      return `${event.key} worker ${worker ?? '-'} attempt ${attempt} ${category}${survivors}`;
    }
    case 'escalation.delivered':
      return event.key;
    case 'run.parked':
      return `${event.cause}: ${event.detail}`;
    case 'run.interrupted':
      return event.reason;
    case 'run.finished':
      return event.verdict;
    case 'audit.noted':
      return `${event.taskId} attempt ${event.attempt}: ${event.field}`;
    case 'plan.taken':
    case 'run.resumed':
    case 'attempt.spawned':
    case 'attempt.replied':
      return '';
  }
}
