import { expect, test } from 'vitest';
import { fileSystemOf, typeAt } from './file-system.ts';

const MOUNTS = `22 1 0:20 / / rw,relatime shared:1 - ext4 /dev/root rw
30 22 0:30 / /mnt rw - tmpfs tmpfs rw
31 30 0:31 /export /mnt/team\\040share rw,noatime master:2 propagate_from:1 - nfs4 server:/export rw
32 22 0:32 / /mnt rw - xfs /dev/b rw
33 22 0:33 / /mnt-other rw - fuse.sshfs me@there: rw
half a line
`;

test.each([
  ['/', 'ext4'],
  ['/home/me', 'ext4'],
  ['/mnt', 'xfs'],
  ['/mnt/x', 'xfs'],
  ['/mnt/team share/repo/.git', 'nfs4'],
  ['/mnt/team', 'xfs'],
  ['/mnt-other/x', 'fuse.sshfs'],
  ['/mnt-others', 'ext4'],
])('the innermost mount tells, the later of two on one place: %s', (path, type) => {
  expect(typeAt(path, MOUNTS)).toBe(type);
});

test('what is not mounted is unknown', () => {
  expect(typeAt('/x', '')).toBeUndefined();
});

test.runIf(process.platform === 'linux')('the kernel is asked', () => {
  expect(fileSystemOf('/proc/self')).toBe('proc');
});
