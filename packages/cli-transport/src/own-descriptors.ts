import { openSync, readdirSync, readFileSync } from 'node:fs';

type Slot = number | 'ignore' | 'pipe';

/**
 * The standard streams of a child, with an empty file in place of every descriptor that whoever started this process has
 * left open for its children: behind walls as well, it would lead out of them. All others are closed for a child anyway.
 * Where the system does not tell (`/proc`), nothing is hidden.
 */
export function ownDescriptors(streams: readonly Slot[]): Slot[] {
  inherited ??= inheritedDescriptors();
  if (inherited.length === 0) return [...streams];
  // Not just closed here: a lock of the starter's may hang on one.
  nothing ??= openSync('/dev/null', 'r');
  const hidden = nothing;
  const left = new Set(inherited);
  const rest = Array.from(
    { length: Math.max(...inherited) + 1 - streams.length },
    (_, at): Slot => (left.has(at + streams.length) ? hidden : 'ignore'),
  );
  return [...streams, ...rest];
}

let inherited: readonly number[] | undefined;
let nothing: number | undefined;

const CLOSED_FOR_CHILDREN = 0o2000000;

function inheritedDescriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number).filter(isLeftOpen);
  } catch {
    return [];
  }
}

function isLeftOpen(descriptor: number): boolean {
  if (descriptor <= 2) return false;
  try {
    const [, flags = ''] =
      /^flags:\s*([0-7]+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSED_FOR_CHILDREN) === 0;
  } catch {
    // It was the one that the list was read by.
    return false;
  }
}
