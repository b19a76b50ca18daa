import { getOrInsert } from '../contract/values.ts';
import { toMicros, type Family } from './metrics.ts';

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
      const known = getOrInsert(merged, family.name, () => ({ family, series: new Map() }));
      for (const [name, value] of family.series) {
        const key = family.isOfProcess ? withLabel(name, `process="${process}"`) : name;
        known.series.set(key, (known.series.get(key) ?? 0) + value);
      }
    }
  return [...merged.values()].map(({ family, series }) => ({
    ...family,
    series: [...series].map(([name, value]) => [name, toMicros(value)] as const),
  }));
}

function withLabel(series: string, label: string): string {
  return series.endsWith('}') ? series.replace('{', `{${label},`) : `${series}{${label}}`;
}

/** The metrics of one process, from its start to its end. */
export interface CollectedProcess {
  /** Replaces the metrics, unless they were read earlier than the present ones or the process has ended. `at` grows. */
  readonly set: (families: readonly Family[], at: number) => void;
  /** Keeps only the counters. */
  readonly end: () => void;
}

/** Stores the metrics of processes, so that the sums never fall when a process ends or does not answer. */
export class CollectedMetrics {
  readonly #latest = new Map<CollectedProcess, ProcessMetrics & { readonly at: number }>();
  #ended: readonly Family[] = [];

  /** Adds a process that has started. */
  add(process: number): CollectedProcess {
    let hasEnded = false;
    const added: CollectedProcess = {
      set: (families, at) => {
        if (!hasEnded && at > (this.#latest.get(added)?.at ?? -1))
          this.#latest.set(added, { process, families, at });
      },
      end: () => {
        hasEnded = true;
        const families = this.#latest.get(added)?.families ?? [];
        const counted = families.filter(({ type, isOfProcess }) => type !== 'gauge' && !isOfProcess);
        this.#ended = mergeMetrics([
          { process, families: this.#ended },
          { process, families: counted },
        ]);
        this.#latest.delete(added);
      },
    };
    return added;
  }

  /** Returns the merged metrics of all processes. */
  merged(): Family[] {
    return mergeMetrics([...this.#latest.values(), { process: 0, families: this.#ended }]);
  }
}
