import type { Chat } from './chat.ts';
import type { RecordedCall } from './fault.ts';
import { ToolFault } from './tool-fault.ts';
import { runTool, toolList } from './tools.ts';

/** A request as it came: untrusted, of any shape. */
export interface RpcRequest {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: {
    readonly name?: unknown;
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly protocolVersion?: unknown;
  };
}

const KNOWN_VERSIONS: readonly unknown[] = ['2024-11-05', '2025-06-18'];
const NEWEST_VERSION = '2025-11-25';

/** How a request is recorded. */
export function recorded({ method, params }: RpcRequest, session?: string): RecordedCall {
  const call = { session, method: String(method) };
  if (method !== 'tools/call') return call;
  return { ...call, tool: String(params?.name), args: params?.arguments ?? {} };
}

/** The answer to one request; undefined for a notification, which has none. */
export function answerRpc(
  chat: Chat,
  request: RpcRequest,
  at: { session: string; now: number; fault?: string },
): object | undefined {
  const { id, method, params = {} } = request;
  if (id === undefined) return undefined;
  const answer = (result: object) => ({ result, jsonrpc: '2.0', id });
  switch (method) {
    case 'initialize': {
      const known = KNOWN_VERSIONS.includes(params.protocolVersion);
      return answer({
        protocolVersion: known ? params.protocolVersion : NEWEST_VERSION,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'loom', version: '0.12.0' },
      });
    }
    case 'ping':
      return answer({});
    case 'tools/list':
      return answer({ tools: toolList(chat) });
    case 'tools/call': {
      const { name, arguments: args = {} } = params;
      return answer(
        toolResult(() => {
          if (at.fault) throw new ToolFault(at.fault, 'as the test wants it');
          return runTool(chat, { session: at.session, tool: String(name), args, now: at.now });
        }),
      );
    }
    default:
      return { error: { code: -32601, message: 'Method not found' }, jsonrpc: '2.0', id };
  }
}

function toolResult(run: () => unknown): object {
  try {
    const value = run();
    const content = [{ type: 'text', text: JSON.stringify(value) }];
    return Array.isArray(value) ? { content } : { content, structuredContent: value };
  } catch (fault) {
    if (!(fault instanceof ToolFault)) throw fault;
    const { code, message } = fault;
    // A schema's refusal is text alone.
    if (code.startsWith('-'))
      return { content: [{ type: 'text', text: `MCP error ${code}: ${message}` }], isError: true };
    return {
      content: [{ type: 'text', text: `${code}: ${message}` }],
      structuredContent: { code, message },
      isError: true,
    };
  }
}
