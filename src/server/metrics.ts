/** The values of the labels of one series, in the order of the names. */
type Labels = readonly string[];
/** The labels and the value of a series. */
export type Sample = readonly [labels: Labels, value: number];

/** A number that only grows. */
export interface Counter {
  readonly add: (labels: Labels, by?: number) => void;
}
/** Counts how long something takes, by ranges of seconds. */
export interface Histogram {
  readonly observe: (labels: Labels, seconds: number) => void;
}

/**
 * Metrics of a process in the text format of Prometheus, version 0.0.4. Label values come from the program, such as the patterns of
 * routes, so that the number of series is bounded.
 */
export class Metrics {
  readonly #metrics: (() => Promise<string[]>)[] = [];

  /** Adds a counter. */
  counter(name: string, help: string, names: readonly string[]): Counter {
    const values = new Map<string, { readonly labels: Labels; value: number }>();
    this.#add('counter', name, help, () =>
      [...values.values()].map(({ labels, value }) => lineOf(name, names, labels, value)),
    );
    return {
      add: (labels, by = 1) => {
        const key = labels.join('\n');
        const series = values.get(key);
        if (series === undefined) values.set(key, { labels: [...labels], value: by });
        else series.value += by;
      },
    };
  }

  /** Adds a histogram. `bounds` are the upper ends of its ranges, in seconds and in order. */
  histogram(name: string, help: string, names: readonly string[], bounds: readonly number[]): Histogram {
    const values = new Map<
      string,
      { readonly labels: Labels; readonly counts: number[]; sum: number; count: number }
    >();
    this.#add('histogram', name, help, () =>
      [...values.values()].flatMap(({ labels, counts, sum, count }) => {
        let below = 0;
        const buckets = bounds.map((bound, at) => [String(bound), (below += counts[at] ?? 0)] as const);
        return [
          ...[...buckets, ['+Inf', count] as const].map(([bound, value]) =>
            lineOf(`${name}_bucket`, [...names, 'le'], [...labels, bound], value),
          ),
          lineOf(`${name}_sum`, names, labels, sum),
          lineOf(`${name}_count`, names, labels, count),
        ];
      }),
    );
    return {
      observe: (labels, seconds) => {
        const key = labels.join('\n');
        let series = values.get(key);
        if (series === undefined)
          values.set(key, (series = { labels: [...labels], counts: bounds.map(() => 0), sum: 0, count: 0 }));
        const at = bounds.findIndex((bound) => seconds <= bound);
        if (at >= 0) series.counts[at] = (series.counts[at] ?? 0) + 1;
        series.sum += seconds;
        series.count++;
      },
    };
  }

  /** Adds a number that is read when the metrics are. A type of `counter` is for one that only grows. */
  gauge(
    name: string,
    help: string,
    names: readonly string[],
    read: () => Iterable<Sample> | Promise<Iterable<Sample>>,
    type: 'gauge' | 'counter' = 'gauge',
  ): void {
    this.#add(type, name, help, async () =>
      [...(await read())].map(([labels, value]) => lineOf(name, names, labels, value)),
    );
  }

  /** Returns all metrics as text. */
  async text(): Promise<string> {
    const parts = await Promise.all(this.#metrics.map((lines) => lines()));
    return `${parts.flat().join('\n')}\n`;
  }

  #add(type: string, name: string, help: string, lines: () => string[] | Promise<string[]>): void {
    const head = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
    this.#metrics.push(async () => [...head, ...(await lines())]);
  }
}

function lineOf(name: string, names: readonly string[], labels: Labels, value: number): string {
  const pairs = names.map((label, at) => `${label}="${escape(labels[at] ?? '')}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

function escape(text: string): string {
  return text.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`));
}
