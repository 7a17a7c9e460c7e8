import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Escalation } from '../src/index.ts';
import { eventTransport, observe, rowOf, type Scenario, scannedTransport } from './scenario.ts';

const load = (name: string): Scenario[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8'));

const CLOSED = new Set(['complete', 'abandoned', 'held']);

type Expected = Scenario['expect']['escalations'][number];

/** An escalation in the words of the data, which names any acceptable upstream and leaves out texts. */
function inTermsOf(expected: Expected | undefined, actual: Escalation) {
  const { task_id, worker, attempt, category, last_status, upstream_task_id } = actual;
  const upstreams = expected?.upstream_any_of ?? [];
  const actualUpstream = upstream_task_id === null ? [] : [String(upstream_task_id)];
  const named = actualUpstream.some((id) => upstreams.includes(id));
  return {
    kind: actual.kind,
    task_id,
    worker,
    attempt,
    category,
    cascade: last_status === 'cascade',
    upstream_any_of: named ? upstreams : actualUpstream,
  };
}

const withoutSurvivors = ({ surviving_state: _, ...rest }: Expected) => rest;

const byTask = <T extends { readonly task_id: unknown }>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => (String(a.task_id) < String(b.task_id) ? -1 : 1));

const transports = { 'event by event': eventTransport, 'polled every 0.2 s': scannedTransport };

describe.each(Object.entries(transports))('engine.json, %s', (_, transportOf) => {
  it.each(load('engine.json').map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_name, scenario) => {
      const seen = await observe(scenario, transportOf);
      const { expect: expected } = scenario;
      expect(seen.waves).toEqual(expected.waves);
      expect([...new Set(seen.spawned)]).toEqual(expected.first_spawn_order);
      expect(seen.spawned.length).toBe(expected.spawns);
      for (const outcome of seen.report.outcomes)
        expect(rowOf(outcome)).toEqual({
          category: null,
          ...expected.tasks[String(outcome.taskId)],
        });
      const live = scenario.tasks.filter(({ status }) => !CLOSED.has(status ?? ''));
      expect(seen.report.outcomes.length).toBe(live.length);
      expect(
        seen.report.escalations.map((one, i) => inTermsOf(expected.escalations[i], one)),
      ).toEqual(expected.escalations.map(withoutSurvivors));
      seen.report.escalations.forEach((escalation, i) => {
        const due = expected.escalations[i]?.surviving_state;
        if (due) expect(escalation.surviving_state).toMatchObject(due);
        else expect(escalation.surviving_state).toBeUndefined();
      });
      expect(seen.delivered).toEqual(seen.report.escalations);
    },
  );
});

describe.each(Object.entries(transports))('engine-resumed.json, %s', (_, transportOf) => {
  it.each(load('engine-resumed.json').map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_name, scenario) => {
      const seen = await observe(scenario, transportOf);
      const { expect: expected } = scenario;
      expect(seen.waves).toEqual(expected.waves);
      expect([...new Set(seen.spawned)]).toEqual(expected.first_spawn_order);
      expect(seen.spawned.length).toBe(expected.spawns);
      for (const outcome of seen.report.outcomes)
        expect(rowOf(outcome)).toEqual({
          category: null,
          ...expected.tasks[String(outcome.taskId)],
        });
      const escalations = byTask(expected.escalations);
      expect(
        byTask(seen.report.escalations).map((one, i) => inTermsOf(escalations[i], one)),
      ).toEqual(escalations.map(withoutSurvivors));
    },
  );
});
