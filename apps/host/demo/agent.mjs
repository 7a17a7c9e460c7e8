// A worker without a model: it does what the demo's plan expects of each task, as a real agent program would,
// from inside the sandbox. Contract: the briefing on standard input, the reply in the file named by
// ATELIER_REPLY_FILE, the worktree as the current folder.
import { readdirSync, renameSync, writeFileSync } from 'node:fs';

const { ATELIER_TASK_ID: task, ATELIER_ATTEMPT: attempt, ATELIER_REPLY_FILE: file } = process.env;

function reply(envelope) {
  const text = JSON.stringify({
    type: 'task_result',
    task_id: task,
    attempt: Number(attempt),
    ...envelope,
  });
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}

process.stdin.resume();
await new Promise((resolve) => process.stdin.on('end', resolve));
console.log(`working on ${task}, attempt ${attempt}`);

if (task === 'glossary' && attempt === '1') {
  console.error('the first attempt crashes, so that you can see the second one');
  process.exit(1);
}
if (task === 'prices') {
  writeFileSync('prices-notes.md', 'What was tried: two shops, both out of reach.\n');
  reply({
    status: 'abandoned',
    artifacts: [{ path: 'prices-notes.md' }],
    notes_md: 'ABANDON: blocked:prices can not be looked up without a network',
  });
} else {
  const others = readdirSync('.')
    .filter((name) => name.endsWith('.md'))
    .sort();
  const output = `${task}.md`;
  writeFileSync(
    output,
    `# ${task}\n\nWritten in attempt ${attempt}, beside: ${others.join(', ') || 'nothing'}.\n`,
  );
  reply({ status: 'done', artifacts: [{ path: output }], notes_md: `Wrote ${output}.` });
}
