import type { Task } from '@atelier/engine';
import { printable } from '@atelier/envelope';

/** Keys that tell nothing of what is planned. */
const IGNORED: ReadonlySet<string> = new Set(['id', 'created_at']);

/**
 * What a changed plan says differently, a line for each task: `+` new, `-` gone, `~` changed with the keys that
 * differ. Empty when nothing but the order or the moment of loading differs.
 */
export function renderPlanChange(before: readonly Task[], after: readonly Task[]): string {
  const old = new Map(before.map((task) => [String(task.id), task]));
  const lines = after.flatMap((task) => {
    const known = old.get(String(task.id));
    old.delete(String(task.id));
    if (!known) return [`+ ${printable(task.id)}`];
    const keys = changedKeys(known, task);
    return keys.length > 0
      ? [`~ ${printable(task.id)}: ${keys.map((key) => printable(key)).join(', ')}`]
      : [];
  });
  for (const id of old.keys()) lines.push(`- ${printable(id)}`);
  return lines.map((line) => `${line}\n`).join('');
}

function changedKeys(before: Task, after: Task): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter(
    (key) => !IGNORED.has(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
}
