import { jsonLine, type OutcomeRecord, renderOutcomeRecord } from '@atelier/reporters';
import { type Command, UsageError } from '../command.ts';
import { workNamed } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { HostError } from '../host-error.ts';
import { parseProjectArguments } from './project-arguments.ts';

const HELP = `Usage: atelier report [RUN] [--md | --json] [--repo DIR]

Prints what a run came to, as it was recorded when the run last ended: the latest run, or the one that is named.

  --md     as Markdown, for a pull request or the minutes of a cycle (this is what is printed anyway)
  --json   the record itself, as one line of JSON
`;

/** `atelier report`: what a pull request is written from. */
export const report: Command = {
  async run(args, { stdout }, environment) {
    const given = parseProjectArguments('report', args, ['json', 'md']);
    if (given.flags.has('help')) {
      stdout.write(HELP);
      return 0;
    }
    if (given.flags.has('json') && given.flags.has('md'))
      throw new UsageError('report prints --md or --json, not both', 'Leave one of them out.');
    return withProject(given, environment, async ({ store }) => {
      const { run_id: runId } = workNamed(store, given.run ?? given.positionals[0]);
      const kept = store.team.outcomes.get(runId);
      if (!kept)
        throw new HostError(
          'NO_REPORT',
          `run ${runId} has not ended under this version, so nothing is recorded of its end`,
          `See atelier status, or go on with it: atelier resume ${runId}.`,
        );
      // It was written by this product; every text in it is shown as foreign.
      const record = kept.record as OutcomeRecord;
      stdout.write(given.flags.has('json') ? jsonLine(record) : renderOutcomeRecord(record));
      return 0;
    });
  },
};
