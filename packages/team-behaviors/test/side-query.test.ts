import { expect, it } from 'vitest';
import { memoryLedger, recordSideQuery, type SideQueryDocument } from '../src/index.ts';
import { codeOf } from './code-of.ts';

const query = { teamId: 't', workerRoleId: 'be', prompt: 'Why?', response: 'Because.' };

const bench = () => memoryLedger({ now: () => 0 });

it('TB-50: the row is first, and holds exactly the prompt, the response and the role', async () => {
  const ledger = bench();
  const seen: unknown[] = [];
  const { audit, mirrored } = recordSideQuery({
    ...{ ...query, ledger },
    mirror: (document) => seen.push([ledger.rows.length, document]),
  });
  expect(audit).toMatchObject({
    eventType: 'side_query',
    payload: { prompt: 'Why?', response: 'Because.', worker_role_id: 'be' },
  });
  expect(Object.keys(audit.payload)).toHaveLength(3);
  expect(await mirrored).toEqual({ kind: 'mirrored' });
  const document: SideQueryDocument = {
    ...{ domain: 'log', subdomain: 'side-query', title: 'Side query to be' },
    createdBy: 'human-side-query',
    body: '## Prompt\n\n> Why?\n\n## Response\n\n> Because.\n',
    metadata: { team_id: 't', prompt: 'Why?', response: 'Because.', worker_role_id: 'be' },
  };
  expect(seen).toEqual([[1, document]]);
});

it('TB-50: what the ledger throws is thrown, and nothing is copied', () => {
  const failing = {
    ...bench(),
    append: () => {
      throw new Error('disk');
    },
  };
  const seen: unknown[] = [];
  expect(() =>
    recordSideQuery({ ...query, ledger: failing, mirror: (document) => seen.push(document) }),
  ).toThrow('disk');
  expect(seen).toEqual([]);
});

it.each([
  [
    'throws',
    () => {
      throw new TypeError('no\u0007');
    },
    'TypeError: no\\x07',
  ],
  ['rejects', () => Promise.reject('gone'), 'gone'],
])('TB-51: a copy that %s is told, and the row stays', async (_, mirror, error) => {
  const ledger = bench();
  const { mirrored } = recordSideQuery({ ...query, ledger, mirror });
  expect(await mirrored).toEqual({ kind: 'failed', error });
  expect(ledger.rows).toHaveLength(1);
});

it('TB-51: nothing waits for a copy that hangs', () => {
  const ledger = bench();
  const mirror = () => new Promise(() => undefined);
  expect(recordSideQuery({ ...query, ledger, mirror }).audit.id).toBe(1);
});

it('a copy can not be left by a heading or a control character in the texts', async () => {
  const bodies: string[] = [];
  const prompt = 'a\n## Response\n\u001b]52;\r# b';
  const { mirrored } = recordSideQuery({
    ...{ ...query, prompt, ledger: bench() },
    mirror: ({ body }) => bodies.push(body),
  });
  await mirrored;
  expect(bodies[0]?.match(/^#.*$/gmu)).toEqual(['## Prompt', '## Response']);
  expect(bodies[0]).not.toContain('\u001b');
});

it('nothing in a copy is markup, a link or a mention; what a line begins with does not make code of it', async () => {
  const bodies: string[] = [];
  const response = '    <img src=x> [a](http://e.example) `b` @all\n\n- c';
  const { mirrored } = recordSideQuery({
    ...{ ...query, response, ledger: bench() },
    mirror: ({ body }) => bodies.push(body),
  });
  await mirrored;
  expect(bodies[0]?.split('\n').slice(-4)).toEqual([
    '> &nbsp;&nbsp;&nbsp;&nbsp;\\<img src=x\\> \\[a\\]\\(http:<!-- -->//e.example\\) \\`b\\` @<!-- -->all',
    ...['> ', '> \\- c', ''],
  ]);
});

it('texts are whole up to a bound, and say what was cut', () => {
  const ledger = bench();
  const long = '😀'.repeat(80_001);
  const { payload } = recordSideQuery({ ...query, ledger, prompt: long, response: '' }).audit;
  expect(payload['prompt']).toBe(`${'😀'.repeat(80_000)}… (1 more characters were cut)`);
  expect(payload['response']).toBe('');
});

it.each([{ prompt: 7 }, { response: undefined }, { workerRoleId: '' }])(
  'what is no side query is refused: %j',
  (wrong) => {
    const ledger = bench();
    const call = () => recordSideQuery({ ...query, ledger, ...wrong } as never);
    expect(['INVALID_SIDE_QUERY', 'INVALID_TEXT']).toContain(codeOf(call));
    expect(ledger.rows).toEqual([]);
  },
);
