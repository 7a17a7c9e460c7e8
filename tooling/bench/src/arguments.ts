/** What the command line asks for. */
export interface Asked {
  /** Benches to run, in the order of the list that there is. */
  readonly benches: readonly string[];
  readonly size: 'full' | 'small';
  /** Where the JSON goes; the table goes to standard error when the JSON goes to standard output. */
  readonly json?: { readonly file?: string };
}

const USAGE = 'bench [--small] [--json [FILE]] [BENCH ...]';

/** Throws an error with the usage for what is neither an option nor the name of a bench. */
export function parseArguments(args: readonly string[], known: readonly string[]): Asked {
  const named = new Set<string>();
  let small = false;
  let json: Asked['json'];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') continue;
    if (arg === '--small') small = true;
    else if (arg === '--json') {
      // The name of a bench is no file.
      const isFile = rest[0] !== undefined && !rest[0].startsWith('-') && !known.includes(rest[0]);
      const file = isFile ? rest.shift() : undefined;
      json = file === undefined ? {} : { file };
    } else if (known.includes(arg)) named.add(arg);
    else throw new Error(`bench does not know "${arg}": ${USAGE}; benches: ${known.join(', ')}`);
  }
  return {
    benches: known.filter((name) => named.size === 0 || named.has(name)),
    size: small ? 'small' : 'full',
    ...(json && { json }),
  };
}
