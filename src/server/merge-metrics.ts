import type { Family } from './metrics.ts';

interface ProcessMetrics {
  readonly process: number;
  readonly families: readonly Family[];
}

/**
 * Merges the metrics of several processes into those of one server. Values are added up, except in families with `isOfProcess`,
 * which get a label with the number of the process.
 */
export function mergeMetrics(parts: readonly ProcessMetrics[]): Family[] {
  const merged = new Map<string, { readonly family: Family; readonly series: Map<string, number> }>();
  for (const { process, families } of parts)
    for (const family of families) {
      let known = merged.get(family.name);
      if (known === undefined) merged.set(family.name, (known = { family, series: new Map() }));
      for (const [name, value] of family.series) {
        const key = family.isOfProcess ? withLabel(name, `process="${process}"`) : name;
        known.series.set(key, (known.series.get(key) ?? 0) + value);
      }
    }
  return [...merged.values()].map(({ family, series }) => ({ ...family, series: [...series] }));
}

function withLabel(series: string, label: string): string {
  return series.endsWith('}') ? series.replace('{', `{${label},`) : `${series}{${label}}`;
}

/** Stores the metrics of processes, so that the sums never fall when a process ends or does not answer. */
export class CollectedMetrics {
  readonly #latest = new Map<number, readonly Family[]>();
  #ended: readonly Family[] = [];

  /** Replaces the metrics of a process. */
  set(process: number, families: readonly Family[]): void {
    this.#latest.set(process, families);
  }

  /** Keeps only the counters of a process that has ended. */
  end(process: number): void {
    const families = this.#latest.get(process) ?? [];
    const counted = families.filter(({ type, isOfProcess }) => type !== 'gauge' && !isOfProcess);
    this.#ended = mergeMetrics([
      { process, families: this.#ended },
      { process, families: counted },
    ]);
    this.#latest.delete(process);
  }

  /** Returns the merged metrics of all processes. */
  merged(): Family[] {
    const parts = [...this.#latest].map(([process, families]) => ({ process, families }));
    return mergeMetrics([...parts, { process: 0, families: this.#ended }]);
  }
}
