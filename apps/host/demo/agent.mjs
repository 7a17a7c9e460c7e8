// A worker without a model: it does what the demo's plan expects of each task, as a real agent program would,
// from inside the sandbox. Contract: the briefing on standard input, the reply in the file named by
// ATELIER_REPLY_FILE, the worktree as the current folder.
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';

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
} else if (task === 'taster') {
  // A reviewer works in its author's folder, and can only read there.
  const good = readFileSync('green.md', 'utf8').includes('degrees');
  reply(
    good
      ? { status: 'done', artifacts: [{ path: 'green.md' }], notes_md: 'It can be followed.' }
      : { status: 'blocked', artifacts: [], notes_md: 'How hot is the water?' },
  );
} else if (existsSync(`${task}.md`)) {
  // The next attempt after a review goes on from the work that was found wanting.
  appendFileSync(`${task}.md`, 'The water has 70 degrees.\n');
  reply({ status: 'done', artifacts: [{ path: `${task}.md` }], notes_md: 'Added what was asked.' });
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
