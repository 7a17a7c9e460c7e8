import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptance } from '@atelier/acceptance';
import {
  type Agent,
  type Command,
  type CommandWrap,
  cliTransport,
  commandAgent,
} from '@atelier/cli-transport';
import { run, systemClock, type Task, type Transport } from '@atelier/engine';
import { openRepository, withWorktrees } from '@atelier/worktrees';
import type { Row, Size } from './row.ts';
import { median, percentile, timed } from './timing.ts';
import { walls } from './walls.ts';

const SIZES = {
  full: { rounds: 40, attempts: 20, reactions: 100 },
  small: { rounds: 1, attempts: 1, reactions: 2 },
};

/** A worker that does nothing but reply, in plain sh: what is measured is everything around it. */
const WORKER = `#!/bin/sh
printf '{"type":"task_result","task_id":"%s","attempt":%s,"status":"done","artifacts":["a"],"notes_md":""}' "$ATELIER_TASK_ID" "$ATELIER_ATTEMPT" > "$ATELIER_REPLY_FILE"
`;

/** What supervision costs over a bare bubblewrap with the same arguments, and how fast the next worker starts. */
export async function spawnBench(size: Size): Promise<Row[]> {
  const { rounds, attempts, reactions } = SIZES[size];
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-bench-')));
  try {
    const { agent, worktree, wrap, seen } = await stage(folder);
    const transport = cliTransport({
      agent,
      confinement: { kind: 'sandboxed', wrap },
      runDir: join(folder, 'run'),
    });
    const supervised = await medianOf(rounds, async (round) => {
      const handle = await transport.start(orderOf(round, worktree), new AbortController().signal);
      await handle.report;
    });
    const [command] = seen;
    if (!command) throw new Error('nothing was spawned');
    const raw = await medianOf(rounds, () => rawRun(command));
    const whole = await wholeAttempts(folder, agent, wrap, attempts);
    const times = await reactionTimes(folder, agent, wrap, reactions);
    const row = (name: string, value: number): Row => ({ bench: 'spawn', name, value, unit: 'ms' });
    const over = { note: 'over bare bubblewrap' };
    return [
      { ...row('bare bubblewrap, same arguments', raw), note: `median of ${rounds}` },
      { ...row('start() to settled report', supervised), ratio: supervised / raw, ...over },
      { ...row('whole attempt: carve, salvage, merge', whole), ratio: whole / raw, ...over },
      row("a worker's exit to the next start, p50", percentile(times, 0.5)),
      row("a worker's exit to the next start, p99", percentile(times, 0.99)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stage(folder: string) {
  const program = join(folder, 'worker.sh');
  writeFileSync(program, WORKER);
  chmodSync(program, 0o755);
  const worktree = join(folder, 'clone');
  repositoryAt(worktree);
  const sandbox = await walls();
  const seen: Command[] = [];
  const wrap: CommandWrap = {
    kind: sandbox.kind,
    attestation: () => sandbox.attestation(),
    wrap: (command, access) => {
      const wrapped = sandbox.wrap(command, access);
      seen.push(wrapped);
      return wrapped;
    },
  };
  return { agent: commandAgent({ program }), worktree, wrap, seen };
}

function repositoryAt(path: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', path, '-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args]);
  mkdirSync(path);
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(path, 'README.md'), 'bench\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'begin');
}

const orderOf = (round: number, workspace: string) => ({
  runId: 'bench',
  task: { id: `t${round}`, parallel_group: 1 },
  attempt: 1,
  nonce: `n${round}`,
  briefing: 'reply',
  wallClockMs: 60_000,
  workspace,
});

const rawRun = ({ file, args, env, cwd }: Command): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, cwd, stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', () => resolve());
  });

const readOnlyTasks = (size: number): Task[] =>
  Array.from({ length: size }, (_, i) => ({ id: `t${i}`, parallel_group: 1, writes: [] }));

async function wholeAttempts(
  folder: string,
  agent: Agent,
  wrap: CommandWrap,
  size: number,
): Promise<number> {
  return (await timed(() => runOn(folder, agent, wrap, size))) / size;
}

/** Times between a report and the next start, with every slot taken. */
async function reactionTimes(
  folder: string,
  agent: Agent,
  wrap: CommandWrap,
  size: number,
): Promise<number[]> {
  const times: number[] = [];
  let ended = Number.NaN;
  const cli = cliTransport({
    agent,
    confinement: { kind: 'sandboxed', wrap },
    runDir: join(folder, 'react'),
  });
  const workspace = join(folder, 'clone');
  const timed: Transport = {
    ...cli,
    start: async (order, signal) => {
      if (!Number.isNaN(ended)) times.push(performance.now() - ended);
      const handle = await cli.start({ ...order, workspace }, signal);
      return {
        ...handle,
        report: handle.report.then((report) => {
          ended = performance.now();
          return report;
        }),
      };
    },
  };
  await run(readOnlyTasks(size), {
    transport: timed,
    clock: systemClock,
    policy: { maxWorkers: 1 },
  });
  return times;
}

async function runOn(folder: string, agent: Agent, wrap: CommandWrap, size: number): Promise<void> {
  const repository = await openRepository({ dir: join(folder, 'clone') });
  const root = join(folder, 'whole');
  const branch = await repository.startRun({ runId: 'whole', root });
  const cli = cliTransport({ agent, confinement: { kind: 'sandboxed', wrap }, runDir: root });
  await run(readOnlyTasks(size), {
    transport: withWorktrees(cli, branch),
    acceptance: acceptance({ workspace: branch, commandMs: 60_000 }),
    policy: { maxWorkers: 1 },
  });
}

async function medianOf(
  rounds: number,
  work: (round: number) => Promise<unknown>,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(() => work(round)));
  return median(times);
}
