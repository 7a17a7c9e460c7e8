import { foldRun, type RunState } from '@atelier/engine';
import { jsonLine, type RunStatus, renderStatus } from '@atelier/reporters';
import type { Command } from '../command.ts';
import { runNamed } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { type Life, livesOf } from '../team/lives.ts';
import { parseProjectArguments } from './project-arguments.ts';

const HELP = `Usage: atelier status [RUN] [--all] [--json] [--repo DIR]

Shows where a run stands: the latest, or the one that is named; --all lists every run of the repository.
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
      for (const { run_id } of runs) {
        const run = foldRun(await project.store.journal.load(run_id));
        const lives = await livesOf(project, run, given);
        const state = statusOf(run, lives);
        const shown = { ...widthOf(stdout), now: Date.now() };
        stdout.write(json ? jsonLine({ version: 1, ...state }) : renderStatus(state, shown));
      }
      return 0;
    });
  },
};

const widthOf = ({ columns }: { readonly columns?: number | undefined }) =>
  columns === undefined ? {} : { width: columns };

function statusOf(state: RunState, lives: ReadonlyMap<string, Life>): RunStatus {
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
