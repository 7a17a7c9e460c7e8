import type { IncomingHttpHeaders } from 'node:http';

/** What one request tells about its client. */
export interface ClientRequest {
  readonly model: string;
  readonly stream: boolean;
  /** One conversation; a retry belongs to the same. */
  readonly session: string;
  /** All text of the user's side. */
  readonly prompt: string;
  readonly tools: readonly string[];
  /** The client's working directory, as it states it in its prompt. */
  readonly cwd: string;
  readonly taskId: string;
  /** NaN when the prompt names none. */
  readonly attempt: number;
}

const CWD = /(?:primary working directory|working directory|\bcwd):\s*(\S[^\n]*)/i;
const TASK_ID = /\btask_id["'`]*\s*[:=]\s*["'`]*([^\s"'`,]+)/;
/** As a briefing states it: in a fence, as JSON text. */
const FENCED_TASK_ID = /<<< task_id\n\| ("(?:[^"\\]|\\.)*")/;
const ATTEMPT = /\battempt["'`]*\s*[:=]\s*["'`]*(\d+)/;

/** Reads a request body of the messages API. Whatever is missing reads as empty. */
export function readClientRequest(body: unknown, headers: IncomingHttpHeaders): ClientRequest {
  const messages = listOf(fieldOf(body, 'messages'));
  const prompt = messages
    .filter((message) => fieldOf(message, 'role') === 'user')
    .map((message) => textOf(fieldOf(message, 'content')))
    .join('\n');
  // The environment is told in the system prompt or in a message of the system's own, as the model wants it.
  const everything = [fieldOf(body, 'system'), ...messages.map((one) => fieldOf(one, 'content'))]
    .map(textOf)
    .join('\n');
  return {
    model: String(fieldOf(body, 'model') ?? ''),
    stream: fieldOf(body, 'stream') === true,
    session: String(headers['x-claude-code-session-id'] ?? ''),
    prompt,
    tools: listOf(fieldOf(body, 'tools')).map((tool) => String(fieldOf(tool, 'name') ?? '')),
    cwd: CWD.exec(everything)?.[1]?.trim() ?? '',
    taskId: taskIdIn(prompt),
    attempt: Number(ATTEMPT.exec(prompt)?.[1] ?? Number.NaN),
  };
}

function taskIdIn(prompt: string): string {
  const fenced = FENCED_TASK_ID.exec(prompt)?.[1];
  return fenced === undefined ? (TASK_ID.exec(prompt)?.[1] ?? '') : String(JSON.parse(fenced));
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The text of a message's content: a string, or blocks that hold text or tool results. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((block) => textOf(fieldOf(block, 'text') ?? fieldOf(block, 'content')))
    .join('\n');
}
