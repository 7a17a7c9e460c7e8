import { foldRun, type RunState } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { jsonLine, type RunStatus, renderStatus } from '@atelier/reporters';
import type { Command } from '../command.ts';
import { runNamed } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { costOfTurns, turnsBefore } from '../meeting/turns-before.ts';
import { MEETING } from '../planner/only-reads.ts';
import { livesOf } from '../team/lives.ts';
import { parseProjectArguments } from './project-arguments.ts';

const HELP = `Usage: atelier status [RUN] [--all] [--json] [--repo DIR]

Shows where a run stands: the latest, or the one that is named; --all lists every run of the repository. Of a task
that runs it tells when its worker was last seen alive and last wrote. Nothing follows from either.
`;

/** `atelier status`: read from the journal, whether or not a host is alive. */
export const status: Command = {
  async run(args, { stdout }, environment) {
    const given = parseProjectArguments('status', args, ['json', 'all']);
    if (given.flags.has('help')) {
      stdout.write(HELP);
      return 0;
    }
    return withProject(given, environment, async (project) => {
      const json = given.flags.has('json');
      const name = given.run ?? given.positionals[0];
      const runs = given.flags.has('all') ? project.store.runs() : [runNamed(project.store, name)];
      const beats = json ? project.store.team.wire.heartbeats() : [];
      const names = project.store
        .runs()
        .map(({ run_id }) => run_id)
        .filter((name) => name.startsWith(MEETING));
      for (const { run_id } of runs) {
        const run = foldRun(await project.store.journal.load(run_id));
        const { stateDir } = given;
        const state = statusOf(run, await livesOf(project, run, { stateDir, now: Date.now }));
        const shown = { ...widthOf(stdout), now: Date.now() };
        const heartbeats = beats.filter(([teamId]) => teamId === run_id);
        const hasMet = names.some((name) => name.startsWith(`${MEETING}${run_id}-`));
        const meeting = hasMet ? costOfTurns(await turnsBefore(project.store, run_id)) : undefined;
        const told = { version: 1, ...state, heartbeats, ...(meeting ? { meeting } : {}) };
        stdout.write(json ? jsonLine(told) : renderStatus(state, shown));
        if (meeting && !json)
          stdout.write(
            `Its meeting took ${meeting.attempts} ${meeting.attempts === 1 ? 'turn' : 'turns'}; atelier cost ${printable(run_id)} shows what they used.\n`,
          );
      }
      return 0;
    });
  },
};

const widthOf = ({ columns }: { readonly columns?: number | undefined }) =>
  columns === undefined ? {} : { width: columns };

function statusOf(state: RunState, lives: Awaited<ReturnType<typeof livesOf>>): RunStatus {
  return {
    runId: state.runId,
    ...(state.verdict === undefined ? {} : { verdict: state.verdict }),
    waves: state.waves.map(({ group, keys }) => ({
      group,
      tasks: keys
        .flatMap((key) => state.tasks.get(key) ?? [])
        .map(({ key, task, phase, attempts }) => ({
          ...{ taskId: task.id, phase, attempts },
          ...lives.get(key),
        })),
    })),
  };
}
