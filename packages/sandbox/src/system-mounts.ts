import { lstatSync, readlinkSync } from 'node:fs';

/**
 * Parts of /etc that loaders, TLS clients and a look-up of `localhost` read. Not all of /etc/ssl or /etc/pki: they hold
 * private keys.
 */
const ETC = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/ssl/certs',
  '/etc/ssl/cert.pem',
  '/etc/ssl/openssl.cnf',
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/etc/pki/tls/cert.pem',
  '/etc/pki/tls/openssl.cnf',
  '/etc/crypto-policies',
];

const ROOT_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/**
 * The system's programs and libraries, read-only: /usr, with the symlinks that lead into it where the host has merged
 * them, and folders of their own where it has not. Never /etc/resolv.conf: there is no network that could use it, and
 * where it is a symlink into /run a mount over it fails.
 */
export const systemMounts = (): readonly string[] => [
  ...['--ro-bind', '/usr', '/usr'],
  ...ROOT_FOLDERS.flatMap((path) => {
    const kind = lstatSync(path, { throwIfNoEntry: false });
    if (kind?.isSymbolicLink()) return ['--symlink', readlinkSync(path), path];
    return kind?.isDirectory() ? ['--ro-bind', path, path] : [];
  }),
  ...ETC.flatMap((path) => ['--ro-bind-try', path, path]),
];

/** What {@link systemMounts} makes visible; a symlink or a socket is not placed there again. */
export const SYSTEM_FOLDERS: readonly string[] = ['/usr', ...ROOT_FOLDERS];
