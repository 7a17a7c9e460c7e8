import { writeFileSync } from 'node:fs';
import { parseArguments } from './arguments.ts';
import { durableBench } from './durable.ts';
import { foldBench } from './fold.ts';
import { journalBench } from './journal.ts';
import { machineNow } from './machine.ts';
import { makespanBench } from './makespan/makespan.ts';
import { previewBench } from './preview.ts';
import { renderTable } from './render-table.ts';
import { restartBench } from './restart/restart.ts';
import { mergedBench } from './rivals/merged.ts';
import { mixedBench } from './rivals/mixed.ts';
import { noOpBench } from './rivals/no-op.ts';
import type { Bench, Row } from './row.ts';
import { costBench } from './scale/cost.ts';
import { memoryBench } from './scale/memory.ts';
import { spawnBench } from './spawn.ts';
import { worktreesBench } from './worktrees.ts';

const BENCHES: Readonly<Record<string, Bench>> = {
  fold: foldBench,
  journal: journalBench,
  durable: durableBench,
  cost: costBench,
  memory: memoryBench,
  preview: previewBench,
  spawn: spawnBench,
  makespan: makespanBench,
  'no-op': noOpBench,
  mixed: mixedBench,
  merged: mergedBench,
  restart: restartBench,
  worktrees: worktreesBench,
};

const { benches, size, json } = parseArguments(process.argv.slice(2), Object.keys(BENCHES));
const table = json && json.file === undefined ? process.stderr : process.stdout;
const before = machineNow();
const rows: Row[] = [];
for (const name of benches) {
  const own = (await BENCHES[name]?.(size)) ?? [];
  rows.push(...own);
  table.write(`${renderTable(own)}\n`);
}
const after = machineNow();
if (json) {
  const text = `${JSON.stringify({ version: 1, size, machine: { before, after }, rows }, undefined, 2)}\n`;
  if (json.file === undefined) process.stdout.write(text);
  else writeFileSync(json.file, text);
}
if (size === 'small') process.stderr.write('small: that it works, and no figure of it\n');
else if (before.loaded || after.loaded)
  process.stderr.write('others used this machine: differences between figures may be theirs\n');
