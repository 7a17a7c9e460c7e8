/**
 * A queue with one reader. Racing a set of promises would lose what settles in the same turn; here every
 * message waits until it is taken.
 */
export interface Mailbox<T> {
  put(message: T): void;
  /** Has it wait for the next message that is put, or for a ring. */
  leave(message: T): void;
  /** Has the reader take what was left. */
  ring(): void;
  /** Everything that has arrived, waiting for the first message that is put, or for a ring, if there was none. */
  take(): Promise<T[]>;
  /** Everything that has arrived, without waiting. */
  poll(): T[];
}

export function mailbox<T>(): Mailbox<T> {
  let messages: T[] = [];
  let isDue = false;
  let wake: (() => void) | undefined;
  const poll = () => {
    const taken = messages;
    messages = [];
    isDue = false;
    return taken;
  };
  const ring = () => {
    isDue = messages.length > 0;
    if (isDue) wake?.();
  };
  return {
    poll,
    ring,
    leave: (message) => void messages.push(message),
    put(message) {
      messages.push(message);
      ring();
    },
    async take() {
      if (!isDue) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
      return poll();
    },
  };
}
