import { describeSmall } from './describe-small.ts';

describeSmall([
  ...['fold', 'journal', 'durable', 'cost', 'memory', 'preview', 'spawn', 'makespan', 'no-op'],
  ...['mixed', 'merged', 'restart', 'worktrees'],
]);
