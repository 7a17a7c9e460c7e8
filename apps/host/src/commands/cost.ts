import { type LedgerSum, ledgerOf, PRICES_AS_OF } from '@atelier/budget';
import { jsonLine, renderCost } from '@atelier/reporters';
import { type Command, UsageError } from '../command.ts';
import { runNamed } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { turnsBefore } from '../meeting/turns-before.ts';
import { type AttemptSpent, attemptsOf } from '../spending/attempts-of.ts';
import { parseProjectArguments } from './project-arguments.ts';

const HELP = `Usage: atelier cost [RUN] [--all] [--json] [--repo DIR]

What the attempts of a run have used, by wave, task, attempt and model: the latest run, or the one that is named; --all adds up
every run of the repository. The turns of the meeting before a run are in its sum, on a line of their own. Dollars are what
the agent's program told, else list prices. What nobody knows is said, and never counted as nothing.
`;

/** `atelier cost`: read from the journal. */
export const cost: Command = {
  async run(args, { stdout }, environment) {
    const given = parseProjectArguments('cost', args, ['json', 'all']);
    if (given.flags.has('help')) {
      stdout.write(HELP);
      return 0;
    }
    const [named, ...more] = given.positionals;
    if (more.length > 0) throw new UsageError('cost takes one RUN', 'See atelier status --all.');
    return withProject(given, environment, async ({ store }) => {
      const all = given.flags.has('all');
      const runs = all ? store.runs() : [runNamed(store, given.run ?? named)];
      const events = await Promise.all(runs.map(({ run_id }) => store.journal.load(run_id)));
      const own = events.flatMap(attemptsOf);
      const [one] = all ? [] : runs;
      const turns = one ? (await turnsBefore(store, one.run_id)).flatMap(attemptsOf) : [];
      const attempts = [...turns, ...own];
      const ledger = ledgerOf(attempts);
      const work = ledgerOf(own);
      const { total: meeting } = ledgerOf(turns);
      if (given.flags.has('json')) {
        stdout.write(
          jsonLine({
            version: 1,
            pricesAsOf: PRICES_AS_OF,
            total: ledger.total,
            runs: listed(ledger.byRun, 'runId'),
            waves: all ? [] : listed(work.byWave, 'wave'),
            tasks: all ? [] : listed(work.byTask, 'taskId'),
            ...(turns.length > 0 ? { meeting } : {}),
            models: listed(ledger.byModel, 'model'),
            attempts: attempts.map(({ task: _, ...attempt }) => attempt),
          }),
        );
        return 0;
      }
      const groups = [
        ...(all ? [{ title: 'run', rows: [...ledger.byRun] }] : []),
        ...(turns.length > 0 ? [meetingGroup(meeting)] : []),
        ...(all ? [] : [{ title: 'wave', rows: waveRows(work.byWave) }]),
        ...(all ? [] : [{ title: 'task', rows: [...work.byTask] }]),
        ...(all ? [] : [{ title: 'attempt', rows: attemptRows(own) }]),
        { title: 'model', rows: [...ledger.byModel] },
      ];
      const { columns: width } = stdout;
      stdout.write(renderCost({ total: ledger.total, groups }, width ? { width } : {}));
      stdout.write(`List prices are those of ${PRICES_AS_OF}.\n`);
      return 0;
    });
  },
};

const meetingGroup = (sum: LedgerSum) => ({
  title: 'meeting',
  rows: [['before the run', sum] as const],
});

const waveRows = (byWave: ReadonlyMap<number, LedgerSum>): (readonly [string, LedgerSum])[] =>
  [...byWave].map(([wave, sum]) => [String(wave + 1), sum]);

/** Each attempt as a sum of its own. */
const attemptRows = (attempts: readonly AttemptSpent[]): (readonly [string, LedgerSum])[] =>
  attempts.map((one) => [`${one.taskId} ${one.attempt}`, ledgerOf([one]).total]);

const listed = <K>(sums: ReadonlyMap<K, LedgerSum>, key: string) =>
  [...sums].map(([name, sum]) => ({ [key]: name, ...sum }));
