/**
 * Splits items into batches. The weights of the items of a batch add up to the limits at most, each weight for itself; an item
 * that is heavier is a batch of its own.
 */
export function* splitBatches<T>(
  items: readonly T[],
  weightsOf: (item: T) => readonly number[],
  limits: readonly number[],
): Generator<readonly T[]> {
  let batch: T[] = [];
  let sums = limits.map(() => 0);
  for (const item of items) {
    const weights = weightsOf(item);
    const isTooMuch = limits.some((limit, at) => (sums[at] ?? 0) + (weights[at] ?? 0) > limit);
    if (isTooMuch && batch.length > 0) {
      yield batch;
      batch = [];
      sums = limits.map(() => 0);
    }
    batch.push(item);
    sums = sums.map((sum, at) => sum + (weights[at] ?? 0));
  }
  if (batch.length > 0) yield batch;
}
