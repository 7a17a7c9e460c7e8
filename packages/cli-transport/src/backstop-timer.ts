import { findTimeout } from './find-program.ts';

/** The program that ends what no host ends. Looked for once; told once when it is missing. */
export function backstopTimer(warn: (message: string) => void): () => string | undefined {
  let found: { readonly path: string | undefined } | undefined;
  return () => {
    if (!found) {
      found = { path: findTimeout() };
      if (found.path === undefined) warn(NO_TIMER);
    }
    return found.path;
  };
}

const NO_TIMER =
  'there is no GNU timeout on this machine: should the host be killed, its workers run on until it is started again';
