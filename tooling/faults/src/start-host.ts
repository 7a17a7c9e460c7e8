import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Attestation } from '@atelier/cli-transport';
import type { HostLine, HostOrder, Passed } from './host-order.ts';
import type { KillPoint } from './kill-point.ts';
import type { Scene } from './scene.ts';

/** How one host process ended. */
export type HostEnd =
  | { readonly kind: 'killed'; readonly aliveMs: number }
  | {
      readonly kind: 'ended';
      readonly verdict: string;
      readonly passed: readonly Passed[];
      readonly aliveMs: number;
    }
  /** It refused, failed, or hung. */
  | { readonly kind: 'failed'; readonly why: string };

export interface HostStart {
  readonly attestation: Attestation;
  readonly point?: KillPoint | undefined;
  /** How long an uninterrupted run takes, for instants. */
  readonly durationMs?: number;
}

const PROGRAM = join(import.meta.dirname, '../bundle/host.js');
const HUNG_MS = 180_000;

/** Starts a host on a scene, kills it if and where that is asked for, and waits for its end. */
export async function startHost(scene: Scene, start: HostStart): Promise<HostEnd> {
  const { point, attestation, durationMs = 0 } = start;
  const order: HostOrder = {
    place: placeOf(scene),
    attestation,
    ...(point ? { point } : {}),
  };
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(order)], {
    cwd: scene.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A Ctrl-C is for whoever counts.
    detached: true,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: scene.folder,
      TMPDIR: scene.temporary,
    },
  });
  let ready = 0;
  let last: HostLine | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hung = false;
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2_000);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = JSON.parse(line) as HostLine;
    if (last.kind !== 'ready') return;
    ready = performance.now();
    if (point?.kind === 'instant')
      timer = setTimeout(() => child.kill('SIGKILL'), point.fraction * durationMs);
  });
  const hanging = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, HUNG_MS);
  const closed = once(child, 'close');
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  // After a kill the next host comes at once, whoever still holds a pipe of this one.
  if (signal === null) await closed;
  clearTimeout(timer);
  clearTimeout(hanging);
  const aliveMs = ready === 0 ? 0 : performance.now() - ready;
  for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
  if (hung) return { kind: 'failed', why: `it hung: ${said}` };
  if (last?.kind === 'ended') return { ...last, aliveMs };
  if (signal === 'SIGKILL') return { kind: 'killed', aliveMs };
  const why = last?.kind === 'failed' ? `${last.code}: ${last.message}` : `exit ${code}: ${said}`;
  return { kind: 'failed', why };
}

const placeOf = ({ git: _, remove: __, ...place }: Scene) => place;
