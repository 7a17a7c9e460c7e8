const ESC = '\x1b';

const PIECE = new RegExp(`${ESC}\\[\\??\\d*[AJhl]|\\P{Cc}+|[^]`, 'gu');

const COMMAND = new RegExp(`^${ESC}\\[(?:\\?25([hl])|(\\d*)([AJ]))$`);

/** A terminal, as far as the live view uses one. Throws on any other sequence or control character. */
export function screen(columns: number): {
  readonly write: (text: string) => void;
  readonly lines: () => readonly string[];
  readonly cursorShown: () => boolean;
} {
  const rows: string[] = [''];
  let row = 0;
  let shown = true;
  const put = (text: string): void => {
    for (let rest = text; ; ) {
      rows[row] = (rows[row] ?? '') + rest.slice(0, columns);
      rest = rest.slice(columns);
      if (rest === '') return;
      row += 1;
    }
  };
  const obey: Readonly<Record<string, (count: number) => void>> = {
    A: (count) => {
      row = Math.max(0, row - count);
    },
    J: () => {
      rows.length = row;
      rows[row] = '';
    },
    h: () => {
      shown = true;
    },
    l: () => {
      shown = false;
    },
  };
  const write = (text: string): void => {
    for (const [piece] of text.matchAll(PIECE)) {
      const command = COMMAND.exec(piece);
      if (command) obey[command[1] ?? command[3] ?? '']?.(Number(command[2] ?? 0));
      else if (piece === '\n') {
        row += 1;
        rows[row] ??= '';
      } else if (/\p{Cc}/u.test(piece) && piece !== '\r') throw new Error(JSON.stringify(piece));
      else if (piece !== '\r') put(piece);
    }
  };
  return { write, lines: () => rows, cursorShown: () => shown };
}
