import { type Recall, type Task, taskKey, upstreamEdges } from '@atelier/engine';
import type { JsonValue, Reply } from '@atelier/envelope';
import type { ForecastRow } from '@atelier/reporters';
import { changedParts } from './content-key.ts';
import type { EarlierWork } from './earlier-work.ts';
import { readPaths } from './read-paths.ts';
import { touched } from './touched.ts';
import { whyAnew } from './why-anew.ts';

/** What a run has made of a task so far. */
export interface Standing {
  readonly phase: string;
  readonly fate: Exclude<ForecastRow['fate'], 'replay' | 'unknown'>;
  readonly why: string;
  /** What it has delivered, where that is merged. */
  readonly reply?: Reply | undefined;
  readonly evidence?: JsonValue | undefined;
}

export interface ForecastSource {
  readonly tasks: readonly Task[];
  /** By wave, reviewers behind their authors. */
  readonly waves: readonly (readonly Task[])[];
  /** Answers for the commit that the run would go on from; absent where no earlier work may stand for a task. */
  readonly recall?: Recall;
  /** Of what a run has begun, by canonical id. */
  readonly standing?: ReadonlyMap<string, Standing>;
  /** Tasks that can not run, by canonical id, each with the task whose loss takes it along: itself where its attempts are spent. */
  readonly doomed?: ReadonlyMap<string, string>;
  readonly earlier: (key: string) => Promise<EarlierWork | undefined>;
  /** Whether waves are put to a gate, which may look at any file. */
  readonly isGated: boolean;
  /** What workers get from outside of git is not looked at, so that no key is quite what a run would record. */
  readonly isBlind: boolean;
  readonly changedFiles: (
    base: string | undefined,
    paths: readonly string[] | undefined,
  ) => Promise<readonly string[] | undefined>;
}

type Row = ForecastRow & Pick<Standing, 'reply' | 'evidence'>;

/**
 * What would become of each live task, wave by wave: what stands of a run, what an earlier run has merged already, and
 * what is done anew and why. Starts nothing. What a task reads of work that is still to be done is not known.
 */
export async function forecast(source: ForecastSource): Promise<readonly ForecastRow[]> {
  const { tasks, waves, standing, doomed = new Map<string, string>() } = source;
  const byKey = new Map(tasks.map((task) => [taskKey(task.id), task]));
  const edges = upstreamEdges(tasks);
  const rows = new Map<string, Row>();
  const work = touched();
  const next = async (task: Task): Promise<Row> => {
    const { id } = task;
    const key = taskKey(id);
    const known = standing?.get(key);
    const lost = known && known.phase !== 'pending' ? undefined : doomed.get(key);
    if (known && (lost === undefined || known.fate === 'abandon')) return { id, ...known };
    const phase = standing ? { phase: 'pending' } : {};
    if (lost !== undefined) return { id, ...phase, fate: 'abandon', why: whyLost(key, lost) };
    const upstreams = (edges.get(key) ?? []).map(({ upstream }) => upstream);
    return { id, ...phase, ...(await fresh(task, upstreams)) };
  };

  async function fresh(task: Task, upstreams: readonly string[]): Promise<Omit<Row, 'id'>> {
    const author = rows.get(taskKey(task.reviews ?? ''));
    if (author) return asItsAuthor(author);
    if (!source.recall) return { fate: 'rerun', why: 'no earlier work may stand for a task' };
    const moved = upstreams
      .flatMap((key) => rows.get(key) ?? [])
      .find(({ fate }) => !STANDS.has(fate));
    if (moved) return behind(moved);
    const before = await source.earlier(taskKey(task.id));
    if (!before) return { fate: 'rerun', why: 'no earlier run has merged work of it' };
    const upstream = upstreams.flatMap((key) => {
      const { reply, evidence } = rows.get(key) ?? {};
      const id = byKey.get(key)?.id;
      if (!reply || id === undefined) return [];
      return [{ taskId: id, reply, ...(evidence === undefined ? {} : { evidence }) }];
    });
    const sources = upstream.map(({ taskId, evidence }) => ({
      task: byKey.get(taskKey(taskId)),
      evidence,
    }));
    const paths = source.isGated ? undefined : readPaths(task, sources);
    const ahead = work.before(paths);
    if (ahead !== undefined)
      return paths === undefined
        ? { fate: 'rerun', why: `it may read any file, and task ${ahead} changes some before it` }
        : { fate: 'unknown', why: `task ${ahead} may change what it reads before it` };
    return await byContent(source, { task, upstream, paths, before });
  }

  for (const wave of waves) {
    for (const task of wave) rows.set(taskKey(task.id), await next(task));
    // The work of a wave is there from the next one on.
    for (const task of wave) {
      const row = rows.get(taskKey(task.id));
      if (row && !STANDS.has(row.fate)) work.add(task);
    }
  }
  return [...rows.values()].map(({ reply: _, evidence: __, ...row }) => row);
}

const whyLost = (key: string, lost: string): string =>
  lost === key ? 'its attempts are spent' : `it goes along with task ${lost}, which is lost`;

const STANDS: ReadonlySet<ForecastRow['fate']> = new Set(['kept', 'replay']);

const asItsAuthor = ({ id, fate }: Row): Omit<Row, 'id'> =>
  fate === 'replay'
    ? { fate, why: `with the work of task ${id}, which it approved` }
    : fate === 'unknown' || fate === 'abandon'
      ? { fate, why: `with task ${id}` }
      : { fate: 'rerun', why: `the work of task ${id} is to be reviewed` };

const behind = ({ id, fate }: Row): Omit<Row, 'id'> =>
  fate === 'unknown'
    ? { fate, why: `it builds on task ${id}, of which it is not known` }
    : fate === 'abandon'
      ? { fate, why: `it builds on task ${id}, which is given up` }
      : { fate: 'rerun', why: `it builds on task ${id}, whose work is new` };

interface Next {
  readonly task: Task;
  readonly upstream: Parameters<Recall['contentKey']>[0]['upstream'];
  readonly paths: readonly string[] | undefined;
  readonly before: EarlierWork;
}

async function byContent(
  { recall, isBlind, changedFiles }: ForecastSource,
  { task, upstream, paths, before }: Next,
): Promise<Omit<Row, 'id'>> {
  const contentKey = await recall?.contentKey({ runId: '', nonce: '', task, attempt: 1, upstream });
  if (contentKey === undefined)
    return { fate: 'rerun', why: 'what it depends on is too much to compare, or can not be read' };
  const found = await recall?.find(contentKey);
  if (found) {
    const { from, reply, evidence } = found;
    const why = `merged as attempt ${from.attempt} of run ${from.runId}`;
    return { fate: 'replay', why, reply, ...(evidence === undefined ? {} : { evidence }) };
  }
  const parts = changedParts(before.contentKey, contentKey);
  if (isBlind && parts?.length === 1 && parts[0] === 'files')
    return {
      fate: 'unknown',
      why: `run ${before.runId} has merged it; whether worktree.copy and worktree.link are as they were is not looked at`,
    };
  const compared = { task, contentKey, earlier: before };
  const files = () => changedFiles(before.base, paths);
  return { fate: 'rerun', why: await whyAnew({ ...compared, changedFiles: files }) };
}
