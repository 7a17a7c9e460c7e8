import type { UpstreamWork } from './briefing-input.ts';
import { fence, fenceNames, NOTES_LIMIT } from './fence.ts';
import { textOrder } from './text-order.ts';

/** Upstream tasks told about before they are only counted. */
const UPSTREAMS = 50;

/** Characters of the paths that one of them delivered. */
const ARTIFACTS_LIMIT = 4000;

/** What the tasks that this one builds on delivered, sorted by their ids. */
export function upstreamSection(upstream: readonly UpstreamWork[]): string {
  const sorted = upstream.toSorted((a, b) => textOrder(String(a.taskId), String(b.taskId)));
  const rest = sorted.length - UPSTREAMS;
  return [
    `# What earlier tasks delivered

It is merged into your folder.`,
    ...sorted.slice(0, UPSTREAMS).flatMap(upstreamLines),
    ...(rest > 0 ? [`${rest} more earlier tasks are not shown.`] : []),
  ].join('\n');
}

const upstreamLines = ({ taskId, artifacts, notes }: UpstreamWork): string[] => [
  fenceNames('earlier task', [taskId]),
  ...(artifacts.length === 0 ? [] : [fenceNames('artifacts', artifacts, ARTIFACTS_LIMIT)]),
  ...(notes === undefined ? [] : [fence('notes', notes, NOTES_LIMIT)]),
];
