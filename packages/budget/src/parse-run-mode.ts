import { RUN_MODES, type RunMode } from './run-modes.ts';

/** The run mode that a text names, whatever its case and the space around it; undefined when it names none. */
export function parseRunMode(text: unknown): RunMode | undefined {
  if (typeof text !== 'string') return undefined;
  const name = text.trim().toLowerCase();
  return isRunMode(name) ? name : undefined;
}

/** The run mode that a saved default names: by its own name, or by that of the profile which stands for it. */
export function parseSavedRunMode(text: unknown): RunMode | undefined {
  if (typeof text !== 'string') return undefined;
  const name = text.trim().toLowerCase();
  const [mode] = Object.entries(RUN_MODES).find(([, { profile }]) => profile === name) ?? [name];
  return parseRunMode(mode);
}

const isRunMode = (name: string): name is RunMode => Object.hasOwn(RUN_MODES, name);
