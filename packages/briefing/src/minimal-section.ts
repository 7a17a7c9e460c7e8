/** Asked of who implements: what is small is reviewed well, and what is unsafe is not small. */
export const MINIMAL = `# What to build

The smallest safe change that meets every requirement: nothing for a later need, no rewrite in passing. Never leave out validation, error handling or security to make it smaller. Leave one runnable check that fails without the change.`;

const OF_HOST = /^dev[:-]/;

/**
 * Whether a phase asks for the smallest change: `tdd`, `tdd:green` or `tdd:clean`, also with more parts behind, in any
 * case, after `dev:` or `dev-`, and with hyphens for colons. `implement` does not: tasks without a phase are called so.
 */
export function isMinimal(phase: string | undefined): boolean {
  const label = phase?.trim().toLowerCase().replace(OF_HOST, '') ?? '';
  if (label === 'tdd-green' || label === 'tdd-clean') return true;
  const [first, second] = label.split(':');
  return first === 'tdd' && second !== 'red';
}
