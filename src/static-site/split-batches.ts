/**
 * Splits items into batches. In each batch, the sum of each weight is at most its limit. An item above a limit gets its own
 * batch.
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
