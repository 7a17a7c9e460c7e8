import type { Task } from '@atelier/engine';
import type { Size } from '../row.ts';

/** The shapes that a plan of any size can have. */
const SHAPES = ['one wave', 'waves of 100', 'one chain', 'a star'] as const;

/** One shape shows that a bench works. */
export const shapesOf = (size: Size): readonly Shape[] =>
  size === 'full' ? SHAPES : ['one chain'];

export type Shape = (typeof SHAPES)[number];

/** A plan whose every task says what it reads and writes, so that either schedule can tell what is independent. */
export function shapedPlan(shape: Shape, size: number): Task[] {
  const { group, upstream } = LAYOUTS[shape];
  return Array.from({ length: size }, (_, index) => {
    const on = upstream(index);
    return {
      id: `t${index}`,
      parallel_group: group(index),
      created_at: '2026-01-01T00:00:00Z',
      title: `Task ${index}`,
      description: 'Answer at once.',
      depends_on: on === undefined ? [] : [`t${on}`],
      reads: on === undefined ? [] : [`out/t${on}`],
      writes: [`out/t${index}`],
    };
  });
}

interface Layout {
  readonly group: (index: number) => number;
  readonly upstream: (index: number) => number | undefined;
}

const LAYOUTS: Readonly<Record<Shape, Layout>> = {
  'one wave': { group: () => 1, upstream: () => undefined },
  'waves of 100': {
    group: (index) => Math.floor(index / 100) + 1,
    upstream: (index) => (index < 100 ? undefined : index - 100),
  },
  'one chain': {
    group: (index) => index + 1,
    upstream: (index) => (index === 0 ? undefined : index - 1),
  },
  'a star': {
    group: (index) => (index === 0 ? 1 : 2),
    upstream: (index) => (index === 0 ? undefined : 0),
  },
};
