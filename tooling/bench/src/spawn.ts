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
import { platformSandbox } from '@atelier/sandbox';
import { openRepository, withWorktrees } from '@atelier/worktrees';

const ROUNDS = 40;

/** A worker that does nothing but reply, in plain sh: what is measured is everything around it. */
const WORKER = `#!/bin/sh
printf '{"type":"task_result","task_id":"%s","attempt":%s,"status":"done","artifacts":["a"],"notes_md":""}' "$ATELIER_TASK_ID" "$ATELIER_ATTEMPT" > "$ATELIER_REPLY_FILE"
`;

/** What supervision costs over a bare bubblewrap with the same arguments, and how fast the next worker starts. */
export async function spawnBench(): Promise<string[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-bench-')));
  try {
    const { agent, worktree, wrap, seen } = await stage(folder);
    const transport = cliTransport({
      agent,
      confinement: { kind: 'sandboxed', wrap },
      runDir: join(folder, 'run'),
    });
    const supervised = await median(ROUNDS, async (round) => {
      const handle = await transport.start(orderOf(round, worktree), new AbortController().signal);
      await handle.report;
    });
    const [command] = seen;
    if (!command) throw new Error('nothing was spawned');
    const raw = await median(ROUNDS, () => rawRun(command));
    const whole = await wholeAttempts(folder, agent, wrap);
    const reactions = await reactionTimes(folder, agent, wrap);
    return [
      `spawn: a worker that only replies, median of ${ROUNDS}`,
      `  bare bubblewrap, same arguments: ${raw.toFixed(1)} ms`,
      `  start() to settled report: ${supervised.toFixed(1)} ms, ratio ${(supervised / raw).toFixed(2)}`,
      `  whole attempt with carve, salvage and merge: ${whole.toFixed(1)} ms, ratio ${(whole / raw).toFixed(1)}`,
      `reaction: from a worker's exit to the start of the next`,
      `  p50 ${percentile(reactions, 0.5).toFixed(1)} ms, p99 ${percentile(reactions, 0.99).toFixed(1)} ms of ${reactions.length}`,
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
  const sandbox = platformSandbox();
  const test = await sandbox.selfTest();
  if (!test.passed) throw new Error('the sandbox did not pass its self-test');
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

async function wholeAttempts(folder: string, agent: Agent, wrap: CommandWrap): Promise<number> {
  const started = performance.now();
  await runOn(folder, 'whole', agent, wrap, 20, 1);
  return (performance.now() - started) / 20;
}

/** Times between a report and the next start, with every slot taken. */
async function reactionTimes(folder: string, agent: Agent, wrap: CommandWrap): Promise<number[]> {
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
  await run(readOnlyTasks(100), {
    transport: timed,
    clock: systemClock,
    policy: { maxWorkers: 1 },
  });
  return times;
}

async function runOn(
  folder: string,
  name: string,
  agent: Agent,
  wrap: CommandWrap,
  size: number,
  maxWorkers: number,
): Promise<void> {
  const repository = await openRepository({ dir: join(folder, 'clone') });
  const root = join(folder, name);
  const branch = await repository.startRun({ runId: name, root });
  const cli = cliTransport({ agent, confinement: { kind: 'sandboxed', wrap }, runDir: root });
  await run(readOnlyTasks(size), {
    transport: withWorktrees(cli, branch),
    acceptance: acceptance({ workspace: branch, commandMs: 60_000 }),
    policy: { maxWorkers },
  });
}

async function median(rounds: number, work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await work(round);
    times.push(performance.now() - started);
  }
  return percentile(times, 0.5);
}

const percentile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ??
  Number.NaN;
