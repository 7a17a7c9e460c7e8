import {
  type Answer,
  type BriefedTask,
  type BriefingInput,
  composeBriefing,
  type HandIn,
  type TeamChat,
} from '@atelier/briefing';
import {
  type Briefing,
  closureStatus,
  type Policy,
  type ReviewedWork,
  type Task,
} from '@atelier/engine';
import { personaOfTask, type Roster } from '@atelier/team-behaviors';
import { continuesFrom, type Run } from '@atelier/worktrees';

interface BriefingOptions {
  readonly handIn: HandIn;
  readonly caps: Pick<Policy, 'maxAttempts' | 'wallClockMs'>;
  /** Where the work of earlier attempts is kept. */
  readonly work: Pick<Run, 'savedRef'>;
  /** Who the workers are told to be. */
  readonly roster: Roster;
  /** What people answered to the escalations of a task, the latest last. */
  readonly answersTo?: (task: Task) => readonly Answer[];
  /** Only where there is one. */
  readonly chat?: TeamChat | undefined;
}

/**
 * What workers are told: who they are, the task, how its last attempt ended, what its upstreams delivered, what to
 * review. A task that names a persona that the roster lacks has no briefing, and that fails its attempt.
 */
export function briefingOf(options: BriefingOptions): Briefing {
  const { handIn, caps, work, roster, answersTo, chat } = options;
  return async ({ task, attempt, previous, upstream, review }) => {
    const ref = previous && (await work.savedRef({ taskId: task.id, attempt: attempt - 1 }));
    return composeBriefing({
      task: { ...briefedTask(task), persona: personaOfTask(roster, task).profile },
      attempt,
      ...caps,
      handIn,
      ...(chat ? { chat } : {}),
      answers: answersTo?.(task) ?? [],
      ...(Number.isSafeInteger(task.parallel_group)
        ? { wave: { group: Number(task.parallel_group) } }
        : {}),
      ...(previous
        ? {
            previous: {
              summary: closureStatus(previous),
              ...(previous.kind === 'held' && typeof previous.reply.notes_md === 'string'
                ? { notes: previous.reply.notes_md }
                : {}),
              ...(previous.kind === 'failed' && previous.findings !== undefined
                ? { findings: previous.findings }
                : {}),
              ...(ref === undefined ? {} : { ref, continued: continuesFrom(previous) }),
            },
          }
        : {}),
      ...(review ? { review: briefedReview(review) } : {}),
      upstream: upstream.map(({ taskId, reply }) => ({
        taskId,
        artifacts: reply.artifacts.flatMap(pathOf),
        ...(typeof reply.notes_md === 'string' ? { notes: reply.notes_md } : {}),
      })),
    });
  };
}

function briefedTask(task: Task): BriefedTask {
  const { id, title, phase, description, acceptance, verify, reads, writes } = task;
  const { must_produce, reviews } = task;
  const reviewing = reviews !== undefined && reviews !== null;
  return {
    id,
    ...(title === undefined ? {} : { title }),
    ...(typeof phase === 'string' ? { phase } : {}),
    ...(description === undefined ? {} : { description }),
    ...(acceptance === undefined ? {} : { acceptance }),
    ...(verify === undefined ? {} : { verify }),
    ...(reads ? { reads } : {}),
    ...(writes || reviewing ? { writes: writes ?? [] } : {}),
    ...(must_produce ? { must_produce } : {}),
  };
}

function briefedReview({
  task,
  attempt,
  reply,
  evidence,
}: ReviewedWork): NonNullable<BriefingInput['review']> {
  const { title, description, acceptance } = task;
  const { base, commit, files, omitted } = Object(evidence) as { readonly [key: string]: unknown };
  return {
    taskId: task.id,
    attempt,
    files: Array.isArray(files) ? files.filter(isChange) : [],
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(acceptance === undefined ? {} : { acceptance }),
    ...(typeof reply.notes_md === 'string' ? { notes: reply.notes_md } : {}),
    base: typeof base === 'string' ? base : '',
    ...(typeof commit === 'string' ? { commit } : {}),
    ...(typeof omitted === 'number' ? { omitted } : {}),
  };
}

type BriefedChange = NonNullable<BriefingInput['review']>['files'][number];

const STATUSES: ReadonlySet<unknown> = new Set<BriefedChange['status']>([
  'added',
  'modified',
  'deleted',
  'type-changed',
]);

const isChange = (file: unknown): file is BriefedChange => {
  const { path, status } = Object(file) as { readonly path?: unknown; readonly status?: unknown };
  return typeof path === 'string' && STATUSES.has(status);
};

function pathOf(artifact: unknown): string[] {
  if (typeof artifact === 'string') return [artifact];
  const { path } = Object(artifact) as { readonly path?: unknown };
  return typeof path === 'string' ? [path] : [];
}
