/** One fence of a briefing. */
export interface Fence {
  readonly label: string;
  readonly text: string;
  readonly cut: number;
}

/** Reads a briefing as its rules describe it, knowing nothing of how one is made. Throws where it does not keep to them. */
export function readBriefing(briefing: string): {
  readonly fences: readonly Fence[];
  readonly outside: string;
} {
  const fences: Fence[] = [];
  const outside: string[] = [];
  let open: { readonly label: string; readonly lines: string[] } | undefined;
  for (const line of briefing.split('\n')) {
    const closed = /^>>>(?: (\d+) more (?:characters|names) were cut)?$/.exec(line);
    if (open && line.startsWith('| ')) open.lines.push(line.slice(2));
    else if (open && closed) {
      fences.push({
        label: open.label,
        text: open.lines.join('\n'),
        cut: Number(closed[1] ?? 0),
      });
      open = undefined;
    } else if (open) throw new Error(`a line without a mark in a fence: ${line}`);
    else if (line.startsWith('<<< ')) {
      open = { label: line.slice(4), lines: [] };
      outside.push(line);
    } else if (/^(>>>|<<<|\|)/.test(line)) throw new Error(`a stray mark: ${line}`);
    else outside.push(line);
  }
  if (open) throw new Error(`${open.label} is not closed`);
  return { fences, outside: outside.join('\n') };
}
