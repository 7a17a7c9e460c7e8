import { replyJsonSchema } from '@atelier/envelope';
import { CliTransportError } from '../../cli-error.ts';
import type { ClaudeSettings } from './options.ts';

/** Linux refuses a single argument of this many bytes, its closing NUL included. */
const ARGUMENT_LIMIT = 131_072;

/** The part of the command line that is the same for every attempt. The briefing is never in it. */
export function fixedArguments(settings: ClaudeSettings): readonly string[] {
  const { permissionMode, maxTurns, maxBudgetUsd, tools } = settings;
  return [
    '-p',
    // Events as they happen, the record last. No partial messages: they would take many times the room of the text.
    ...['--output-format', 'stream-json', '--verbose'],
    ...['--json-schema', schemaArgument(replyJsonSchema())],
    ...['--permission-mode', permissionMode],
    // No settings, hooks, memory files or servers of the repository or the user: they would run unasked.
    ...['--setting-sources', ''],
    '--strict-mcp-config',
    '--disable-slash-commands',
    '--no-session-persistence',
    ...['--max-turns', String(maxTurns)],
    ...['--max-budget-usd', String(maxBudgetUsd)],
    ...['--tools', fitting('tools', tools.join())],
  ];
}

/** A schema as one argument. Throws `CLAUDE_ARGUMENT_TOO_LARGE`: the system would refuse to start the program. */
export const schemaArgument = (schema: object): string => fitting('schema', JSON.stringify(schema));

function fitting(what: string, text: string): string {
  const bytes = Buffer.byteLength(text) + 1;
  if (bytes < ARGUMENT_LIMIT) return text;
  throw new CliTransportError(
    'CLAUDE_ARGUMENT_TOO_LARGE',
    `claude: the ${what} takes ${bytes} bytes as an argument; the system allows ${ARGUMENT_LIMIT - 1}`,
    `Make the ${what} smaller; a briefing has no such limit, it goes to standard input.`,
  );
}
