import { type LoomClock, machineClock } from './clock.ts';
import { endpointFile } from './endpoint-file.ts';
import { httpTransport } from './http-transport.ts';
import type { LoomStatus } from './loom-status.ts';
import { loopbackUrl } from './loopback-url.ts';
import { bodyCapOf } from './tool-values.ts';

export interface DetectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The workspace whose chat it must be. */
  readonly root: string;
  /** Tried in this order where a scan is asked for. Default 7077 to 7092. */
  readonly ports?: readonly number[];
  /** For all of it. Default 2 s. */
  readonly limitMs?: number;
  readonly clock?: LoomClock;
}

type Source = 'env' | 'endpoint-file' | 'scan';
interface Candidate {
  readonly url: URL;
  readonly source: Source;
  readonly maxBody?: number | undefined;
}

const LIMIT_MS = 2_000;
const DEFAULT_CAP = 500;
const PORTS: readonly number[] = Array.from({ length: 16 }, (_, index) => 7077 + index);

/**
 * Looks for the chat server of a workspace: `LOOM_MCP_URL` and then nothing else, or the file in which a server tells
 * of itself. Ports are tried only with `ATELIER_LOOM_SCAN=1`, since what answers there may show another folder's
 * people our goals. With `ATELIER_LOOM_COMMS=0`, exactly, nothing is looked at. Never rejects.
 */
export async function detect(options: DetectOptions): Promise<LoomStatus> {
  const { env, clock = machineClock, limitMs = LIMIT_MS } = options;
  if (env['ATELIER_LOOM_COMMS'] === '0') return absent('it is turned off');
  const until = clock.now() + limitMs;
  try {
    const candidates = await candidatesOf(options);
    if (typeof candidates === 'string') return absent(candidates);
    let reason = 'no server answers';
    for (const candidate of candidates) {
      const status = await probe(candidate, () => until - clock.now());
      if (status.available) return status;
      reason = status.reason;
    }
    return absent(reason);
  } catch {
    return absent('looking for it failed');
  }
}

const absent = (reason: string): LoomStatus => ({ available: false, reason });

async function candidatesOf({
  env,
  root,
  ports = PORTS,
}: DetectOptions): Promise<readonly Candidate[] | string> {
  const named = env['LOOM_MCP_URL']?.trim();
  if (named) {
    const url = loopbackUrl(named);
    return url ? [{ url, source: 'env' }] : 'LOOM_MCP_URL names no server on this machine';
  }
  const endpoint = await endpointFile(root);
  if (typeof endpoint !== 'string') return [{ ...endpoint, source: 'endpoint-file' }];
  if (env['ATELIER_LOOM_SCAN'] !== '1') return endpoint;
  return ports.map((port) => ({ url: new URL(`http://127.0.0.1:${port}/mcp`), source: 'scan' }));
}

/** A candidate counts only when it calls itself by the right name; its session is given back. */
async function probe(candidate: Candidate, leftMs: () => number): Promise<LoomStatus> {
  const { url, source } = candidate;
  const transport = httpTransport(url);
  const opened = await transport.open(leftMs());
  if (!opened.ok) return absent(`no server answers (${opened.error.code})`);
  const { id, serverName } = opened.value;
  const listed = await transport.request(id, { method: 'tools/list' }, leftMs());
  await transport.close(id, leftMs());
  if (serverName !== 'loom') return absent('what answers is no chat server');
  const maxBody = listed.ok ? bodyCapOf(listed.value) : undefined;
  return {
    available: true,
    url: url.href,
    port: Number(url.port || 80),
    source,
    maxBody: maxBody ?? candidate.maxBody ?? DEFAULT_CAP,
    transport,
  };
}
