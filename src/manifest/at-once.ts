/** Does the work for each item, at most `jobs` at once; answers in the order of the items. The first failure ends it. */
export async function eachAtOnce<T, R>(
  items: readonly T[],
  jobs: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      answers[index] = await work(items[index]!);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, worker));
  } catch (error) {
    next = items.length;
    throw error;
  }
  return answers;
}
