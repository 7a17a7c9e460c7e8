import { createRequire } from 'node:module';
import type { PlanKey } from '@atelier/briefing';

interface PlanSchema {
  readonly $defs: {
    readonly task: {
      readonly required: readonly string[];
      readonly properties: Readonly<Record<string, { readonly description: string }>>;
    };
  };
}

/** What has happened to a task, and a second name: a proposal has none of them. */
const NOT_PROPOSED: ReadonlySet<string> = new Set([
  'created_at',
  'status',
  'attempts',
  'assigned_to',
]);

/** What the published schema of the format says of the keys of a task, as far as a proposal may have them. */
export function planKeys(): readonly PlanKey[] {
  const schema: PlanSchema = createRequire(import.meta.url)('@atelier/engine/plan.schema.json');
  const { required, properties } = schema.$defs.task;
  // Only a task that is over needs no wave, and no proposed one is.
  const needed = new Set([...required, 'parallel_group']);
  return Object.entries(properties)
    .filter(([name]) => !NOT_PROPOSED.has(name))
    .map(([name, { description: meaning }]) => ({ name, meaning, required: needed.has(name) }));
}
