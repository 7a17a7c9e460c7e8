import { findFlock, findTimeout } from './find-program.ts';

/** The program that ends what no host ends. Looked for once; told once when it is missing. */
export const backstopTimer = (warn: (message: string) => void): (() => string | undefined) =>
  foundOnce(findTimeout, () => warn(NO_TIMER));

/** The program that takes locks. Looked for once; told once when it is missing. */
export const lockProgram = (warn: (message: string) => void): (() => string | undefined) =>
  foundOnce(findFlock, () => warn(NO_LOCKS));

function foundOnce(
  find: () => string | undefined,
  onMissing: () => void,
): () => string | undefined {
  let found: { readonly path: string | undefined } | undefined;
  return () => {
    if (!found) {
      found = { path: find() };
      if (found.path === undefined) onMissing();
    }
    return found.path;
  };
}

const NO_TIMER =
  'there is no GNU timeout on this machine: should the host be killed, its workers run on until it is started again';

const NO_LOCKS =
  'there is no flock of util-linux on this machine: should the host be killed, and started again in another container, it can not tell which of its workers live';
