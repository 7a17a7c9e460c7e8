import { resolve } from 'node:path';
import { type EstimateRange, resolveRunMode } from '@atelier/budget';
import { DEFAULTS } from '@atelier/engine';
import {
  commandsOf,
  type PlanCommand,
  type PlanPreview,
  type PlanWorktree,
  type PreviewOptions,
  previewPlan,
  validatePlan,
} from '@atelier/engine/plan';
import {
  type Forecast,
  jsonLine,
  type RenderedIssue,
  renderForecast,
  renderGraph,
  renderIssues,
  renderPreview,
} from '@atelier/reporters';
import { type Command, type ExitCode, UsageError } from '../command.ts';
import { placeOf } from '../compose/load-plan.ts';
import { assertRunMode } from '../compose/run-mode.ts';
import type { Environment } from '../environment.ts';
import { readConfig } from '../read-config.ts';
import { readPlanFile } from '../read-plan-file.ts';
import { rangeOf } from '../spending/range-of.ts';
import type { Streams } from '../streams.ts';
import { rosterAt } from '../team/roster-at.ts';
import { approvesPlan, planApprove } from './plan-approve.ts';
import { HELP, type PlanArguments, parsePlanArguments } from './plan-arguments.ts';
import { planForecast } from './plan-forecast.ts';
import { asksForPlan } from './plan-from-arguments.ts';

/** `atelier plan`: 0 with the preview, or 2 with every defect of the file. */
export const plan: Command = {
  async run(args, streams, environment) {
    if (asksForPlan(args)) {
      const { planFrom } = await import('./plan-from.ts');
      return planFrom.run(args, streams, environment);
    }
    if (approvesPlan(args)) return planApprove.run(args, streams, environment);
    const { file, help, caps, ...words } = parsePlanArguments(args);
    if (help) {
      streams.stdout.write(HELP);
      return 0;
    }
    assertRunMode(words.runMode, '--run-mode');
    const checked = await check(resolve(environment.cwd, file), caps, words, environment);
    return checked.ok
      ? showPreview(checked, words, streams)
      : showIssues(checked.issues, words.json, streams);
  },
};

type PreviewWords = Omit<PlanArguments, 'file' | 'help' | 'caps'>;

type Checked =
  | {
      readonly ok: true;
      readonly preview: PlanPreview;
      readonly spend: EstimateRange;
      /** All that the plan has executed or brought along; absent where there is nothing. */
      readonly commands?: readonly PlanCommand[];
      readonly worktree?: Pick<PlanWorktree, 'copy' | 'link'>;
      /** Some task reads, and there is no commit to look into. */
      readonly unchecked?: readonly ['reads'];
      /** Only when it was asked for. */
      readonly forecast?: Forecast;
    }
  | { readonly ok: false; readonly issues: readonly RenderedIssue[] };

async function check(
  file: string,
  caps: PreviewOptions,
  { runMode, agent = 'claude', model, replay, repo }: PreviewWords,
  environment: Environment,
): Promise<Checked> {
  const document = await readPlanFile(file);
  if (!document.ok) return document;
  const dir = resolve(environment.cwd, repo ?? '.');
  const place = await placeOf(dir);
  const { ids: personas } = await rosterAt(dir, environment.configFile);
  const gates = { now: new Date().toISOString(), ...place, personas };
  const validation = validatePlan(document.value, gates);
  if (!validation.ok) return validation;
  const { runMode: saved } = await readConfig(environment.configFile);
  const { mode } = resolveRunMode({ explicit: runMode, env: environment.runMode, saved });
  const choice = { agent, mode, asked: model, tier: environment.modelTier };
  const { plan } = validation;
  const commands = commandsOf(plan);
  const { copy = [], link = [] } = plan.worktree ?? {};
  const reads = plan.tasks.some((task) => (task.reads ?? []).length > 0);
  return {
    ok: true,
    preview: previewPlan(plan, caps),
    ...(commands.length > 0 ? { commands } : {}),
    ...(copy.length + link.length > 0 ? { worktree: { copy, link } } : {}),
    ...(place.existing === undefined && reads ? { unchecked: ['reads'] } : {}),
    spend: rangeOf(plan.tasks, choice, caps.maxAttempts ?? DEFAULTS.maxAttempts),
    ...(replay
      ? {
          forecast: await planForecast(
            plan,
            { ...replay, ...{ repo, runMode, agent, model, maxAttempts: caps.maxAttempts } },
            environment,
          ),
        }
      : {}),
  };
}

function showPreview(
  { preview, forecast, ok: _, ...told }: Extract<Checked, { ok: true }>,
  { json, graph }: PreviewWords,
  { stdout }: Streams,
): ExitCode {
  const width = stdout.columns ? { width: stdout.columns } : {};
  if (graph) stdout.write(graphOf(preview));
  else if (json) {
    const more = forecast ? { forecast: forecast.tasks } : {};
    stdout.write(versioned({ ok: true, ...preview, ...told, ...more }));
  } else {
    const { unchecked, ...shown } = told;
    const readsUnchecked = unchecked !== undefined;
    stdout.write(renderPreview(preview, { ...shown, readsUnchecked, ...width }));
    if (forecast) stdout.write(`\n${renderForecast(forecast, width)}`);
  }
  return 0;
}

function graphOf(preview: PlanPreview): string {
  const graph = renderGraph(preview);
  if (graph !== undefined) return graph;
  throw new UsageError(
    `--graph draws at most 500 tasks and 500 edges in 50,000 characters, as Mermaid does, and this plan has ${preview.live} tasks`,
    'Leave --graph out for the table, or use --json for a drawing of your own.',
  );
}

function showIssues(issues: readonly RenderedIssue[], json: boolean, streams: Streams): ExitCode {
  if (json) streams.stdout.write(versioned({ ok: false, issues }));
  else streams.stderr.write(renderIssues(issues));
  return 2;
}

const versioned = (answer: object): string => jsonLine({ version: 1, ...answer });
