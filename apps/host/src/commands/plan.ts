import { resolve } from 'node:path';
import { type EstimateRange, resolveRunMode } from '@atelier/budget';
import { DEFAULTS } from '@atelier/engine';
import {
  type PlanPreview,
  type PreviewOptions,
  previewPlan,
  validatePlan,
} from '@atelier/engine/plan';
import { jsonLine, type RenderedIssue, renderIssues, renderPreview } from '@atelier/reporters';
import type { Command, ExitCode } from '../command.ts';
import { assertRunMode } from '../compose/run-mode.ts';
import type { Environment } from '../environment.ts';
import { readPlanFile } from '../read-plan-file.ts';
import { rangeOf } from '../spending/range-of.ts';
import type { Streams } from '../streams.ts';
import { HELP, parsePlanArguments, type SpendWords } from './plan-arguments.ts';

/** `atelier plan`: 0 with the preview, or 2 with every defect of the file. */
export const plan: Command = {
  async run(args, streams, environment) {
    const { file, json, help, caps, ...words } = parsePlanArguments(args);
    if (help) {
      streams.stdout.write(HELP);
      return 0;
    }
    assertRunMode(words.runMode, '--run-mode');
    const checked = await check(resolve(environment.cwd, file), caps, words, environment);
    return checked.ok
      ? showPreview(checked, json, streams)
      : showIssues(checked.issues, json, streams);
  },
};

type Checked =
  | { readonly ok: true; readonly preview: PlanPreview; readonly spend: EstimateRange }
  | { readonly ok: false; readonly issues: readonly RenderedIssue[] };

async function check(
  file: string,
  caps: PreviewOptions,
  { runMode, agent = 'claude', model }: SpendWords,
  environment: Environment,
): Promise<Checked> {
  const document = await readPlanFile(file);
  if (!document.ok) return document;
  const validation = validatePlan(document.value, { now: new Date().toISOString() });
  if (!validation.ok) return validation;
  const { mode } = resolveRunMode({ explicit: runMode, env: environment.runMode });
  const choice = { agent, mode, asked: model, tier: environment.modelTier };
  return {
    ok: true,
    preview: previewPlan(validation.plan, caps),
    spend: rangeOf(validation.plan.tasks, choice, caps.maxAttempts ?? DEFAULTS.maxAttempts),
  };
}

function showPreview(
  { preview, spend }: Extract<Checked, { ok: true }>,
  json: boolean,
  { stdout }: Streams,
): ExitCode {
  const { columns: width } = stdout;
  stdout.write(
    json
      ? versioned({ ok: true, ...preview, spend })
      : renderPreview(preview, { spend, ...(width ? { width } : {}) }),
  );
  return 0;
}

function showIssues(issues: readonly RenderedIssue[], json: boolean, streams: Streams): ExitCode {
  if (json) streams.stdout.write(versioned({ ok: false, issues }));
  else streams.stderr.write(renderIssues(issues));
  return 2;
}

const versioned = (answer: object): string => jsonLine({ version: 1, ...answer });
