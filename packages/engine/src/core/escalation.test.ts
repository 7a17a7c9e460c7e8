import { afterEach, expect, it, vi } from 'vitest';
import { type Escalation, escalationLine, warningSink } from './escalation.ts';

const escalation: Escalation = {
  kind: 'escalation',
  task_id: 'T-1',
  worker: 'ada',
  attempt: 5,
  category: 'capacity',
  last_status: 'exit: \x1b[2Jboom\nWARNING forged',
  upstream_task_id: null,
};

afterEach(() => {
  vi.restoreAllMocks();
});

it('without a sink each escalation is one WARNING line with task, worker, attempt, category, last status and upstream', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  warningSink(escalation, 'r/T-1/5');
  expect(warn.mock.calls).toEqual([
    [
      'WARNING escalation task=T-1 worker=ada attempt=5 category=capacity last_status=exit: \\x1b[2Jboom\\x0aWARNING forged upstream=-',
    ],
  ]);
});

it('O-53: the line holds no control character, whatever the texts hold', () => {
  const hostile = '\x1b]52;c;aGk=\x07\u202e\x9b';
  const line = escalationLine({
    ...escalation,
    task_id: hostile,
    worker: hostile,
    category: hostile,
  });
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
