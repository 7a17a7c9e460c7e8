import type { Task } from '@atelier/engine';

/** A plan of `size` tasks in `waves` waves, each depending on its namesake one wave earlier. */
export function layeredPlan(size: number, waves: number): Task[] {
  const width = Math.ceil(size / waves);
  return Array.from({ length: size }, (_, i) => ({
    id: `t${i}`,
    parallel_group: Math.floor(i / width) + 1,
    created_at: '2026-01-01T00:00:00Z',
    title: `Task ${i}`,
    depends_on: i >= width ? [`t${i - width}`] : [],
  }));
}
