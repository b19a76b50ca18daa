import { setImmediate } from 'node:timers/promises';
import { type AnalysisState, emptyModel, type Model, type Writes } from '../../analysis/state.ts';
import { VectorCache } from '../../analysis/packed-vectors.ts';
import type { JobContext } from '../../core/jobs.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { analysisStates, analysisStateId } from './rows.ts';

/** Reads after which others have their turn: a few milliseconds of work. */
const readsAtOnce = 64;

/** What something was worked out from has changed meanwhile: it is worked out anew. */
export class Outdated extends Error {}

/**
 * The state of an organization's analysis, in rows. It reads each value once, in a transaction of its own: whether all of
 * them belong together is found out when writing, by the version of the model.
 */
export class KeptState implements AnalysisState {
  readonly vectors = new VectorCache();
  readonly #context: JobContext;
  readonly #known = new Map<string, unknown>();
  #reads = 0;

  constructor(context: JobContext) {
    this.#context = context;
  }

  async get(key: string): Promise<unknown> {
    if (++this.#reads % readsAtOnce === 0) await this.breathe();
    if (!this.#known.has(key))
      this.#known.set(
        key,
        (await this.#context.read((view) => view.get(analysisStates, this.#idOf(key))))?.value,
      );
    return this.#known.get(key);
  }

  async model(): Promise<Model> {
    return ((await this.get('model')) as Model | undefined) ?? emptyModel;
  }

  async list(key: string): Promise<readonly string[]> {
    return ((await this.get(key)) as readonly string[] | undefined) ?? [];
  }

  /** Lets others have their turn, and stops where the process is to stop. */
  readonly breathe = async (): Promise<void> => {
    if (this.#context.signal.aborted)
      throw new Problem('interrupted', 'The analysis was stopped; it goes on where it was.');
    await setImmediate();
  };

  /** In one transaction, or not at all: what the state becomes and what goes with it. */
  async write(
    since: number,
    writes: Writes,
    work: (tx: WriteTransaction) => Promise<void> = async () => {},
  ): Promise<void> {
    await this.#context.write(async (tx) => {
      if ((((await this.#valueOf(tx, 'model')) as Model | undefined) ?? emptyModel).version !== since)
        throw new Outdated();
      for (const [key, value] of writes) await this.#put(tx, this.#idOf(key), value);
      await work(tx);
    });
    for (const [key, value] of writes) this.#known.set(key, value);
  }

  /** What it read may be of different times. */
  forget(): void {
    this.#known.clear();
  }

  async #put(tx: WriteTransaction, id: string, value: unknown): Promise<void> {
    // Not an update: that would read the value which is there, and some are long.
    await tx.remove(analysisStates, id);
    if (value !== undefined) await tx.insert(analysisStates, { id, value });
  }

  async #valueOf(view: ReadTransaction, key: string): Promise<unknown> {
    return (await view.get(analysisStates, this.#idOf(key)))?.value;
  }

  #idOf(key: string): string {
    return analysisStateId(this.#context.job.organization, key);
  }
}

/** The state as it will be when `writes` are applied. */
export function stateAfter(state: AnalysisState, writes: Writes): AnalysisState {
  return {
    get: async (key) => (writes.has(key) ? writes.get(key) : state.get(key)),
    ...(state.vectors === undefined ? {} : { vectors: state.vectors }),
  };
}
