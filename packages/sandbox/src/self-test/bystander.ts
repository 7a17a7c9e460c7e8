import { spawn } from 'node:child_process';

/** A process of the host that has nothing to do with the sandbox. */
export interface Bystander {
  readonly pid: number;
  alive(): boolean;
  end(): void;
}

/** Starts one with the secret in its environment and its arguments; it ends with its input, so at the latest with us. */
export function bystander(secret: string): Bystander {
  const child = spawn('/bin/sh', ['-c', 'read -r line', secret], {
    env: { SECRET_OF_THE_HOST: secret },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  return {
    pid: child.pid ?? 0,
    alive: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    end: () => void child.kill('SIGKILL'),
  };
}
