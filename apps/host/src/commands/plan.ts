import { resolve } from 'node:path';
import {
  type PlanPreview,
  type PreviewOptions,
  previewPlan,
  validatePlan,
} from '@atelier/engine/plan';
import { jsonLine, type RenderedIssue, renderIssues, renderPreview } from '@atelier/reporters';
import type { Command, ExitCode } from '../command.ts';
import { readPlanFile } from '../read-plan-file.ts';
import type { Streams } from '../streams.ts';
import { HELP, parsePlanArguments } from './plan-arguments.ts';

/** `atelier plan`: 0 with the preview, or 2 with every defect of the file. */
export const plan: Command = {
  async run(args, streams, { cwd }) {
    const { file, json, help, caps } = parsePlanArguments(args);
    if (help) {
      streams.stdout.write(HELP);
      return 0;
    }
    const checked = await check(resolve(cwd, file), caps);
    return checked.ok
      ? showPreview(checked.preview, json, streams)
      : showIssues(checked.issues, json, streams);
  },
};

type Checked =
  | { readonly ok: true; readonly preview: PlanPreview }
  | { readonly ok: false; readonly issues: readonly RenderedIssue[] };

async function check(file: string, caps: PreviewOptions): Promise<Checked> {
  const document = await readPlanFile(file);
  if (!document.ok) return document;
  const validation = validatePlan(document.value, { now: new Date().toISOString() });
  if (!validation.ok) return validation;
  return { ok: true, preview: previewPlan(validation.plan, caps) };
}

function showPreview(preview: PlanPreview, json: boolean, { stdout }: Streams): ExitCode {
  const { columns: width } = stdout;
  stdout.write(
    json ? versioned({ ok: true, ...preview }) : renderPreview(preview, width ? { width } : {}),
  );
  return 0;
}

function showIssues(issues: readonly RenderedIssue[], json: boolean, streams: Streams): ExitCode {
  if (json) streams.stdout.write(versioned({ ok: false, issues }));
  else streams.stderr.write(renderIssues(issues));
  return 2;
}

const versioned = (answer: object): string => jsonLine({ version: 1, ...answer });
