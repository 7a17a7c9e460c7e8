import type { IncomingMessage } from 'node:http';
import type { PlainAnswer } from './write-answer.ts';

export const rpcError = (status: number, code: number, message: string): PlainAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }),
});

/** Why a request is not even read; undefined for one that may go on. */
export function turnedAway(incoming: IncomingMessage, port: number): PlainAnswer | undefined {
  const { url = '', method = '', headers } = incoming;
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (url.split('?')[0] !== '/mcp') return { status: 404 };
  if (!own.includes(headers.host ?? '')) return { status: 403, body: 'forbidden host' };
  const { origin } = headers;
  if (origin !== undefined && !own.some((one) => origin === `http://${one}`))
    return { status: 403, body: 'forbidden origin' };
  if (!['POST', 'GET', 'DELETE'].includes(method)) return { status: 405 };
  if (method !== 'POST') return undefined;
  const { accept = '' } = headers;
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
    const need = 'Client must accept both application/json and text/event-stream';
    return rpcError(406, -32000, `Not Acceptable: ${need}`);
  }
  if (!headers['content-type']?.startsWith('application/json'))
    return rpcError(415, -32000, 'Unsupported Media Type: Content-Type must be application/json');
  return undefined;
}
