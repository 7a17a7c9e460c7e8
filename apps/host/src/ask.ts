import { createInterface, type Interface } from 'node:readline';

/** Asks on the terminal of this process, line by line. The end of the input is an empty answer. */
export function asker(): (question: string) => Promise<string> {
  const typed: string[] = [];
  let waiting: ((line: string) => void) | undefined;
  let terminal: Interface | undefined;
  let ended = false;

  const hear = (line: string) => {
    if (waiting) waiting(line);
    // Typed ahead: it answers the next question.
    else typed.push(line);
    waiting = undefined;
  };
  const open = () => {
    // Without a line editor of its own it leaves the terminal as it is.
    const opened = createInterface({ input: process.stdin, terminal: false });
    opened.on('line', hear);
    opened.on('close', () => {
      ended = true;
      waiting?.('');
    });
    return opened;
  };
  return async (question) => {
    process.stdout.write(question);
    terminal ??= open();
    const known = typed.shift();
    if (known !== undefined || ended) return known ?? '';
    terminal.resume();
    const answer = await new Promise<string>((resolve) => {
      waiting = resolve;
    });
    // Paused, it does not keep the process from ending.
    terminal.pause();
    return answer;
  };
}
