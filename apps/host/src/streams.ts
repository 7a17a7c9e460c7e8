/** Where text goes; `columns` is the width of a terminal, absent for a pipe or a file. */
export interface Output {
  write(text: string): unknown;
  readonly columns?: number | undefined;
}

/** What a command was asked for goes to `stdout`, what a person must know besides to `stderr`. */
export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Asks the person at the terminal for one line. Absent where nobody sits at one. */
  readonly ask?: (question: string) => Promise<string>;
}
