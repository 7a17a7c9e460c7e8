import { resolve } from 'node:path';
import { resolveRunMode } from '@atelier/budget';
import { type Plan, type PlannerEscalation, previewPlan } from '@atelier/engine/plan';
import { printable } from '@atelier/envelope';
import { jsonLine, renderIssues } from '@atelier/reporters';
import type { Command, ExitCode } from '../command.ts';
import { assertRunMode } from '../compose/run-mode.ts';
import { withProject } from '../compose/with-project.ts';
import { assertFree, keepPlan, keepRefused } from '../planner/keep.ts';
import { type Planning, planForGoal } from '../planner/plan-for-goal.ts';
import type { Streams } from '../streams.ts';
import { HELP, type PlanFromArguments, parsePlanFromArguments } from './plan-from-arguments.ts';

/** `atelier plan --from`: 0 with the plan in its file, 3 when a person has to see to it, 5 when it was interrupted. */
export const planFrom: Command = {
  async run(args, streams, environment) {
    const given = parsePlanFromArguments(args);
    if (given.help) {
      streams.stdout.write(HELP);
      return 0;
    }
    assertRunMode(given.runMode, '--run-mode');
    const place = { path: resolve(environment.cwd, given.output), force: given.force };
    assertFree(place);
    return withProject(given, environment, async (project) => {
      const { goal, agent, agentArgs, model } = given;
      const mode = resolveRunMode({
        ...{ explicit: given.runMode, env: environment.runMode, saved: project.config.runMode },
      });
      const planning = await planForGoal(
        { ...{ goal, project, model, mode }, agent: { agent, agentArgs } },
        streams,
        environment,
      );
      const { end } = planning;
      if (end.kind === 'planned') {
        const path = keepPlan(end.plan, place);
        return tellPlan(end.plan, { ...given, ...planning, path }, streams);
      }
      if (end.kind === 'escalated')
        return tellEscalation(end.escalation, { ...given, ...planning, ...place }, streams);
      const { runs } = planning;
      if (given.json) streams.stdout.write(answer({ ok: false, kind: end.kind, runs }));
      return 5;
    });
  },
};

type Telling = Pick<PlanFromArguments, 'json'> & Pick<Planning, 'runs'> & { readonly path: string };

function tellPlan(plan: Plan, { json, path, runs }: Telling, { stdout }: Streams): ExitCode {
  const { tasks } = plan;
  // A reviewer runs in the wave of its author, whatever its own group.
  const waves = previewPlan(plan).waves.length;
  if (json) {
    stdout.write(answer({ ok: true, file: path, tasks: tasks.length, waves, runs }));
    return 0;
  }
  const shown = printable(path, 300);
  stdout.write(
    `${shown}: ${tasks.length} tasks in ${waves} waves. Nothing was dispatched.\n` +
      `Read it, see its waves with: atelier plan ${shown}\n` +
      `Then: atelier run ${shown}\n`,
  );
  return 0;
}

function tellEscalation(
  { last, refused, ...escalation }: PlannerEscalation,
  { json, path, runs }: Telling,
  { stdout, stderr }: Streams,
): ExitCode {
  const kept = last === undefined ? undefined : keepRefused(last, path);
  const { kind, detail, issues } = escalation;
  if (json) {
    const proposals = refused.map((proposal) => ({ issues: proposal.issues }));
    stdout.write(answer({ ok: false, ...escalation, refused: proposals, kept, runs }));
    return 3;
  }
  stderr.write(`no plan (${kind}): ${detail}\n${renderIssues(issues)}`);
  if (kept !== undefined) stderr.write(`the last proposal is in ${printable(kept, 300)}\n`);
  return 3;
}

const answer = (object: object): string => jsonLine({ version: 1, ...object });
