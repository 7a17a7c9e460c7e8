import type { Route, Turn } from './route.ts';

const DONE: Turn = {
  kind: 'reply',
  envelope: {
    status: 'done',
    artifacts: [{ kind: 'file', path: '{{task_id}}.txt' }],
    notes_md: 'Wrote the file.',
  },
};

/** The conversations that most tests need. A prompt picks one by its marker. */
export const ROUTES: readonly Route[] = [
  { marker: '[[reply]]', turns: [DONE] },
  {
    marker: '[[write]]',
    turns: [
      {
        kind: 'use',
        tool: 'Write',
        input: { file_path: '{{cwd}}/{{task_id}}.txt', content: 'made by {{task_id}}\n' },
      },
      {
        kind: 'use',
        tool: 'Bash',
        input: { command: 'cat *.txt', description: 'Read the file back' },
      },
      DONE,
    ],
  },
  { marker: '[[prose]]', turns: [{ kind: 'say', text: 'All done, nothing to add.' }] },
  {
    marker: '[[invalid]]',
    turns: [{ kind: 'reply', envelope: { status: 'splendid', artifacts: [], notes_md: '' } }],
  },
  { marker: '[[401]]', turns: [{ kind: 'fail', status: 401, message: 'invalid x-api-key' }] },
  {
    marker: '[[429]]',
    turns: [{ kind: 'fail', status: 429, message: 'slow down', headers: { 'retry-after': '1' } }],
  },
  { marker: '[[529]]', turns: [{ kind: 'fail', status: 529, message: 'Overloaded' }] },
  { marker: '[[stall]]', turns: [{ kind: 'stall', after: 'half' }] },
];
