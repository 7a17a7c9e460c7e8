import type { Task } from '@atelier/engine';
import type { HostPipelineOptions } from '@atelier/host';

export type PlanName = 'whole' | 'short';

/** What is run before, between and after kills. */
export interface Plan {
  readonly tasks: readonly Task[];
  readonly pairing: NonNullable<HostPipelineOptions['reviewPairing']>;
  /** Holds after every wave, whatever is merged. */
  readonly gate: string;
}

const task = (id: string, parallel_group: number, rest: Partial<Task> = {}): Task => ({
  ...{ id, parallel_group, title: id, description: `Write ${id}.`, writes: [`${id}.txt`] },
  ...rest,
});

const STEM = task('stem', 1, { must_produce: ['stem.txt'], verify: 'grep -q stem stem.txt' });
const ESSAY = task('essay', 1, { assigned_persona: 'backend-engineer' });
const CRITIC: Task = {
  ...{ id: 'critic', parallel_group: 1, title: 'critic', description: 'Review essay.' },
  assigned_persona: 'code-reviewer',
};
const PAIRED = { pairing: { essay: 'critic' }, gate: 'test -s stem.txt' };

/** Two waves, a first attempt that fails, a reviewer, checks and dependents; the short one has no more than that. */
export const PLANS: Readonly<Record<PlanName, Plan>> = {
  whole: {
    ...PAIRED,
    tasks: [
      STEM,
      task('flaky', 1),
      ESSAY,
      CRITIC,
      task('leaf', 2, { depends_on: ['stem'], reads: ['stem.txt'] }),
      task('fruit', 2, {
        depends_on: ['essay', 'flaky'],
        reads: ['essay.txt', 'flaky.txt'],
        verify: 'grep -q flaky fruit.txt',
      }),
    ],
  },
  short: { ...PAIRED, tasks: [STEM, ESSAY, CRITIC, task('flaky', 2, { depends_on: ['essay'] })] },
};

/** What the branch has in the end. The reviewer writes nothing. */
export const FILES: Readonly<Record<string, string>> = {
  stem: 'stem\n',
  flaky: 'flaky\n',
  essay: 'essay\n',
  leaf: 'leaf of stem\n',
  fruit: 'essay\nflaky\n',
};

/** Every task's cap; the engine's own, which the host's door does not change. */
export const MOST_ATTEMPTS = 5;

/**
 * The program of every worker. It writes down each real execution in a folder that no store of ours knows: a line when
 * it starts and one when it has failed or has handed in its reply, and whether it was alone, by a lock that the kernel holds for as long as anything of
 * the execution lives.
 */
export const WORKER = `#!/bin/sh
told=$1
task=$ATELIER_TASK_ID
attempt=$ATELIER_ATTEMPT
cat >/dev/null
exec 9>>"$told/$task.lock"
if flock -n 9; then beside=alone; else beside=beside; fi
printf 'start %s %s %s %s\\n' "$task" "$attempt" "$$" "$beside" >>"$told/executions"
file=$task.txt
case $task in
  stem) sleep 0.8; echo stem >stem.txt ;;
  flaky)
    if [ "$attempt" = 1 ]; then
      printf 'fail %s %s %s\\n' "$task" "$attempt" "$$" >>"$told/executions"
      exit 7
    fi
    echo flaky >flaky.txt ;;
  essay) sleep 0.1; echo essay >essay.txt ;;
  critic) grep -q essay essay.txt || exit 8; file=essay.txt ;;
  leaf) sleep 0.2; echo "leaf of $(cat stem.txt)" >leaf.txt ;;
  fruit) cat essay.txt flaky.txt >fruit.txt ;;
esac
printf '{"type":"task_result","task_id":"%s","attempt":%s,"status":"done","artifacts":["%s"],"notes_md":""}' \\
  "$task" "$attempt" "$file" >"$ATELIER_REPLY_FILE.part"
mv "$ATELIER_REPLY_FILE.part" "$ATELIER_REPLY_FILE"
printf 'end %s %s %s\\n' "$task" "$attempt" "$$" >>"$told/executions"
`;
