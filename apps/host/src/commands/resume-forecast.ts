import { foldRun } from '@atelier/engine';
import { type Forecast, jsonLine, renderForecast } from '@atelier/reporters';
import type { ExitCode } from '../command.ts';
import type { Project } from '../compose/project.ts';
import type { Environment } from '../environment.ts';
import { type ForecastGiven, forecastOf } from '../replay/forecast-of.ts';
import type { Streams } from '../streams.ts';

interface ResumeForecast
  extends Pick<
    ForecastGiven,
    'tasks' | 'settings' | 'caps' | 'agent' | 'mode' | 'model' | 'replay' | 'roster'
  > {
  readonly project: Project;
  readonly runId: string;
  readonly json: boolean;
}

/** `atelier resume --dry-run`: what the run would keep, and what it would do again and why. Takes no lock. */
export async function resumeForecast(
  { project, runId, json, ...given }: ResumeForecast,
  { stdout }: Streams,
  environment: Environment,
): Promise<ExitCode> {
  const { repository, store, config } = project;
  const state = foldRun(await store.journal.load(runId));
  const tasks = await forecastOf(
    { ...given, ...{ repository, store, state, read: config.sandboxRead } },
    environment,
  );
  const forecast: Forecast = { version: 1, run_id: runId, tasks };
  const width = stdout.columns === undefined ? {} : { width: stdout.columns };
  stdout.write(json ? jsonLine(forecast) : renderForecast(forecast, width));
  return 0;
}
