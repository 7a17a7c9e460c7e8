import { mkdirSync } from 'node:fs';
import { commandAgent } from '@atelier/cli-transport';
import { dispatchHostPipeline } from '@atelier/host';
import { platformSandbox } from '@atelier/sandbox';
import { openStore, storeFile } from '@atelier/store-sqlite';
import { openRepository } from '@atelier/worktrees';
import { fatalAgent } from './fatal-agent.ts';
import { fatalJournal } from './fatal-journal.ts';
import { fatalSpawn, tellingWrap } from './fatal-spawn.ts';
import type { HostLine, HostOrder, Passed } from './host-order.ts';
import { PLANS } from './plan.ts';
import { RUN_ID } from './scene.ts';

/** A host as its own process: starts the run of a scene, or goes on with it, and may die where it was told to. */
const WALL_CLOCK_MS = 60_000;

const tell = (line: HostLine) => process.stdout.write(`${JSON.stringify(line)}\n`);

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('a process survived its own KILL');
}

async function drive({ place, point, attestation }: HostOrder): Promise<void> {
  const passed: Passed[] = [];
  const pass = (one: Passed) => void passed.push(one);
  const { expect } = fatalSpawn({ point, die, onSpawn: (of) => pass({ kind: 'spawn', of }) });
  const { stateDir } = await openRepository({ dir: place.repo });
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const store = openStore({ path: storeFile(stateDir) });
  const walls = platformSandbox();
  const wrap = {
    kind: walls.kind,
    wrap: walls.wrap,
    // A self-test takes two seconds, in which nothing of a run happens: whoever starts the hosts has made it.
    attestation: () => ({ ...attestation, pid: process.pid }),
  };
  const agent = commandAgent({
    program: '/bin/sh',
    args: [place.worker, place.told],
    read: [place.worker],
  });
  const { tasks, pairing, gate } = PLANS[place.plan];
  tell({ kind: 'ready' });
  const { verdict } = await dispatchHostPipeline(tasks, {
    repo: place.repo,
    journal: fatalJournal(store.journal, {
      ...{ point, die },
      onAppend: (labels) => pass({ kind: 'append', labels }),
    }),
    env: {},
    runMode: 'balanced',
    worktrees: { stateDir: place.stateDir },
    sandbox: tellingWrap(wrap, { told: place.told, expect }),
    agent: fatalAgent(agent, { point, die, onReport: () => pass({ kind: 'report' }) }),
    gate,
    reviewPairing: pairing,
    wallClockMs: WALL_CLOCK_MS,
    runId: RUN_ID,
    onEscalation: () => undefined,
  });
  store.close();
  tell({ kind: 'ended', verdict, passed });
}

try {
  await drive(JSON.parse(process.argv[2] ?? '') as HostOrder);
} catch (error) {
  const { code = 'UNKNOWN', message = String(error) } = error as {
    code?: string;
    message?: string;
  };
  tell({ kind: 'failed', code, message });
  process.exitCode = 1;
}
