/** Does the work of each item, two at a time. None is begun once the signal has aborted; what runs is finished. */
export async function twoAtATime<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const queue = [...items];
  const lane = async () => {
    while (!signal?.aborted) {
      const item = queue.shift();
      if (item === undefined) return;
      await work(item);
    }
  };
  await Promise.all([lane(), lane()]);
}
