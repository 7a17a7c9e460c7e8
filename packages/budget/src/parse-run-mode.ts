import { RUN_MODES, type RunMode } from './run-modes.ts';

/** The run mode that a text names, whatever its case and the space around it; undefined when it names none. */
export function parseRunMode(text: unknown): RunMode | undefined {
  if (typeof text !== 'string') return undefined;
  const name = text.trim().toLowerCase();
  return isRunMode(name) ? name : undefined;
}

const isRunMode = (name: string): name is RunMode => Object.hasOwn(RUN_MODES, name);
