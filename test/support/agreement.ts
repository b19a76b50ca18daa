export interface Agreement {
  /** Adjusted mutual information and Rand index: 0 for random clusters of any number, 1 for the correct ones. */
  readonly ami: number;
  readonly ari: number;
  /** The V-measure, which is not adjusted for chance and rewards splitting. */
  readonly v: number;
  readonly clusters: number;
  /** The share of items that are alone in their cluster. */
  readonly singletons: number;
}

/** Returns how well clusters agree with labels. */
export function agreement(labels: readonly string[], clusters: readonly string[]): Agreement {
  const count = labels.length;
  const rows = sizesOf(labels);
  const columns = sizesOf(clusters);
  const cells = sizesOf(labels.map((label, at) => `${label}\u0000${clusters[at]!}`));
  const shared = entropy(rows, count) + entropy(columns, count) - entropy(cells, count);
  const mean = (entropy(rows, count) + entropy(columns, count)) / 2;
  const byChance = expectedInformation(rows, columns, count);
  const [inCells, inRows, inColumns] = [pairs(cells), pairs(rows), pairs(columns)];
  const pairsByChance = (inRows * inColumns) / pairs([count]);
  return {
    ami: mean === byChance ? 1 : (shared - byChance) / (mean - byChance),
    ari:
      (inRows + inColumns) / 2 === pairsByChance
        ? 1
        : (inCells - pairsByChance) / ((inRows + inColumns) / 2 - pairsByChance),
    v: mean === 0 ? 1 : shared / mean,
    clusters: columns.length,
    singletons: columns.filter((size) => size === 1).length / count,
  };
}

function sizesOf(names: readonly string[]): number[] {
  const sizes = new Map<string, number>();
  for (const name of names) sizes.set(name, (sizes.get(name) ?? 0) + 1);
  return [...sizes.values()];
}

function entropy(sizes: readonly number[], count: number): number {
  return -sizes.reduce((sum, size) => sum + (size / count) * Math.log(size / count), 0);
}

function pairs(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
}

/** Returns the expected mutual information of random tables with these margins (Vinh, Epps and Bailey 2010). */
function expectedInformation(rows: readonly number[], columns: readonly number[], count: number): number {
  const logOf = new Float64Array(count + 1);
  for (let at = 2; at <= count; at++) logOf[at] = logOf[at - 1]! + Math.log(at);
  const log = (at: number): number => logOf[at]!;
  let sum = 0;
  for (const row of rows)
    for (const column of columns)
      for (let cell = Math.max(1, row + column - count); cell <= Math.min(row, column); cell++) {
        const chance =
          log(row) +
          log(column) +
          log(count - row) +
          log(count - column) -
          log(count) -
          log(cell) -
          log(row - cell) -
          log(column - cell) -
          log(count - row - column + cell);
        sum += (cell / count) * Math.log((count * cell) / (row * column)) * Math.exp(chance);
      }
  return sum;
}
