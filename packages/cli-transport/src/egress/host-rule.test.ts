import { expect, it } from 'vitest';
import { hostRules, ruleFor, targetOf } from './host-rule.ts';

const ALLOW = [
  ...['registry.example', '*.example.org', 'Bücher.example', 'git.example:9418'],
  ...['127.0.0.1:4873', '[::1]:4873', 'localhost:8080'],
];
const rules = hostRules(ALLOW);

it.each([
  ['registry.example:443', 'registry.example'],
  ['registry.example:80', 'registry.example'],
  ['REGISTRY.Example.:443', 'registry.example'],
  ['registry.example:22', undefined],
  ['registry.example.evil.org:443', undefined],
  ['evilregistry.example:443', undefined],
  ['a.example.org:443', '*.example.org'],
  ['a.b.example.org:443', '*.example.org'],
  ['example.org:443', undefined],
  ['evilexample.org:443', undefined],
  ['.example.org:443', undefined],
  ['xn--bcher-kva.example:443', 'Bücher.example'],
  ['git.example:9418', 'git.example:9418'],
  ['git.example:443', undefined],
  ['127.0.0.1:4873', '127.0.0.1:4873'],
  ['127.0.0.1:80', undefined],
  ['[::1]:4873', '[::1]:4873'],
  ['localhost:8080', 'localhost:8080'],
  ['127.1:4873', undefined],
  ['2130706433:4873', undefined],
  ['0x7f.0.0.1:4873', undefined],
  ['registry.example', undefined],
  ['registry.example:0', undefined],
  ['registry.example:65536', undefined],
  ['registry.example:0443', undefined],
  ['registry.example:443:443', undefined],
  ['a@registry.example:443', undefined],
  ['registry.example/:443', undefined],
  ['registry.example%2e:443', undefined],
  ['registry.example\0:443', undefined],
  ['::1:4873', undefined],
  ['', undefined],
])('%j is let through by %j', (authority, text) => {
  const target = targetOf(authority);
  expect(target && ruleFor(rules, target)?.text).toBe(text);
});

it.each([
  ...['', '*', '*.', '*.com', 'a*.example', 'http://a.example', 'a.example/', 'a.example:0', 'a b'],
  ...['127.0.0.1', '[::1]', '::1', '*.127.0.0.1', '1.2', 'a.example:99999', '10.0.0.0/8'],
])('EGRESS_RULE: %j', (entry) => {
  expect(() => hostRules(['ok.example', entry])).toThrow(
    expect.objectContaining({ code: 'EGRESS_RULE', hint: expect.stringMatching(/\S/u) }),
  );
});
