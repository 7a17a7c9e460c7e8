import { type BubblewrapOptions, bubblewrap } from './bubblewrap.ts';
import { unavailable } from './error.ts';
import { shown } from './quoted.ts';
import { WSL } from './remedies.ts';
import type { Sandbox } from './sandbox.ts';
import { seatbelt } from './seatbelt.ts';

export interface PlatformSandboxOptions extends BubblewrapOptions {
  /** Where it is to run; the platform of this process when absent. */
  readonly platform?: NodeJS.Platform;
}

/**
 * The walls of this platform: bubblewrap on Linux, Seatbelt on macOS. Throws `SANDBOX_UNAVAILABLE` with what to install,
 * or with the way round, where there are none. That it returns proves nothing yet: the self-test does.
 */
export function platformSandbox(options: PlatformSandboxOptions = {}): Sandbox {
  const platform = options.platform ?? process.platform;
  if (platform === 'linux') return bubblewrap(options);
  if (platform === 'darwin') return seatbelt();
  if (platform === 'win32') throw unavailable('there is no sandbox on Windows', WSL);
  throw unavailable(`there is no sandbox on ${shown(platform)}`, 'Run it on Linux or macOS.');
}
