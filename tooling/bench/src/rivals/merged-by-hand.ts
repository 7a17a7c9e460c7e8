import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ran, script } from '../programs.ts';
import { WIDTH } from '../sandboxed-run.ts';
import { timed } from '../timing.ts';
import { faultsOf, git, type MergePlace } from './merge-place.ts';

/**
 * One task: its own worktree, one file, one commit, a merge that waits for its turn, and no worktree again. Git is asked
 * again where it met a worktree that another one was just making or taking away.
 */
const LOOP = `set -e
again() {
  tries=0
  until "$@" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 20 ] || exec "$@"
  done
}
top=$(dirname "$0")
again git -C "$top/clone" worktree add --quiet --detach "$top/attic/$1" run
mkdir -p "$top/attic/$1/files"
echo "$1" >"$top/attic/$1/files/$1.txt"
again git -C "$top/attic/$1" add -A
again git -C "$top/attic/$1" commit --quiet -m "$1"
commit=$(again git -C "$top/attic/$1" rev-parse HEAD)
again flock "$top/lock" git -C "$top/target" merge --quiet --no-ff -m "merge $1" "$commit"
again git -C "$top/clone" worktree remove "$top/attic/$1"`;

/** The floor: nothing is checked, walled in, recorded or durable. */
export async function mergedByHand(
  place: MergePlace,
  tasks: readonly string[],
): Promise<{ ms: number; faults: string[] }> {
  const { folder, env } = place;
  const loop = join(folder, 'loop.sh');
  const attic = join(folder, 'attic');
  script(loop, LOOP);
  mkdirSync(attic);
  const ms = await timed(async () => {
    git(place, 'worktree', 'add', '--quiet', '-b', 'run', '../target');
    const input = tasks.map((task) => `${task}\n`).join('');
    await ran('xargs', ['-n1', `-P${WIDTH}`, loop], { cwd: folder, env, input });
    git(place, 'worktree', 'remove', '../target');
  });
  return { ms, faults: faultsOf(place, { tasks, branch: 'run', under: attic }) };
}
