import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Predicate, summary, tasksIn, type WaveTask, wave, without } from './wave.ts';

/** Each task writes a file of its own and perhaps its id into a shared one, so that some conflict. */
const tasks = fc
  .array(fc.option(fc.constantFrom('x', 'y'), { nil: undefined }), { maxLength: 9 })
  .map((shared) =>
    shared.map((file, at): WaveTask => {
      const id = `t${at}`;
      return file === undefined ? { id } : { id, files: { [file]: id } };
    }),
  );

const pairs = fc
  .array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 5 })
  .map((list) => without(...list.map(([one, other]) => [`t${one}`, `t${other}`] as const)));

/** Any verdict on any set, but for the empty one: as arbitrary as a flaky project, and as repeatable as a gate should be. */
const anyGate = fc.nat(0xffff).map(
  (seed): Predicate =>
    (set) =>
      set.size === 0 ||
      ([...set].reduce((hash, id) => hash * 31 + Number(id.slice(1)) + 7, seed) & 3) !== 0,
);

const sharedBy = (task: WaveTask | undefined): string[] => Object.keys(task?.files ?? {});

it.each([
  ['pairs that do not go together', pairs],
  ['a gate that follows no rule', anyGate],
])(
  '%s: the branch is green, and each refusal is true of what was kept before it',
  async (_name, gates) => {
    await fc.assert(
      fc.asyncProperty(tasks, gates, async (plan, isGreen) => {
        const { integrate, workspace, asked } = await wave(plan, isGreen);
        const results = await integrate();
        expect(results.map(({ taskId }) => taskId)).toEqual(plan.map(({ id }) => id));
        const merged = tasksIn(workspace.files(await workspace.tip()));
        expect(isGreen(merged)).toBe(true);
        const kept = new Set<string>();
        const taken = new Set<string>();
        for (const [at, line] of summary(results).entries()) {
          const [verdict, id = ''] = line.split(' ');
          const files = sharedBy(plan[at]);
          const conflicts = files.some((file) => taken.has(file));
          expect(verdict === 'conflict').toBe(conflicts);
          expect(verdict === 'merged').toBe(merged.has(id));
          if (verdict === 'wave-gate') expect(isGreen(new Set([...kept, id]))).toBe(false);
          if (verdict !== 'merged') continue;
          kept.add(id);
          for (const file of files) taken.add(file);
        }
        expect([...merged]).toEqual([...kept]);
        expect(workspace.checkouts.size).toBe(0);
        const refused = results.filter(
          (one) => one.kind === 'refused' && one.cause === 'wave-gate',
        );
        const halvings = Math.ceil(Math.log2(plan.length + 1));
        expect(asked.length).toBeLessThanOrEqual(
          1 + (refused.length && 1) + refused.length * (halvings + 1),
        );
      }),
      { numRuns: 300 },
    );
  },
);

it('a red base throws and moves nothing, whatever the wave; an empty wave asks nobody', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, async (plan) => {
      const { integrate, workspace, asked } = await wave(plan, () => false);
      const tip = await workspace.tip();
      if (plan.length === 0) expect(await integrate()).toEqual([]);
      else await expect(integrate()).rejects.toMatchObject({ code: 'BASE_RED' });
      expect(asked.length === 0).toBe(plan.length === 0);
      expect(await workspace.tip()).toBe(tip);
      expect(workspace.checkouts.size).toBe(0);
    }),
    { numRuns: 100 },
  );
});
