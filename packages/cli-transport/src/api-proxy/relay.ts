import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { endToEnd } from './hop-by-hop.ts';
import type { Meter } from './meter.ts';
import { hiding, passing } from './passing.ts';

interface Relay {
  readonly meter: Meter;
  readonly secrets: readonly string[];
  /** The program is told not to try again. */
  readonly isFinal: boolean;
  /** All of the answer has gone by. */
  readonly onWhole: () => unknown;
}

/** For an API that compresses although it was asked not to. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const isIdentity = (encoding: string): boolean => encoding === '' || encoding === 'identity';

/** Whether what the answer says can be read while it goes by. */
export const isReadable = (answer: IncomingMessage): boolean =>
  isIdentity(encodingOf(answer)) || DECODERS.has(encodingOf(answer));

/**
 * Passes a readable answer on as it comes, no faster than it is taken. A break on either side breaks the other, so that
 * a cut answer is never taken for a whole one.
 */
export function relay(
  answer: IncomingMessage,
  response: ServerResponse,
  { meter, secrets, isFinal, onWhole }: Relay,
): void {
  const decoder = DECODERS.get(encodingOf(answer))?.();
  const headers: OutgoingHttpHeaders = {};
  // Of a final answer nobody is to wait for another: not every program knows the header below.
  for (const [name, value] of Object.entries(endToEnd(answer.headers)))
    if (
      !(isFinal && name === 'retry-after') &&
      name !== 'set-cookie' &&
      !(decoder && isAboutBytes(name))
    )
      headers[name] = hiding(String(value), secrets);
  response.writeHead(answer.statusCode ?? 502, {
    ...headers,
    ...(isFinal && { 'x-should-retry': 'false' }),
  });
  // The first bytes of a stream may be long in coming; its headers are not held back for them.
  response.flushHeaders();
  const through = [...(decoder ? [decoder] : []), passing(meter, secrets)];
  pipeline([answer, ...through, response], (error) => {
    if (error) response.destroy();
    else onWhole();
  });
}

const encodingOf = ({ headers }: IncomingMessage): string =>
  (headers['content-encoding'] ?? '').trim().toLowerCase();

const isAboutBytes = (name: string): boolean =>
  name === 'content-encoding' || name === 'content-length';
