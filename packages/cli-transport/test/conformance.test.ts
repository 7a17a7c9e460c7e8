import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, memoryJournal, type Transport, type WorkOrder } from '@atelier/engine';
import {
  casesFor,
  partOf,
  type SystemFixture,
  systemConformance,
  transportConformance,
} from '@atelier/engine/testing';
import { describe, expect, test } from 'vitest';
import { cliTransport, commandAgent, sweep } from '../src/index.ts';
import { ATTESTED } from './stage.ts';

/** Plays the part that its briefing names. One that hangs has a child in a session of its own, and heeds no TERM. */
const PLAYER = `#!/bin/sh
read -r part
reply=$(cat)
deliver() {
  printf '%s\\n' "$reply" >"$ATELIER_REPLY_FILE.new"
  mv "$ATELIER_REPLY_FILE.new" "$ATELIER_REPLY_FILE"
}
hang() {
  trap '' TERM
  setsid sleep 100000 &
  while :; do sleep 100000; done
}
case $part in
  reply | garbage) deliver ;;
  reply-later) sleep 1; deliver ;;
  echo-nonce) reply="{\\"nonce\\":\\"$ATELIER_NONCE\\",\${reply#?}"; deliver ;;
  reply-then-hang) deliver; hang ;;
  exit-without-reply) exit 0 ;;
  crash) exit 9 ;;
  hang) hang ;;
  chatter) while :; do echo talking; sleep 0.1; done ;;
esac
`;

/** Without a folder to work in an order is refused. */
const placed = (order: WorkOrder, worktree: string): WorkOrder =>
  partOf(order.briefing).behaviour === 'refuse' ? order : { ...order, workspace: worktree };

/** Looked for by the nonce in the environment, in a way of its own. */
const livingOf = ({ nonce }: WorkOrder): number =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(nonce);
    } catch {
      return false;
    }
  }).length;

function open(): SystemFixture {
  const folder = mkdtempSync(join(tmpdir(), 'cli-conformance-'));
  const runDir = join(folder, 'run');
  const program = join(folder, 'player.sh');
  writeFileSync(program, PLAYER, { mode: 0o755 });
  const journal = memoryJournal();
  const compose = (): { transport: Transport; journal: Journal } => {
    const cli = cliTransport({
      agent: commandAgent({ program }),
      confinement: ATTESTED,
      runDir,
      limits: { graceMs: 50 },
    });
    const start: Transport['start'] = (order, signal) => cli.start(placed(order, folder), signal);
    return { transport: { ...cli, start }, journal };
  };
  return {
    ...{ ...compose(), reopen: compose, alive: livingOf, patienceMs: 60_000 },
    async close() {
      await sweep(runDir, { graceMs: 0 });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const WAITING = { timeout: 300_000, concurrent: true };

const transport = await casesFor(transportConformance, open);

describe('cliTransport with processes on an attested host keeps the promises of a transport', () => {
  for (const { name, run } of transport.cases) test(name, WAITING, () => run(open, expect.fail));

  test('the cases that say nothing of it are known', () => {
    expect(transport.leftOut.map(({ why }) => why)).toMatchInlineSnapshot(`
      [
        "it has no release",
      ]
    `);
  });
});

const system = await casesFor(systemConformance, open);

describe('a whole run over cliTransport with processes on an attested host', () => {
  for (const { name, run } of system.cases) test(name, WAITING, () => run(open, expect.fail));

  test('there is no case that says nothing of it', () => {
    expect(system.leftOut).toEqual([]);
  });
});
