import type { TeamChat } from '@atelier/briefing';
import { closureStatus, type RunEvent, type Task, taskKey } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import {
  buildTeamChatContext,
  channelOfRun,
  detect,
  type LoomCounters,
  type LoomRun,
  openRun,
} from '@atelier/loom-comms';
import type { Environment } from '../environment.ts';
import type { ChatNames } from './chat-names.ts';
import { LEAD } from './current-team.ts';
import { longTexts } from './long-texts.ts';
import { roleOf } from './role-of.ts';

/** The chat that people watch a run in. Nothing here rejects, and nothing of the run depends on it. */
export interface Chat {
  readonly available: boolean;
  /** What briefings say of it; undefined without one. */
  readonly told: TeamChat | undefined;
  kickoff(goal: string, tasks: readonly Task[]): Promise<void>;
  /** Posts as a role, to all. It waits for nothing. */
  say(role: string, text: string): void;
  /** Posts what people would want to see of an event. It waits for nothing. */
  onEvent(event: RunEvent): void;
  teardown(): Promise<void>;
  /** What came of it; nothing without one. */
  came(): { readonly chat?: LoomCounters };
}

/** The chat of a run before one was looked for. */
export const silentChat: Chat = {
  available: false,
  told: undefined,
  kickoff: async () => undefined,
  say: () => undefined,
  onEvent: () => undefined,
  teardown: async () => undefined,
  came: () => ({}),
};

export interface ChatOptions {
  readonly runId: string;
  /** Where the chat of this workspace may be found, and long texts are put. */
  readonly root: string;
  readonly roles: readonly string[];
  readonly tasks: readonly Task[];
  /** Where names are kept, so that a later host can sign off what a killed one has left. */
  readonly names: ChatNames;
  readonly warn: (message: string) => void;
}

/** Looks for a chat server, for at most two seconds, unless the environment forbids it, and opens the run's part of it. */
export async function openChat(
  { runId, root, roles, tasks, names, warn }: ChatOptions,
  { whole: env }: Pick<Environment, 'whole'>,
): Promise<Chat> {
  const status = await detect({ env, root });
  const channel = channelOfRun(runId);
  const context = buildTeamChatContext(status, { channel });
  const run = openRun(status, {
    ...{ runId, channel, root, lead: LEAD, members: roles },
    ...{ store: names, onTrouble: warn },
  });
  const texts = longTexts(status.available ? status.maxBody : Number.POSITIVE_INFINITY);
  const speakers = tasks.filter((task) => roles.includes(roleOf(task)));
  const roleOfTask = new Map(speakers.map((task) => [taskKey(task.id), roleOf(task)]));
  return {
    available: run.available,
    told: context.transport === 'loom-relay' ? context : undefined,
    async kickoff(goal, given) {
      if (!run.available) return;
      const goals = Object.entries(goalsOf(given)).map(([role, text]) => [role, texts.fit(text)]);
      const { spilled } = await run.kickoff({
        ...{ teamGoal: texts.fit(goal), individualGoals: Object.fromEntries(goals) },
      });
      for (const file of spilled) await texts.keptIn(file);
      // After the goals, and nothing waits for it.
      void signOffOthers(run, { names, runId });
    },
    say: (role, text) =>
      void run
        .say(role, EVERYONE, texts.fit(text))
        .then(({ spilled }) => (spilled === undefined ? undefined : texts.keptIn(spilled))),
    onEvent(event) {
      if ('taskId' in event) relay(run, event, roleOfTask.get(taskKey(event.taskId)) ?? LEAD);
      else if (event.type === 'escalation.raised') {
        const { task_id, category, last_status } = event.escalation;
        void run.announce(
          `Escalated: task ${printable(task_id)}, ${printable(category)}, ${printable(last_status, 200)}`,
        );
      }
    },
    async teardown() {
      await run.teardown();
    },
    came: () => (run.available ? { chat: run.counters() } : {}),
  };
}

const EVERYONE = '@here';

/** What can not be signed off or noted now is left for the next host. */
async function signOffOthers(
  run: LoomRun,
  { names, runId }: Pick<ChatOptions, 'names' | 'runId'>,
): Promise<void> {
  try {
    names.forget(await run.signOffLeft(names.leftBefore(runId)));
  } catch {
    // The ledger could not be read or written.
  }
}

/** A dispatch, and the first line of what a worker says when it is over. */
function relay(run: LoomRun, event: RunEvent, role: string): void {
  const say = (taskId: Task['id'], text: string) => void run.relay(role, String(taskId), text);
  if (event.type === 'attempt.started') say(event.taskId, `attempt ${event.attempt} begins`);
  else if (event.type === 'attempt.accepted')
    say(event.taskId, `done: ${firstLine(event.reply.notes_md)}`);
  else if (event.type === 'attempt.closed') {
    const { closure } = event;
    const notes = 'reply' in closure ? firstLine(closure.reply.notes_md) : '';
    say(event.taskId, notes === '' ? closureStatus(closure) : notes);
  }
}

const firstLine = (notes: unknown): string =>
  typeof notes === 'string' ? (notes.slice(0, 2_000).split(/[\r\n\u2028\u2029]/u, 1)[0] ?? '') : '';

/** What each role has to do, in a line for each of its tasks. */
function goalsOf(tasks: readonly Task[]): Readonly<Record<string, string>> {
  const lines = new Map<string, string[]>();
  for (const task of tasks) {
    const role = roleOf(task);
    const line = `${printable(task.id)}: ${printable(task.title ?? task.description ?? 'no title', 200)}`;
    const known = lines.get(role);
    if (known) known.push(line);
    else lines.set(role, [line]);
  }
  return Object.fromEntries([...lines].map(([role, all]) => [role, all.join('\n')]));
}
