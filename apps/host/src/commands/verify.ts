import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { printable } from '@atelier/envelope';
import { jsonLine } from '@atelier/reporters';
import { type ChangedRow, storeFile, type Verification, verifyStore } from '@atelier/store-sqlite';
import { openRepository } from '@atelier/worktrees';
import { type Command, UsageError } from '../command.ts';
import { parseProjectArguments } from './project-arguments.ts';

const HELP = `Usage: atelier verify [--json] [--repo DIR]

Reads the record of every run from end to end and tells what is not as it was written: the first bad event of a run,
rows that do not follow from the events, commits that are gone, damage of the file. Changes nothing. Exit code 1 when
anything is wrong.
`;

/** `atelier verify`: whether the record is what was recorded. */
export const verify: Command = {
  async run(args, { stdout }, { cwd }) {
    const given = parseProjectArguments('verify', args, ['json']);
    if (given.flags.has('help')) {
      stdout.write(HELP);
      return 0;
    }
    if (given.positionals.length > 0)
      throw new UsageError('verify takes no arguments', 'It reads the record of every run.');
    const repository = await openRepository({ dir: resolve(cwd, given.repo ?? '.') });
    const path = storeFile(repository.stateDir);
    if (!existsSync(path))
      throw new UsageError(`there is no record at ${path}`, 'Run a plan first.');
    const found = verifyStore({ path });
    const wrong = faultsOf(found);
    if (given.flags.has('json')) stdout.write(jsonLine({ version: 1, ...found }));
    else stdout.write([sizeOf(found), ...wrong].map((line) => `${line}\n`).join(''));
    return wrong.length === 0 ? 0 : 1;
  },
};

const sizeOf = ({ runs, events }: Verification): string =>
  `${events} ${events === 1 ? 'event' : 'events'} of ${runs} ${runs === 1 ? 'run' : 'runs'} are as they were written.`;

const faultsOf = ({ badRows, changedRows, tip, damage }: Verification): string[] => [
  ...badRows.map(
    ({ runId, seq, why }) => `Bad: event ${seq} of run ${printable(runId)}: ${printable(why)}`,
  ),
  ...changedRows.map(
    (row) => `Changed: ${row.table} of run ${placeOf(row)}: ${printable(row.why)}`,
  ),
  ...(tip === 'behind' ? ['Gone: the record ends before the last commit that was noted.'] : []),
  ...damage.map((one) => `Damaged: ${printable(one)}`),
];

const placeOf = ({ runId, taskKey, attempt, name }: ChangedRow): string =>
  [
    printable(runId),
    ...(taskKey === undefined ? [] : [`task ${printable(taskKey)}`]),
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ...(name === undefined ? [] : [printable(name)]),
  ].join(', ');
