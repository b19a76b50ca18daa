/** An operation of a transaction on a list: it appends a value or reads the whole list. */
export type ListOperation =
  | { readonly append: number; readonly list: string }
  | { readonly read: readonly number[]; readonly list: string };

/** A transaction, with the times of its start and end in the order of all events. */
export interface ListTransaction {
  /** `unknown`: the connection was lost during the commit. */
  readonly end: 'done' | 'failed' | 'unknown';
  readonly begun: number;
  readonly ended: number;
  /** Of a failed transaction, only the intended appends are known. */
  readonly operations: readonly ListOperation[];
}

/**
 * Finds anomalies that no serial order of transactions explains, like Elle does for lists (Kingsbury and Alvaro, "Elle:
 * Inferring Isolation Anomalies from Experimental Observations", VLDB 2020). Every value is appended once. The order must
 * also agree with time: a transaction that started after the end of another one comes later. Returns a sentence for each
 * anomaly.
 */
export function findAnomalies(history: readonly ListTransaction[]): string[] {
  const anomalies: string[] = [];
  const writers = new Map<string, number>();
  const longest = new Map<string, readonly number[]>();
  for (const [at, { operations }] of history.entries())
    for (const operation of operations) {
      if ('append' in operation) writers.set(`${operation.list} ${operation.append}`, at);
      else if (operation.read.length > (longest.get(operation.list)?.length ?? 0))
        longest.set(operation.list, operation.read);
    }
  for (const [list, values] of longest) {
    if (new Set(values).size < values.length) anomalies.push(`${list} contains a value twice`);
    for (const value of values) {
      const writer = history[writers.get(`${list} ${value}`) ?? -1];
      if (writer === undefined) anomalies.push(`${list} contains ${value}, which nobody appended`);
      else if (writer.end === 'failed')
        anomalies.push(`${list} contains ${value} of a transaction that failed`);
    }
  }
  for (const { end, operations } of history)
    for (const operation of operations) {
      const values = longest.get(operation.list) ?? [];
      if ('read' in operation) {
        if (operation.read.some((value, at) => value !== values[at]))
          anomalies.push(`${operation.list} was read in two orders`);
      } else if (end === 'done' && !values.includes(operation.append))
        anomalies.push(`${operation.list} lost ${operation.append}`);
    }
  if (anomalies.length === 0 && hasCycle(edgesOf(history, writers, longest)))
    anomalies.push('the transactions have no serial order');
  return anomalies;
}

/** Returns the nodes that must come after each transaction. Nodes above the transactions stand for points in time. */
function edgesOf(
  history: readonly ListTransaction[],
  writers: ReadonlyMap<string, number>,
  longest: ReadonlyMap<string, readonly number[]>,
): number[][] {
  const edges: number[][] = Array.from({ length: history.length * 2 + 1 }, () => []);
  const add = (from: number | undefined, to: number | undefined): void => {
    if (from !== undefined && to !== undefined && from !== to) edges[from]?.push(to);
  };
  for (const [list, values] of longest)
    for (const [at, value] of values.entries())
      add(writers.get(`${list} ${values[at - 1]}`), writers.get(`${list} ${value}`));
  for (const [at, { operations }] of history.entries())
    for (const operation of operations) {
      if (!('read' in operation)) continue;
      const values = longest.get(operation.list) ?? [];
      add(writers.get(`${operation.list} ${operation.read.at(-1)}`), at);
      add(at, writers.get(`${operation.list} ${values[operation.read.length]}`));
    }
  const ends = history
    .map(({ ended, end }, at) => ({ at, ended, end }))
    .filter(({ end }) => end === 'done')
    .sort((a, b) => a.ended - b.ended);
  for (const [moment, { at }] of ends.entries()) {
    add(at, history.length + moment);
    add(history.length + moment, history.length + moment + 1);
  }
  const times = ends.map(({ ended }) => ended);
  for (const [at, { begun, end }] of history.entries()) {
    if (end === 'failed') continue;
    const moment = times.findLastIndex((ended) => ended < begun);
    if (moment >= 0) add(history.length + moment, at);
  }
  return edges;
}

/** Returns whether the nodes have no topological order. */
function hasCycle(edges: readonly (readonly number[])[]): boolean {
  const incoming = edges.map(() => 0);
  for (const list of edges) for (const to of list) incoming[to] = (incoming[to] ?? 0) + 1;
  const free = [...incoming.keys()].filter((node) => incoming[node] === 0);
  let sorted = 0;
  for (let node = free.pop(); node !== undefined; node = free.pop()) {
    sorted++;
    for (const to of edges[node] ?? []) {
      incoming[to] = (incoming[to] ?? 0) - 1;
      if (incoming[to] === 0) free.push(to);
    }
  }
  return sorted < edges.length;
}
