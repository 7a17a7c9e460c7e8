import { printable } from '@atelier/envelope';
import { CliTransportError } from './cli-error.ts';
import type { Command } from './command-wrap.ts';
import { findProgram } from './find-program.ts';

/** A port of the loopback interface, inside, behind which a Unix socket of the host answers. */
export interface Bridge {
  /**
   * From 1024 to 65535. Behind walls with a network of their own any will do; on a host that workers share, two that
   * run at once need two.
   */
  readonly port: number;
  /** Where the socket is for the command: an absolute path. */
  readonly socket: string;
}

/**
 * Starts one relay per bridge, waits until each of them listens, and becomes the program. A relay is nobody's child, so
 * that no program waits for it; it ends with the walls, or with the process group. It takes no port that another has.
 */
const SCRIPT = `
_socat=$1
shift
_listens() {
  while read -r _ _local _ _state _; do
    [ "$_local $_state" != "0100007F:$1 0A" ] || return 0
  done </proc/net/tcp
  return 1
}
while [ "$1" != -- ]; do
  _hex=$(printf %04X "$1")
  _relay=
  _tries=0
  if [ ! -r /proc/net/tcp ] || ! _listens "$_hex"; then
    _relay=$("$_socat" "TCP4-LISTEN:$1,bind=127.0.0.1,reuseaddr,fork" "UNIX-CONNECT:$2" >/dev/null 2>&1 </dev/null & echo $!)
  fi
  if [ ! -r /proc/net/tcp ]; then
    sleep 0.3
  else
    while [ -n "$_relay" ] && ! _listens "$_hex"; do
      _tries=$((_tries + 1))
      if [ "$_tries" -gt 500 ] || ! kill -0 "$_relay" 2>/dev/null; then _relay=; else sleep 0.02; fi
    done
  fi
  if [ -z "$_relay" ] || ! kill -0 "$_relay" 2>/dev/null; then
    echo "atelier-bridge: port $1 can not be listened on" >&2
    exit 125
  fi
  shift 2
done
shift
exec "$@"
`;

const SHELL = '/bin/sh';

/**
 * What is executed, with the relays of the bridges in front of the command that it ends with: inside the walls, for only
 * there are its ports. Throws `INVALID_BRIDGE`, or `SOCAT_NOT_FOUND`. Nothing changes where there is no bridge.
 */
export function bridged(
  executed: readonly string[],
  { args }: Command,
  bridges: readonly Bridge[],
): readonly string[] {
  if (bridges.length === 0) return executed;
  const at = executed.length - args.length - 1;
  const relays = bridges.flatMap(({ port, socket }) => [portOf(port), socketOf(socket)]);
  const front = [SHELL, '-c', SCRIPT, 'atelier-bridge', findSocat(), ...relays, '--'];
  return [...executed.slice(0, at), ...front, ...executed.slice(at)];
}

/** What a bridged command has to be able to read, wherever it is. Throws `SOCAT_NOT_FOUND`. */
export const bridgeFiles = (bridges: readonly Bridge[]): readonly string[] =>
  bridges.length === 0 ? [] : [findSocat()];

/** The relay program. Throws `SOCAT_NOT_FOUND`; to be asked before anything is charged, and only for a bridge. */
export function findSocat(): string {
  try {
    return findProgram('socat');
  } catch (cause) {
    throw new CliTransportError(
      'SOCAT_NOT_FOUND',
      'socat is not on the PATH, so a program that knows no Unix sockets can not reach the model',
      'Install what workers need on this host: the packages `bubblewrap` and `socat` (the same names on Debian, Ubuntu, Fedora and Arch).',
      cause,
    );
  }
}

function portOf(port: number): string {
  if (Number.isSafeInteger(port) && port >= 1024 && port <= 65_535) return String(port);
  throw invalid(`port ${printable(port)}`, 'Choose a port from 1024 to 65535.');
}

/** Characters that mean something to the relay program are escaped, so that any path is a path. */
function socketOf(path: string): string {
  if (!path.startsWith('/') || path.includes('\0'))
    throw invalid(`socket ${printable(path)}`, 'Give its absolute path.');
  return path.replace(/[^\w/.@+\-\u0080-\u{10ffff}]/gu, '\\$&');
}

const invalid = (what: string, hint: string): CliTransportError =>
  new CliTransportError('INVALID_BRIDGE', `a bridge can not have the ${what}`, hint);
