import { expect, it } from 'vitest';
import { loopbackUrl } from './loopback-url.ts';

it.each([
  ['http://127.0.0.1:7077/mcp', 'http://127.0.0.1:7077/mcp'],
  ['http://localhost:7077', 'http://127.0.0.1:7077/mcp'],
  ['http://[::1]:7077/mcp', 'http://[::1]:7077/mcp'],
  ['http://2130706433:7077/mcp', 'http://127.0.0.1:7077/mcp'],
])('takes %s', (text, url) => {
  expect(loopbackUrl(text)?.href).toBe(url);
});

it.each([
  'http://10.0.0.1:7077/mcp',
  'http://127.0.0.1.evil.example/mcp',
  'http://localhost.evil.example/mcp',
  'http://user:pw@127.0.0.1:7077/mcp',
  'http://127.0.0.1@evil.example/mcp',
  'https://127.0.0.1:7077/mcp',
  'file:///mcp',
  'http://127.0.0.1:7077/admin/delete',
  'http://127.0.0.1:7077/mcp?x=1',
  '127.0.0.1:7077',
  '',
])('LC-30: refuses %j', (text) => {
  expect(loopbackUrl(text)).toBeUndefined();
});
