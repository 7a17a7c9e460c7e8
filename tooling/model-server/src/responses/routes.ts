import type { ResponsesRoute, ResponsesTurn } from './route.ts';

const DONE: ResponsesTurn = {
  kind: 'reply',
  envelope: {
    status: 'done',
    artifacts: [{ kind: 'file', path: '{{task_id}}.txt' }],
    notes_md: 'Wrote the file.',
  },
};

const MODEL_UNKNOWN = 'The model `none` does not exist or you do not have access to it.';

const fail = (
  marker: string,
  status: number,
  more: Omit<Extract<ResponsesTurn, { kind: 'fail' }>, 'kind' | 'status'> = {},
): ResponsesRoute => ({ marker, turns: [{ kind: 'fail', status, ...more }] });

/** Conversations of the responses API that most tests need. A prompt picks one by its marker. */
export const RESPONSES_ROUTES: readonly ResponsesRoute[] = [
  { marker: '[[reply]]', turns: [DONE] },
  {
    marker: '[[write]]',
    turns: [
      { kind: 'run', say: 'I write it.', command: "echo 'made by {{task_id}}' > {{task_id}}.txt" },
      { kind: 'run', command: 'cat *.txt' },
      DONE,
    ],
  },
  { marker: '[[prose]]', turns: [{ kind: 'say', text: 'All done: {"status": "done"}' }] },
  {
    marker: '[[invalid]]',
    turns: [{ kind: 'reply', envelope: { status: 'splendid', artifacts: [], notes_md: '' } }],
  },
  fail('[[400]]', 400, { message: 'a field is not known' }),
  fail('[[401]]', 401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }),
  fail('[[403]]', 403, { message: 'Country not supported' }),
  fail('[[404]]', 404, { message: MODEL_UNKNOWN, code: 'model_not_found' }),
  fail('[[413]]', 413, { message: 'too large' }),
  fail('[[429]]', 429, { message: 'Rate limit reached' }),
  fail('[[429 wait]]', 429, { message: 'Rate limit reached', headers: { 'retry-after': '1' } }),
  fail('[[429 later]]', 429, {
    message: 'Rate limit reached',
    headers: { 'retry-after': '86400' },
  }),
  fail('[[quota]]', 429, {
    message: 'You exceeded your current quota',
    code: 'insufficient_quota',
  }),
  fail('[[limit]]', 429, {
    message: 'The usage limit has been reached',
    more: { type: 'usage_limit_reached', plan_type: 'plus', resets_at: 4_000_000_000 },
  }),
  fail('[[500]]', 500, { message: 'The server had an error' }),
  fail('[[503]]', 503, { message: 'The engine is overloaded' }),
  fail('[[529]]', 529, { message: 'Overloaded' }),
  {
    marker: '[[context]]',
    turns: [{ kind: 'failed', code: 'context_length_exceeded', message: 'Your input is too long' }],
  },
  {
    marker: '[[capacity]]',
    turns: [{ kind: 'failed', code: 'server_is_overloaded', message: 'Overloaded' }],
  },
  { marker: '[[reset]]', turns: [{ kind: 'reset', after: 'half' }] },
  { marker: '[[reset early]]', turns: [{ kind: 'reset', after: 'nothing' }] },
  { marker: '[[hang]]', turns: [{ kind: 'stall', after: 'nothing' }] },
  { marker: '[[stall]]', turns: [{ kind: 'stall', after: 'half' }] },
  { marker: '[[garbage]]', turns: [{ kind: 'garbage', text: '<html>Bad gateway</html>' }] },
];
