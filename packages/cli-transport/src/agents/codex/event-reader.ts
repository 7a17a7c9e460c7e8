import type { Usage } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { AgentSignal, OutputReader } from '../../output-reader.ts';
import { lineReader } from '../marked-lines.ts';
import { failureOf } from './failure.ts';
import { usageOf } from './usage.ts';

const NAME = 80;

/** Lines of finished commands: the longest ones, and nothing of them is told. */
const COUNTS = /"(?:item\.started|turn\.completed|turn\.failed|error)"/;

const RETRY = /^Reconnecting\.\.\. (?:[^(]{0,60}\(.{0,40}?\b([45]\d\d) )?/;

/** What the program calls the work of its tools. Messages and thoughts are items too, but no tools. */
const TOOLS: Readonly<Record<string, string>> = {
  command_execution: 'shell',
  file_change: 'patch',
  web_search: 'web_search',
};

/** Reads the program's event lines. Usage is told once, at the end of the turn: the API proxy meters it earlier. */
export function eventReader(): OutputReader {
  let known: Usage = {};
  const read = lineReader();
  const signalsOf = (line: string): AgentSignal[] => {
    const event = COUNTS.test(line) ? read(line) : undefined;
    switch (event?.['type']) {
      case 'item.started':
        return toolIn(Object(event['item']));
      case 'error':
        return retryIn(event['message']);
      case 'turn.failed':
        return limitIn(Object(event['error']).message);
      case 'turn.completed':
        known = usageOf(event['usage']);
        return [{ kind: 'usage', usage: known }];
      default:
        return [];
    }
  };
  return { read: (lines) => lines.flatMap(signalsOf), usage: () => known };
}

function toolIn({ type, tool }: Readonly<Record<string, unknown>>): AgentSignal[] {
  if (type === 'mcp_tool_call') return [{ kind: 'tool', tool: printable(tool, NAME) }];
  const name = Object.hasOwn(TOOLS, String(type)) ? TOOLS[String(type)] : undefined;
  return name === undefined ? [] : [{ kind: 'tool', tool: name }];
}

function retryIn(message: unknown): AgentSignal[] {
  const found = typeof message === 'string' ? RETRY.exec(message) : null;
  if (!found) return [];
  return [{ kind: 'retry', ...(found[1] === undefined ? {} : { status: Number(found[1]) }) }];
}

function limitIn(message: unknown): AgentSignal[] {
  if (typeof message !== 'string') return [];
  const { cause, resumeAt } = failureOf(message, Date.now());
  if (cause !== 'usage-limit') return [];
  return [{ kind: 'limit', ...(resumeAt === undefined ? {} : { resumeAt }) }];
}
