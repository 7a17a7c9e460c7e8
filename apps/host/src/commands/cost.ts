import { type LedgerSum, ledgerOf, PRICES_AS_OF } from '@atelier/budget';
import { jsonLine, renderCost } from '@atelier/reporters';
import { type Command, UsageError } from '../command.ts';
import { runNamed } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { type AttemptSpent, attemptsOf } from '../spending/attempts-of.ts';
import { parseProjectArguments } from './project-arguments.ts';

const HELP = `Usage: atelier cost [RUN] [--all] [--json] [--repo DIR]

What the attempts of a run have used, by wave, task, attempt and model: the latest run, or the one that is named; --all adds up
every run of the repository. Dollars are what the agent's program told, else list prices. What nobody knows is said, and
never counted as nothing.
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
      const attempts = events.flatMap(attemptsOf);
      const ledger = ledgerOf(attempts);
      if (given.flags.has('json')) {
        stdout.write(
          jsonLine({
            version: 1,
            pricesAsOf: PRICES_AS_OF,
            total: ledger.total,
            runs: listed(ledger.byRun, 'runId'),
            waves: all ? [] : listed(ledger.byWave, 'wave'),
            tasks: all ? [] : listed(ledger.byTask, 'taskId'),
            models: listed(ledger.byModel, 'model'),
            attempts: attempts.map(({ task: _, ...attempt }) => attempt),
          }),
        );
        return 0;
      }
      const groups = [
        ...(all ? [{ title: 'run', rows: [...ledger.byRun] }] : []),
        ...(all ? [] : [{ title: 'wave', rows: waveRows(ledger.byWave) }]),
        ...(all ? [] : [{ title: 'task', rows: [...ledger.byTask] }]),
        ...(all ? [] : [{ title: 'attempt', rows: attemptRows(attempts) }]),
        { title: 'model', rows: [...ledger.byModel] },
      ];
      const { columns: width } = stdout;
      stdout.write(renderCost({ total: ledger.total, groups }, width ? { width } : {}));
      stdout.write(`List prices are those of ${PRICES_AS_OF}.\n`);
      return 0;
    });
  },
};

const waveRows = (byWave: ReadonlyMap<number, LedgerSum>): (readonly [string, LedgerSum])[] =>
  [...byWave].map(([wave, sum]) => [String(wave + 1), sum]);

/** Each attempt as a sum of its own. */
const attemptRows = (attempts: readonly AttemptSpent[]): (readonly [string, LedgerSum])[] =>
  attempts.map((one) => [`${one.taskId} ${one.attempt}`, ledgerOf([one]).total]);

const listed = <K>(sums: ReadonlyMap<K, LedgerSum>, key: string) =>
  [...sums].map(([name, sum]) => ({ [key]: name, ...sum }));
