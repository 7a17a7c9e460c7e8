import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@atelier/engine';
import { afterEach, expect, it } from 'vitest';
import { machineClock } from '../src/machine-clock.ts';
import { ATTESTED, envelope, leaves, type Stage, stage } from './stage.ts';

const SOURCES = join(import.meta.dirname, '../src');

/**
 * Where the time of day is no part of a deadline: the clock itself, what is told to people, and what a provider tells by
 * it: when a limit ends, when to ask again, when a login expires.
 */
const MAY_READ_THE_TIME = [
  'agents/claude/claude-agent.ts',
  'agents/claude/reset-time.ts',
  'agents/codex/codex-agent.ts',
  'agents/codex/event-reader.ts',
  'agents/codex/reset-time.ts',
  'api-proxy/credentials/login-file.ts',
  'api-proxy/exchange.ts',
  'api-proxy/retry-after.ts',
  'attempt-meta.ts',
  'ending.ts',
  'machine-clock.ts',
];

it('O-44: no deadline reads the time of day', () => {
  const readers = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => /\bDate\b|\.wall\(/.test(readFileSync(join(SOURCES, path), 'utf8')));
  expect(readers.sort()).toEqual(MAY_READ_THE_TIME);
});

it('O-44: what the time of day is for is written down for people only', () => {
  const source = readFileSync(join(SOURCES, 'attempt-meta.ts'), 'utf8');
  expect(source.match(/\bDate\b|\.wall\(/g)).toHaveLength(2);
  expect(source).toContain('startedAt: new Date(clock.wall()).toISOString()');
});

let on: Stage | undefined;
afterEach(() => on?.close());

it('O-44: a wall clock that is stepped takes nothing from a worker, and gives it nothing', async () => {
  on = stage(ATTESTED);
  let steps = 0;
  const wall = () => {
    steps += 1;
    return steps % 2 === 0 ? 0 : 2 ** 42;
  };
  const clock: Clock = { ...machineClock, wall };
  const transport = on.transport(on.script(`${leaves()}; sleep 0.2`), { clock });
  const first = await on.start(transport);
  // One that has not begun would not begin any more: whoever adopts takes its permit away.
  await expect.poll(() => first.peek(), { timeout: 30_000 }).toBeDefined();
  const second = await transport.adopt?.(on.order(), new AbortController().signal);
  expect(second?.wallClockLeftMs).toBeGreaterThan(0);
  expect(second?.wallClockLeftMs).toBeLessThanOrEqual(60_000);
  for (const handle of [first, second])
    expect(await handle?.report).toEqual({ kind: 'replied', reply: envelope() });
});
