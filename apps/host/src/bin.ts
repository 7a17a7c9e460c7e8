#!/usr/bin/env node
import { asker } from './ask.ts';
import { main } from './main.ts';

// A reader that has seen enough, such as head, is no failure, nor is a terminal that was closed: there is still a run to end.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });

// Not process.exit: it would cut output that is still on its way into a pipe.
process.exitCode = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  ...(process.stdin.isTTY && process.stdout.isTTY ? { ask: asker() } : {}),
});
