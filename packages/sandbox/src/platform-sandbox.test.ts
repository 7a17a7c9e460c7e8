import { expect, test } from 'vitest';
import { platformSandbox } from './platform-sandbox.ts';

test('Linux has bubblewrap', () => {
  expect(platformSandbox({ platform: 'linux' }).kind).toBe('bwrap');
});

test.each([
  ['linux', /bubblewrap/u],
  ['darwin', /macOS/u],
  ['win32', /WSL2/u],
  ['freebsd', /Linux or macOS/u],
] as const)('%s without walls: SANDBOX_UNAVAILABLE, with the way out', (platform, hint) => {
  expect(() => platformSandbox({ platform, path: '/nowhere' })).toThrow(
    expect.objectContaining({ code: 'SANDBOX_UNAVAILABLE', hint: expect.stringMatching(hint) }),
  );
});
