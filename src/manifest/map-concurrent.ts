/**
 * Runs `work` on all items, at most `concurrency` at a time, and returns the results in the order of the items. After the first
 * failure no more items are started.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const open = items.entries();
  let isFailed = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of open) {
      results[index] = await work(item);
      if (isFailed) return;
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  } catch (error) {
    isFailed = true;
    throw error;
  }
  return results;
}
