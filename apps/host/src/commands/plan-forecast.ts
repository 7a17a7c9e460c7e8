import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { resolveRunMode } from '@atelier/budget';
import type { Plan } from '@atelier/engine/plan';
import type { Forecast } from '@atelier/reporters';
import { openStore, storeFile } from '@atelier/store-sqlite';
import { openRepository } from '@atelier/worktrees';
import { settingsOf } from '../compose/plan-settings.ts';
import type { Environment } from '../environment.ts';
import { readConfig } from '../read-config.ts';
import { forecastOf } from '../replay/forecast-of.ts';
import { openRoster } from '../team/roster.ts';
import type { ReplayWords } from './plan-arguments.ts';

/** How a run of the plan would be started. */
interface PlanForecast extends ReplayWords {
  readonly repo: string | undefined;
  readonly runMode: string | undefined;
  readonly agent: string;
  readonly model: string | undefined;
  readonly maxAttempts: number | undefined;
}

/** What a run of the plan would spare for an earlier one. Opens the record of the clone's runs, and makes none. */
export async function planForecast(
  plan: Plan,
  { agent, agentArgs, model, runMode, repo, maxAttempts, wallClockMs }: PlanForecast,
  environment: Environment,
): Promise<Forecast> {
  const config = await readConfig(environment.configFile);
  const { allowFilters, sandboxRead: read } = config;
  const dir = resolve(environment.cwd, repo ?? '.');
  const repository = await openRepository({ dir, allowFilters });
  const words = { explicit: runMode, env: environment.runMode, saved: config.runMode };
  const { mode } = resolveRunMode(words);
  const path = storeFile(repository.stateDir);
  const store = existsSync(path) ? openStore({ path }) : undefined;
  try {
    const tasks = await forecastOf(
      {
        ...{ repository, store, tasks: plan.tasks, settings: settingsOf(plan), read },
        roster: await openRoster(environment.configFile, store?.team),
        ...{ agent: { agent, agentArgs }, mode, model, replay: true },
        caps: {
          ...(maxAttempts === undefined ? {} : { maxAttempts }),
          ...(wallClockMs === undefined ? {} : { wallClockMs }),
        },
      },
      environment,
    );
    return { version: 1, tasks };
  } finally {
    store?.close();
  }
}
