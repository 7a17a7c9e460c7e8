import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** How a run is told to end from outside: `soft` lets its workers finish, `hard` ends them. */
export type AbortMode = 'soft' | 'hard';

/** Where a run's folder says how its host can be reached. */
const ADDRESS = 'control';

interface ControlOptions {
  readonly runDir: string;
  /** A folder for the socket itself, which needs a short path. */
  readonly sockets: string;
  readonly onAbort: (mode: AbortMode) => void;
}

/** Lets other terminals of the same user end a run. Anything but a known word is answered with an error. */
export async function openControl({
  runDir,
  sockets,
  onAbort,
}: ControlOptions): Promise<{ close(): void }> {
  const path = join(sockets, 'control.sock');
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let heard = '';
    socket.setEncoding('utf8').setTimeout(5_000, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', (text) => {
      heard += text;
      if (heard.length > 16) socket.destroy();
    });
    socket.on('end', () => {
      const mode = heard.trim();
      const known = mode === 'soft' || mode === 'hard';
      if (known) onAbort(mode);
      socket.end(known ? 'ok\n' : 'error\n');
    });
  });
  // A host that was killed has left it; two hosts of a run there are not.
  rmSync(path, { force: true });
  await listening(server, path);
  writeFileSync(join(runDir, ADDRESS), path, { mode: 0o600 });
  return {
    close: () => {
      server.close();
      writeFileSync(join(runDir, ADDRESS), '');
    },
  };
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });

/** Tells the host of a run to end it. Resolves to false when no host listens. */
export function sendAbort(runDir: string, mode: AbortMode): Promise<boolean> {
  const path = addressOf(runDir);
  if (path === '') return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true });
    let heard = '';
    socket.setEncoding('utf8').setTimeout(5_000, () => socket.destroy());
    socket.on('connect', () => socket.end(mode));
    socket.on('data', (text) => {
      heard += text;
    });
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(heard === 'ok\n'));
  });
}

function addressOf(runDir: string): string {
  try {
    return readFileSync(join(runDir, ADDRESS), 'utf8');
  } catch {
    return '';
  }
}
