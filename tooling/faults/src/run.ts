import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { summaryOf } from './summary.ts';
import { runTrial, type Trial, type TrialEnd } from './trial.ts';
import { trialsOf } from './trials.ts';
import { twoAtATime } from './two-at-a-time.ts';
import { survey } from './uninterrupted.ts';

const HELP = `Kills a host at every boundary of a run and at random instants, resumes it, and counts what was lost,
doubled, merged twice, over budget or left behind. Each trial appends one line of JSON.

  --kills N        random instants (500)
  --git N          kills around single calls of git (100)
  --no-boundaries  leave the boundaries out
  --seed S         what the random ones follow from (1)
  --plan NAME      whole, or short with fewer tasks (whole)
  --only TEXT      only trials whose name has this text
  --out FILE       where lines are appended (faults.ndjson)
  --resume         leave out the trials that FILE has already
`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    git: { type: 'string', default: '100' },
    'no-boundaries': { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    plan: { type: 'string', default: 'whole' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'faults.ndjson' },
    resume: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const linesOf = (path: string): TrialEnd[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line) => {
          try {
            return [JSON.parse(line) as TrialEnd];
          } catch {
            // The last line of a session that was ended in the middle of it.
            return [];
          }
        })
    : [];

async function main(): Promise<void> {
  if (values.help) return void process.stdout.write(HELP);
  const seed = Number(values.seed);
  const surveyed = await survey(values.plan === 'short' ? 'short' : 'whole');
  const earlier = values.resume ? linesOf(values.out) : [];
  const done = new Set(earlier.map(({ name }) => name));
  const trials = trialsOf(surveyed, {
    seed,
    instants: Number(values.kills),
    gitKills: Number(values.git),
  })
    .filter(({ name }) => !values['no-boundaries'] || /: (?:git|instant) /.test(name))
    .filter(({ name }) => name.includes(values.only) && !done.has(name));
  console.log(
    `an uninterrupted run takes ${Math.round(surveyed.durationMs)} ms; ${trials.length} trials`,
  );
  const ends = [...earlier];
  const over = new AbortController();
  process.once('SIGINT', () => {
    console.log('finishing what runs; a second Ctrl-C does not wait');
    over.abort();
  });
  const work = async (trial: Trial) => {
    const end = await runTrial(trial, surveyed);
    appendFileSync(values.out, `${JSON.stringify(end)}\n`);
    ends.push(end);
    if (!end.held)
      console.log(
        [`did not hold: ${end.name}`, ...end.kills, ...end.stranded, ...end.findings].join('\n  '),
      );
  };
  await twoAtATime(trials, work, over.signal);
  for (const line of summaryOf(ends)) console.log(line);
  process.exitCode = ends.every(({ held }) => held) ? 0 : 1;
}

await main();
