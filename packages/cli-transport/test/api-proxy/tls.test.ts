import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { scratch } from './rig.ts';

const run = promisify(execFile);

it('an API behind a certificate of one’s own is reached with NODE_EXTRA_CA_CERTS, and not without', async () => {
  const folder = await scratch();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await run('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject]);
  const server = createServer(
    { key: await readFile(key), cert: await readFile(cert) },
    (incoming, response) => response.end(`${incoming.url} ${incoming.headers['x-api-key']}`),
  );
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `https://localhost:${(server.address() as AddressInfo).port}/base`;
  const ask = async (name: string, env: Record<string, string>) => {
    const socketPath = join(folder, name, 'api.sock');
    const call = JSON.stringify({ socketPath, baseUrl });
    const host = join(import.meta.dirname, '../fixtures/tls-host.mjs');
    return (await run(process.execPath, [host, call], { env })).stdout;
  };
  const [trusted, untrusted] = await Promise.all([
    ask('a', { NODE_EXTRA_CA_CERTS: cert }),
    ask('b', {}),
  ]);
  expect(trusted).toBe(`200 /base/v1/messages ${'*'.repeat(22)}`);
  expect(untrusted).toMatch(/^502 .*DEPTH_ZERO_SELF_SIGNED_CERT/u);
});
