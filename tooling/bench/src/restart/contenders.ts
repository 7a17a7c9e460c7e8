import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '@atelier/engine';
import { has, script } from '../programs.ts';
import type { RestartPlan } from './plan.ts';

/** Something that runs a plan of two waves, five at a time, and can be started again in the same folder. */
export interface Contender {
  readonly name: string;
  readonly isThere: () => boolean;
  prepare(folder: string, plan: RestartPlan): void;
  start(folder: string): ChildProcess;
}

/** Notes its start and its end in `work/truth`, and sleeps in between. A line is one write to a file opened to append. */
const WORK = 'echo "start $1 $$" >>truth; sleep "$2"; echo "end $1 $$" >>truth';

const folders = (folder: string) => {
  mkdirSync(join(folder, 'work'), { recursive: true });
  script(join(folder, 'work.sh'), `cd "$(dirname "$0")/work" || exit 1\n${WORK}`);
};

const begin = (file: string, args: readonly string[], cwd: string): ChildProcess =>
  spawn(file, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });

const atelier: Contender = {
  name: 'atelier',
  isThere: () => true,
  prepare(folder, plan) {
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
    // Walls are put up around work trees of git only.
    execFileSync('git', ['init', '--quiet', join(folder, 'work')]);
    script(
      join(folder, 'agent.sh'),
      `read -r seconds\nset -- "$ATELIER_TASK_ID" "$seconds"\n${WORK}
printf '{"type":"task_result","task_id":"%s","attempt":%s,"status":"done","artifacts":["truth"],"notes_md":""}' "$1" "$ATELIER_ATTEMPT" >"$ATELIER_REPLY_FILE.part"
mv "$ATELIER_REPLY_FILE.part" "$ATELIER_REPLY_FILE"`,
    );
  },
  start: (folder) =>
    begin(
      process.execPath,
      [join(import.meta.dirname, 'host.js'), folder, join(folder, 'agent.sh')],
      folder,
    ),
};

const parallel: Contender = {
  name: 'GNU parallel --resume',
  isThere: () => has('parallel'),
  prepare(folder, { tasks: all }) {
    folders(folder);
    const wave = (group: number) => {
      const tasks = all.filter(({ parallel_group }) => parallel_group === group);
      const lines = tasks.map(({ id, description }) => `${id} ${description}\n`);
      writeFileSync(join(folder, `wave-${group}`), lines.join(''));
      return `parallel --will-cite -j5 --joblog log-${group} --resume --colsep ' ' ./work.sh '{1}' '{2}' <wave-${group}`;
    };
    // The driver is the process that is killed: it becomes parallel itself for the second wave.
    script(join(folder, 'first.sh'), `exec ${wave(1)}`);
    script(join(folder, 'second.sh'), `exec ${wave(2)}`);
    script(
      join(folder, 'driver.sh'),
      '[ -e first ] || { ./first.sh & echo $! >driver; wait $!; touch first; }\n./second.sh & echo $! >driver; wait $!',
    );
  },
  start: (folder) => begin(join(folder, 'driver.sh'), [], folder),
};

const make: Contender = {
  name: 'make -j5',
  isThere: () => has('make'),
  prepare(folder, { tasks }) {
    folders(folder);
    const first = tasks.filter(({ parallel_group }) => parallel_group === 1);
    const targets = (list: readonly Task[]) => list.map(({ id }) => `done/${id}`).join(' ');
    const rules = tasks.map(
      ({ id, description, parallel_group }) =>
        `done/${id}:${parallel_group === 2 ? ` ${targets(first)}` : ''}\n\t./work.sh ${id} ${description}\n\ttouch $@\n`,
    );
    mkdirSync(join(folder, 'done'), { recursive: true });
    writeFileSync(
      join(folder, 'Makefile'),
      `all: ${targets(tasks)}\n${rules.join('')}.PHONY: all\n`,
    );
  },
  start: (folder) => begin('make', ['-s', '-j5'], folder),
};

export const CONTENDERS: readonly Contender[] = [atelier, parallel, make];
