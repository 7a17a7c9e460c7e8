import { taskKey } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { jsonLine } from '@atelier/reporters';
import { type Command, UsageError } from '../command.ts';
import { withProject } from '../compose/with-project.ts';
import { type BookedRow, bookedRows } from '../team/booked-rows.ts';
import { commandGroup } from './command-group.ts';
import { parseTeamArguments } from './team-arguments.ts';

const HELP = `Usage: atelier audit list [--run RUN] [--task TASK] [--type TYPE] [--limit N] [--json] [--repo DIR]

The ledger of the teams of this repository, oldest first: escalations, answers to them, post-mortems, side queries,
proposals of personas and decisions on them; with --type chat_name the names that runs had in a chat. It is only read.

  --run RUN    of the team of that run alone
  --task TASK  of that task alone
  --type TYPE  of that kind alone, such as persona_gap_escalation
  --limit N    the last N rows at most, 1 to 10000 (200)
  --json       one object a line, payloads whole
`;

const list: Command['run'] = async (args, { stdout, stderr }, environment) => {
  const given = parseTeamArguments(args, {
    ...{ command: 'audit list', texts: ['run', 'task', 'type', 'limit'], flags: ['json'] },
  });
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  const limit = limitOf(given.text('limit'));
  const task = given.text('task');
  return withProject(given, environment, async (project) => {
    const rows = bookedRows(project, {
      ...{ run: given.text('run'), eventType: given.text('type') },
      task: task === undefined ? undefined : taskKey(task),
    });
    const left = rows.length - limit;
    if (left > 0) stderr.write(`${left} earlier rows are not shown; --limit shows more.\n`);
    const shown = given.flag('json') ? recordOf : lineOf;
    for (const row of rows.slice(-limit)) stdout.write(shown(row));
    return 0;
  });
};

const MOST = 10_000;

function limitOf(given = '200'): number {
  const limit = /^\d{1,5}$/u.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= MOST) return limit;
  throw new UsageError(
    `--limit must be an integer from 1 to ${MOST}, got "${given}"`,
    'Narrow it with --run, --task or --type.',
  );
}

const recordOf = ({ runId, id, createdAt: at, eventType: type, payload }: BookedRow): string =>
  jsonLine({ version: 1, id, at, runId, type, payload });

/** What a payload holds is of others: shown and not obeyed, and the whole of it only as JSON. */
const lineOf = ({ runId, id, createdAt, eventType, payload }: BookedRow): string =>
  `${String(id).padEnd(5)} ${createdAt} run ${printable(runId)} ${printable(eventType, 200)} ${printable(JSON.stringify(payload), 500)}\n`;

/** `atelier audit`: what was booked around the runs. */
export const audit: Command = commandGroup({ name: 'audit', help: HELP, commands: { list } });
