import { VectorCache } from './packed-vectors.ts';
import type { Stems } from './words.ts';

/**
 * The memory of the analysis of one organization: JSON values, read one by one by key. Changes are returned as `Writes`,
 * to be applied all or not at all.
 *
 * | key            | value         | count                                  |
 * | -------------- | ------------- | -------------------------------------- |
 * | model          | Model         | 1; its version guards all others       |
 * | centres        | Center[]      | 1, with an item for each cluster       |
 * | cluster.ID     | StoredPoint[] | one for each cluster: its points       |
 * | point.ID       | PointText     | one for each point, at most about 5000 |
 * | words.0 … .255 | StoredWord[]  | 256: the learned words                 |
 * | moves.N        | Move[]        | moves that are to be carried out       |
 */
export interface AnalysisState {
  get(key: string): Promise<unknown>;
  /** Unpacked vectors, if `get` returns the same objects again and again. */
  readonly vectors?: VectorCache;
}

/** New values by key; undefined removes a key. */
export type Writes = ReadonlyMap<string, unknown>;

/** Writes that must only be applied to the version of the model from which they were computed. */
export interface StateChange {
  readonly writes: Writes;
  readonly baseVersion: number;
}

export interface Model {
  /** Grows with every change. */
  readonly version: number;
  /** Number of placed issues, and number of points that represent them. */
  readonly issues: number;
  readonly points: number;
  /** The same numbers at the last consolidation. */
  readonly issuesThen: number;
  readonly pointsThen: number;
  /** Number of issues placed since the last consolidation. */
  readonly fresh: number;
  /** The pages `moves.FIRST` … `moves.(END - 1)` are pending. */
  readonly movesFirst: number;
  readonly movesEnd: number;
  /** Set once points were merged: the minimum similarity for merging an issue into a point. */
  readonly alike?: number;
  /** The mean context vector of all texts, packed. */
  readonly mean?: string;
  /** The model whose vectors the points had at the last consolidation, and the mean of these, packed. */
  readonly sentences?: { readonly model: string; readonly mean: string } | undefined;
}

export interface Center {
  readonly cluster: string;
  readonly vector: string;
}

/** Represents issues with the same words, or with similar words once points were merged. */
export interface StoredPoint {
  readonly id: string;
  /** Number of its issues. */
  readonly size: number;
  readonly vector: string;
}

export interface PointText {
  readonly cluster: string;
  readonly stems: Stems;
  /** Stems of some texts that were merged into the point. */
  readonly others?: readonly Stems[];
  /** The vector of the first text of the point from a model, packed. */
  readonly sentence?: { readonly model: string; readonly vector: string };
}

export interface StoredWord {
  readonly word: string;
  readonly rarity: number;
  /** The context vector, packed. */
  readonly company?: string;
  readonly topic: string;
}

/** Moves all issues of `point` to `cluster`, and to the point `into` if it is set. */
export interface Move {
  readonly point: string;
  readonly into?: string;
  readonly cluster: string;
}

/** The model of an organization without issues. */
export const emptyModel: Model = {
  version: 0,
  issues: 0,
  points: 0,
  issuesThen: 0,
  pointsThen: 0,
  fresh: 0,
  movesFirst: 0,
  movesEnd: 0,
};

/** Collects changes to a state in memory. Reads each key of the state once. */
export class StateDraft {
  readonly vectors: VectorCache;
  readonly #state: AnalysisState;
  readonly #known = new Map<string, unknown>();
  readonly #changed = new Map<string, unknown>();

  constructor(state: AnalysisState) {
    this.#state = state;
    this.vectors = state.vectors ?? new VectorCache();
  }

  async get<T>(key: string): Promise<T | undefined> {
    if (!this.#known.has(key)) this.#known.set(key, await this.#state.get(key));
    return this.#known.get(key) as T | undefined;
  }

  put(key: string, value: unknown): void {
    this.#known.set(key, value);
    this.#changed.set(key, value);
  }

  async model(): Promise<Model> {
    return (await this.get<Model>('model')) ?? emptyModel;
  }

  async centers(): Promise<readonly Center[]> {
    return (await this.get<readonly Center[]>('centres')) ?? [];
  }

  async points(cluster: string): Promise<readonly StoredPoint[]> {
    return (await this.get<readonly StoredPoint[]>(`cluster.${cluster}`)) ?? [];
  }

  async text(point: string): Promise<PointText | undefined> {
    return this.get<PointText>(`point.${point}`);
  }

  putText(point: string, text: PointText | undefined): void {
    this.put(`point.${point}`, text);
  }

  /** Stores the points of a cluster. Without points, the cluster is removed. */
  putPoints(cluster: string, points: readonly StoredPoint[]): void {
    this.put(`cluster.${cluster}`, points.length === 0 ? undefined : points);
  }

  /** Changes the model and returns all changes. */
  async finish(change: Partial<Model>): Promise<StateChange> {
    const before = await this.model();
    this.put('model', { ...before, ...change, version: before.version + 1 });
    return { writes: this.#changed, baseVersion: before.version };
  }
}
