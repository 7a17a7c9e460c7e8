/**
 * A queue with one reader. Racing a set of promises would lose what settles in the same turn; here every
 * message waits until it is taken.
 */
export interface Mailbox<T> {
  put(message: T): void;
  /** Everything that has arrived, waiting for the first message if there is none. */
  take(): Promise<T[]>;
  /** Everything that has arrived, without waiting. */
  poll(): T[];
}

export function mailbox<T>(): Mailbox<T> {
  let messages: T[] = [];
  let wake: (() => void) | undefined;
  const poll = () => {
    const taken = messages;
    messages = [];
    return taken;
  };
  return {
    poll,
    put(message) {
      messages.push(message);
      wake?.();
    },
    async take() {
      if (messages.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
      return poll();
    },
  };
}
