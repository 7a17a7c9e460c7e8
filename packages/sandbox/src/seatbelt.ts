import type { Access } from './access.ts';
import { attesting } from './attesting.ts';
import type { Command } from './command.ts';
import { confine } from './confinement.ts';
import { refused, unavailable } from './error.ts';
import { isProgram } from './find-program.ts';
import { quoted } from './quoted.ts';
import type { Sandbox } from './sandbox.ts';
import { MAC_SYSTEM, seatbeltProfile } from './seatbelt-profile.ts';

export interface SeatbeltOptions {
  /** `/usr/bin/sandbox-exec` when absent. */
  readonly program?: string;
}

/**
 * Walls of macOS, by a profile for sandbox-exec. Its profile is held by golden files only: it was not run on a Mac. Only
 * a passed self-test speaks for it. It has no namespaces: HOME stays at its own path, sockets too, other processes
 * can be listed, and what a worker leaves behind has to be ended by whoever spawned it. Throws `SANDBOX_UNAVAILABLE`
 * where there is no sandbox-exec.
 */
export function seatbelt(options: SeatbeltOptions = {}): Sandbox {
  const program = options.program ?? '/usr/bin/sandbox-exec';
  if (!isProgram(program))
    throw unavailable(`${quoted(program)} is missing`, 'It is part of macOS and works only there.');
  const wrap = (command: Command, access: Access): Command => {
    for (const { outside, inside } of access.sockets)
      if (outside !== inside)
        throw refused(
          `the socket ${quoted(outside)} can not appear at ${quoted(inside)}`,
          'On macOS a socket keeps its path: give the same one for inside and outside.',
        );
    const confinement = confine(command, access, MAC_SYSTEM);
    return {
      file: program,
      args: ['-p', seatbeltProfile(confinement), command.file, ...command.args],
      cwd: confinement.cwd,
      // There is no private /tmp either.
      env: { TMPDIR: confinement.home, ...command.env, HOME: confinement.home },
    };
  };
  return attesting({ kind: 'seatbelt', wrap, nestable: true });
}
