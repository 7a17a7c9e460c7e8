import type { PlanPreview, PreviewTask } from '@atelier/engine/plan';
import { graphLabel } from './graph-label.ts';
import { waveName } from './wave-name.ts';

/** What Mermaid draws unless it is told otherwise. A part of a graph would look like the whole. */
const MOST = { tasks: 500, edges: 500, characters: 50_000 };

const LONGEST_ID = 40;
const LONGEST_TITLE = 60;

/**
 * The waves of a plan and what its tasks wait for as the text of a Mermaid flowchart: a solid arrow for `depends_on`, a
 * dotted one for what is read, a thick one for a review. Upstreams that are closed are left out. Titles are left out
 * where there is no room for them. Undefined for more than Mermaid draws: 500 tasks or edges, or 50,000 characters.
 */
export function renderGraph(preview: PlanPreview): string | undefined {
  const { waves } = preview;
  const names = new Map<string, string>();
  let edges = 0;
  for (const { tasks } of waves)
    for (const { id, depends_on } of tasks) {
      names.set(String(id), `n${names.size}`);
      edges += depends_on.length;
      if (names.size > MOST.tasks || edges > MOST.edges) return undefined;
    }
  const full = textOf(preview, names, true);
  if (full.length <= MOST.characters) return full;
  const short = textOf(preview, names, false);
  return short.length <= MOST.characters ? short : undefined;
}

type Names = ReadonlyMap<string, string>;

function textOf({ waves }: PlanPreview, names: Names, titled: boolean): string {
  const lines = ['flowchart TD'];
  for (const { wave, group, tasks } of waves) {
    lines.push(`  subgraph w${wave}["wave ${graphLabel(waveName(wave + 1, group), LONGEST_ID)}"]`);
    for (const task of tasks) lines.push(`    ${nameOf(task, names)}["${labelOf(task, titled)}"]`);
    lines.push('  end');
  }
  for (const { tasks } of waves) for (const task of tasks) lines.push(...edgesOf(task, names));
  return `${lines.join('\n')}\n`;
}

const nameOf = ({ id }: Pick<PreviewTask, 'id'>, names: Names): string =>
  names.get(String(id)) ?? '';

function labelOf({ id, title }: PreviewTask, titled: boolean): string {
  const name = graphLabel(id, LONGEST_ID);
  return titled && title !== '' ? `${name}<br/>${graphLabel(title, LONGEST_TITLE)}` : name;
}

function* edgesOf({ id, depends_on, reads_from = [], reviews }: PreviewTask, names: Names) {
  const read = new Set(reads_from);
  for (const upstream of depends_on) {
    const from = names.get(upstream);
    if (from === undefined) continue;
    const arrow = upstream === reviews ? '==>|review|' : read.has(upstream) ? '-.->|reads|' : '-->';
    yield `  ${from} ${arrow} ${nameOf({ id }, names)}`;
  }
}
