import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { closestName } from '@atelier/engine/plan';
import { printable } from '@atelier/envelope';
import type { NotifyCommand } from './compose/notify.ts';
import { PlanRefused } from './plan-refused.ts';
import { readPlanFile } from './read-plan-file.ts';

/** What the user allows every run of theirs. */
export interface Config {
  /** Further paths that workers may read, absolute. */
  readonly sandboxRead: readonly string[];
  /** Git filters that tracked files may be stored through. */
  readonly allowFilters: readonly string[];
  /** The program that is told of every escalation, and its arguments. */
  readonly notify?: NotifyCommand;
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['read'],
  git: ['allowFilters'],
  escalations: ['notify'],
};

/**
 * Reads the user's config, if there is one. It is never taken from a repository: what is in there may come from a
 * worker, and would open the walls to the next one. Throws with every defect: unknown keys are refused.
 */
export async function readConfig(path: string): Promise<Config> {
  if (!existsSync(path)) return { sandboxRead: [], allowFilters: [] };
  const document = await readPlanFile(path);
  if (!document.ok) throw new PlanRefused(document.issues);
  const issues = [...defectsOf(document.value)].map((defect) => ({ path, ...defect }));
  if (issues.length > 0) throw new PlanRefused(issues);
  const config = document.value as {
    sandbox?: { read?: string[] };
    git?: { allowFilters?: string[] };
    escalations?: { notify?: string[] };
  };
  const [program, ...args] = config.escalations?.notify ?? [];
  return {
    sandboxRead: (config.sandbox?.read ?? []).map(homeExpanded),
    allowFilters: config.git?.allowFilters ?? [],
    ...(program === undefined ? {} : { notify: [homeExpanded(program), ...args] as const }),
  };
}

function* defectsOf(value: unknown): Generator<{ message: string; fix: string }> {
  if (!isObject(value)) {
    yield { message: 'the config must be an object', fix: 'For example: sandbox: { read: [] }.' };
    return;
  }
  for (const [section, content] of Object.entries(value)) {
    if (section.startsWith('x-')) continue;
    const keys = KEYS[section];
    if (!keys) yield unknownKey(section, Object.keys(KEYS));
    else if (!isObject(content))
      yield { message: `${section} must be an object`, fix: `It takes ${keys.join(', ')}.` };
    else yield* sectionDefects(section, content, keys);
  }
}

function* sectionDefects(section: string, content: object, keys: readonly string[]) {
  for (const [key, list] of Object.entries(content)) {
    if (key.startsWith('x-')) continue;
    if (!keys.includes(key))
      yield unknownKey(
        `${section}.${key}`,
        keys.map((one) => `${section}.${one}`),
      );
    else if (!Array.isArray(list) || !list.every((item) => typeof item === 'string' && item !== ''))
      yield { message: `${section}.${key} must be a list of texts`, fix: 'Write it as [a, b].' };
    else if (key === 'read' && !list.every((path) => isAbsolute(homeExpanded(path))))
      yield { message: 'sandbox.read takes absolute paths', fix: 'Begin them with / or ~/.' };
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unknownKey(key: string, known: readonly string[]) {
  const meant = closestName(key, known);
  return {
    message: `there is no key "${printable(key)}"`,
    fix: meant === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${meant}?`,
  };
}

const homeExpanded = (path: string): string =>
  path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
