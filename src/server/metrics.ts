/** The values of the labels of one series, in the order of the names. */
type Labels = readonly string[];
export type Sample = readonly [labels: Labels, value: number];

/** A metric with its series, such as `docsctl_jobs_running{kind="index"}`, and their values. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Whether adding up the values of several processes makes no sense, for example start times. */
  readonly isOfProcess: boolean;
  readonly series: readonly (readonly [name: string, value: number])[];
}

/** A number that only grows. */
interface Counter {
  readonly add: (labels: Labels, by?: number) => void;
}
/** Counts how long something takes, by ranges of seconds. */
interface Histogram {
  readonly observe: (labels: Labels, seconds: number) => void;
}

/**
 * Rounds to millionths. The last digits of a sum depend on its order, and Prometheus takes a counter that falls by the last digit
 * for one that was reset.
 */
export function toMicros(value: number): number {
  return Number.isInteger(value) ? value : Math.round(value * 1e6) / 1e6;
}

/**
 * Metrics of a process in the text format of Prometheus, version 0.0.4. Label values must come from the program, such as the
 * patterns of routes, so that the number of series is limited.
 */
export class Metrics {
  readonly #metrics: (() => Promise<Family>)[] = [];

  counter(name: string, help: string, names: readonly string[]): Counter {
    const values = new Map<string, { readonly labels: Labels; value: number }>();
    this.#add({ name, help, type: 'counter' }, () =>
      [...values.values()].map(({ labels, value }) => seriesOf(name, names, labels, value)),
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

  /** Adds a histogram. `bounds` are the upper bounds of its ranges, in seconds, ascending. */
  histogram(name: string, help: string, names: readonly string[], bounds: readonly number[]): Histogram {
    const values = new Map<
      string,
      { readonly labels: Labels; readonly counts: number[]; sum: number; count: number }
    >();
    this.#add({ name, help, type: 'histogram' }, () =>
      [...values.values()].flatMap(({ labels, counts, sum, count }) => {
        let below = 0;
        const buckets = bounds.map((bound, at) => [String(bound), (below += counts[at] ?? 0)] as const);
        return [
          ...[...buckets, ['+Inf', count] as const].map(([bound, value]) =>
            seriesOf(`${name}_bucket`, [...names, 'le'], [...labels, bound], value),
          ),
          seriesOf(`${name}_sum`, names, labels, toMicros(sum)),
          seriesOf(`${name}_count`, names, labels, count),
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

  /**
   * Adds a metric whose value is read when the metrics are read. Use the type `counter` for a number that only grows.
   * `isOfProcess`: the values of several processes are not added up.
   */
  gauge(
    { name, help, names = [], type = 'gauge', isOfProcess = false }: GaugeOptions,
    read: () => Iterable<Sample> | Promise<Iterable<Sample>>,
  ): void {
    this.#add({ name, help, type, isOfProcess }, async () =>
      [...(await read())].map(([labels, value]) => seriesOf(name, names, labels, value)),
    );
  }

  families(): Promise<Family[]> {
    return Promise.all(this.#metrics.map((read) => read()));
  }

  async text(): Promise<string> {
    return textOf(await this.families());
  }

  #add(
    head: Omit<Family, 'series' | 'isOfProcess'> & Partial<Pick<Family, 'isOfProcess'>>,
    series: () => Family['series'] | Promise<Family['series']>,
  ): void {
    this.#metrics.push(async () => ({ isOfProcess: false, ...head, series: await series() }));
  }
}

interface GaugeOptions {
  readonly name: string;
  readonly help: string;
  /** Names of the labels (default: none). */
  readonly names?: readonly string[];
  readonly type?: 'gauge' | 'counter';
  readonly isOfProcess?: boolean;
}

/** Formats metrics as the text format of Prometheus. */
export function textOf(families: readonly Family[]): string {
  const lines = families.flatMap(({ name, help, type, series }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...series.map(([key, value]) => `${key} ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

function seriesOf(
  name: string,
  names: readonly string[],
  labels: Labels,
  value: number,
): Family['series'][number] {
  const pairs = names.map((label, at) => `${label}="${escape(labels[at] ?? '')}"`);
  return [`${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`}`, value];
}

function escape(text: string): string {
  return text.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`));
}
