import type { Usage } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { AgentSignal, OutputReader } from '../../output-reader.ts';
import { lineReader } from '../marked-lines.ts';
import { limitEnd } from './limit-event.ts';
import { usageOf } from './usage.ts';

const NAME = 80;
const REASON = 200;

/** More than are ever under way at once. */
const REMEMBERED = 256;

/** Lines of tool results: the longest ones, and nothing of them is told. */
const TOOL_RESULT = '{"type":"user"';

/** What the program itself says in place of an answer; it has cost nothing. */
const SYNTHETIC = '<synthetic>';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the program's event lines. Usage is summed over the messages, each counted once though it is printed once per
 * part. The output tokens of a message are left out: a line tells those of its beginning, about 1, never those of its
 * end. With the final record all of it is known.
 */
export function eventReader(): OutputReader {
  const seen = new Set<unknown>();
  const read = lineReader();
  let known: Usage = {};

  const message = (event: Fields): AgentSignal[] => {
    const said = fieldsOf(event['message']);
    const tools = listOf(said['content'])
      .map(fieldsOf)
      .filter((part) => part['type'] === 'tool_use')
      .map((part): AgentSignal => ({ kind: 'tool', tool: text(part['name'], NAME) }));
    const { id, model } = said;
    if (typeof id !== 'string' || model === SYNTHETIC || seen.has(id)) return tools;
    seen.add(id);
    if (seen.size > REMEMBERED) seen.delete(seen.values().next().value);
    const { outputTokens: _, ...used } = usageOf(said);
    known = sum(known, used);
    return [...tools, { kind: 'usage', usage: known }];
  };

  const signalsOf = (line: string): AgentSignal[] => {
    const event = line.startsWith(TOOL_RESULT) ? undefined : read(line);
    switch (event?.['type']) {
      case 'assistant':
        return message(event);
      case 'system':
        return notice(event);
      case 'rate_limit_event': {
        const end = limitEnd(event);
        return end === undefined ? [] : [{ kind: 'limit', ...end }];
      }
      case 'result':
        known = { ...known, ...usageOf(event) };
        return [{ kind: 'usage', usage: known }];
      default:
        return [];
    }
  };

  return { read: (lines) => lines.flatMap(signalsOf), usage: () => known };
}

function notice(event: Fields): AgentSignal[] {
  if (event['subtype'] === 'permission_denied') {
    const tool = text(event['tool_name'], NAME);
    return [{ kind: 'denial', tool, reason: text(event['message'], REASON) }];
  }
  if (event['subtype'] !== 'api_retry') return [];
  const { error_status: status, retry_delay_ms: waitMs } = event;
  return [
    {
      kind: 'retry',
      ...(typeof status === 'number' ? { status } : {}),
      ...(typeof waitMs === 'number' ? { waitMs } : {}),
    },
  ];
}

const sum = (one: Usage, other: Usage): Usage => {
  const total: Record<string, number> = { ...one };
  for (const [name, amount] of Object.entries(other)) total[name] = (total[name] ?? 0) + amount;
  return total;
};

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const text = (value: unknown, length: number): string =>
  typeof value === 'string' ? printable(value, length) : '';
