import type { Git } from '../git/git.ts';
import { safeName } from '../safe-name.ts';
import type { SavedWork } from './list-salvage.ts';

/** A ref of saved work, by what git says of it and its commit. */
export type SavedRef = Pick<
  SavedWork,
  'ref' | 'run' | 'task' | 'attempt' | 'after' | 'commit' | 'savedAt'
> & {
  /** The commit it started from, as the message has it. */
  readonly told?: string;
};

const SHAPE = /^refs\/atelier\/([a-z0-9-]+)\/([a-z0-9-]+)\/([1-9]\d{0,8})(-after)?$/;

const FIELDS = [
  'refname',
  'objecttype',
  'objectname',
  'committerdate:unix',
  // Both at once: until git 2.47 a second field with a key changes what the first one gives.
  'contents:trailers:key=Atelier-Task,key=Atelier-Base,unfold',
];

/** Lists refs of saved work, one or all. What has another shape under `refs/atelier` is not ours to show. */
export async function listSavedRefs(refs: Git, only?: string): Promise<SavedRef[]> {
  const format = `${FIELDS.map((field) => `%(${field})`).join('%00')}%00%01`;
  const { stdout } = await refs(['for-each-ref', `--format=${format}`, only ?? 'refs/atelier/']);
  return stdout
    .toString('utf8')
    .split('\0\x01\n')
    .flatMap((entry) => {
      const [ref = '', type, commit = '', seconds, trailers = ''] = entry.split('\0');
      const [, run, slug, attempt, after] = SHAPE.exec(ref) ?? [];
      if (run === undefined || slug === undefined || type !== 'commit') return [];
      const told = toldIn(trailers, 'Atelier-Base');
      return [
        {
          ...{ ref, run, commit },
          task: taskOf(toldIn(trailers, 'Atelier-Task'), slug),
          attempt: Number(attempt),
          after: after !== undefined,
          savedAt: Number(seconds) * 1000,
          ...(OBJECT_NAME.test(told) ? { told } : {}),
        },
      ];
    });
}

/** The last of a key: the product writes its own below a worker’s. */
const toldIn = (trailers: string, key: string): string =>
  trailers
    .split('\n')
    .findLast((line) => line.startsWith(`${key}: `))
    ?.slice(key.length + 2)
    .trim() ?? '';

const OBJECT_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The task’s id, if the message tells it. The message may be a worker’s: it is believed where the ref agrees. */
function taskOf(text: string, slug: string): string {
  try {
    const told: unknown = JSON.parse(text);
    return typeof told === 'string' && safeName(told) === slug ? told : slug;
  } catch {
    return slug;
  }
}
