import { setImmediate } from 'node:timers/promises';
import { type AnalysisState, emptyModel, type Model, type Writes } from '../../analysis/state.ts';
import { VectorCache } from '../../analysis/packed-vectors.ts';
import type { JobContext } from '../../core/jobs.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { analysisStates, analysisStateId } from './rows.ts';

/** Number of reads before other work runs: a few milliseconds. */
const readsPerTurn = 64;

/** Thrown if a result was computed from values that have changed since, so that it must be computed again. */
export class StaleStateError extends Error {}

/**
 * The state of an organization's analysis, stored in rows. Each value is read once, in its own transaction. `write` compares the
 * version of the model to detect that the values do not belong together.
 */
export class StoredAnalysisState implements AnalysisState {
  readonly vectors = new VectorCache();
  readonly #context: JobContext;
  readonly #cache = new Map<string, unknown>();
  #reads = 0;

  constructor(context: JobContext) {
    this.#context = context;
  }

  async get(key: string): Promise<unknown> {
    if (++this.#reads % readsPerTurn === 0) await this.pause();
    if (!this.#cache.has(key))
      this.#cache.set(key, await this.#context.read((view) => this.#read(view, key)));
    return this.#cache.get(key);
  }

  async model(): Promise<Model> {
    return ((await this.get('model')) as Model | undefined) ?? emptyModel;
  }

  async list(key: string): Promise<readonly string[]> {
    return ((await this.get(key)) as readonly string[] | undefined) ?? [];
  }

  /** Lets other work run. @throws Problem(interrupted) if the process is stopping */
  readonly pause = async (): Promise<void> => {
    if (this.#context.signal.aborted)
      throw new Problem('interrupted', 'The analysis was interrupted. It continues later where it stopped.');
    await setImmediate();
  };

  /**
   * Applies writes, and `work` on other tables, in one transaction.
   *
   * @throws StaleStateError if the version of the model is not `since`
   */
  async write(
    since: number,
    writes: Writes,
    work: (tx: WriteTransaction) => Promise<void> = async () => {},
  ): Promise<void> {
    await this.#context.write(async (tx) => {
      const model = ((await this.#read(tx, 'model')) as Model | undefined) ?? emptyModel;
      if (model.version !== since) throw new StaleStateError();
      for (const [key, value] of writes) await this.#put(tx, this.#idOf(key), value);
      await work(tx);
    });
    for (const [key, value] of writes) this.#cache.set(key, value);
  }

  /** Drops all cached values, because they may come from different times. */
  clearCache(): void {
    this.#cache.clear();
  }

  async #put(tx: WriteTransaction, id: string, value: unknown): Promise<void> {
    // Removed and inserted, because an update would read the old value, and some values are long.
    await tx.remove(analysisStates, id);
    if (value !== undefined) await tx.insert(analysisStates, { id, value });
  }

  async #read(view: ReadTransaction, key: string): Promise<unknown> {
    return (await view.get(analysisStates, this.#idOf(key)))?.value;
  }

  #idOf(key: string): string {
    return analysisStateId(this.#context.job.organization, key);
  }
}

/** Returns the state as it will be once `writes` are applied. */
export function stateAfter(state: AnalysisState, writes: Writes): AnalysisState {
  return defined({
    get: async (key: string) => (writes.has(key) ? writes.get(key) : state.get(key)),
    vectors: state.vectors,
  });
}
