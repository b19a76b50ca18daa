import { Unpacked } from './unpacked.ts';

/**
 * What the analysis of one organization remembers: JSON values by key, read one by one. Whoever keeps it (a table of
 * rows, a map in a test) gives `get`; what is to change comes back as `Writes`, to be applied all or not at all.
 *
 * | key            | value        | how many                                                  |
 * | model          | Model        | 1; read and written by everything, so its version guards  |
 * | centres        | Centre[]     | 1, a line for each cluster                                |
 * | cluster.ID     | StoredPoint[]| one a cluster: the points in it                           |
 * | point.ID       | PointText    | one a point, at most about 5,000                          |
 * | words.0 … .255 | StoredWord[] | 256: the dictionary                                       |
 * | moves.N        | Move[]       | issues to be carried along, until they are                |
 */
export interface AnalysisState {
  get(key: string): Promise<unknown>;
  /** Where the same rows are given again and again: what was unpacked of them. */
  readonly unpacked?: Unpacked;
}

/** New values by key; undefined removes. */
export type Writes = ReadonlyMap<string, unknown>;

export interface Model {
  /** Grows with every change: writes that were worked out from another version must not be applied. */
  readonly version: number;
  /** Issues placed and not withdrawn, and points that stand for them. */
  readonly issues: number;
  readonly points: number;
  /** The same at the last consolidation. */
  readonly issuesThen: number;
  readonly pointsThen: number;
  /** Placed since then. */
  readonly fresh: number;
  /** The pages `moves.FIRST` … `moves.(END - 1)` are waiting. */
  readonly movesFirst: number;
  readonly movesEnd: number;
  /** Once full: how alike an issue must be to a point for joining it. */
  readonly alike?: number;
  /** What all texts have in common, packed. */
  readonly mean?: string;
}

export interface Centre {
  readonly cluster: string;
  readonly vector: string;
}

/** A point stands for issues that say the same; it is the unit that is clustered. */
export interface StoredPoint {
  readonly id: string;
  /** Issues that it stands for. */
  readonly size: number;
  readonly vector: string;
}

export interface PointText {
  readonly cluster: string;
  readonly stems: readonly string[];
  /** Of some texts that have joined it. */
  readonly others?: readonly (readonly string[])[];
}

export interface StoredWord {
  readonly word: string;
  readonly rarity: number;
  readonly company?: string;
  readonly topic: string;
}

/** All issues of `point` belong to `cluster` now, and to the point `into` where that is named. */
export interface Move {
  readonly point: string;
  readonly into?: string;
  readonly cluster: string;
}

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

/** A state in memory over another one: reads each key once and gathers what changes. */
export class Draft {
  readonly unpacked: Unpacked;
  readonly #below: AnalysisState;
  readonly #known = new Map<string, unknown>();
  readonly #changed = new Map<string, unknown>();

  constructor(below: AnalysisState) {
    this.#below = below;
    this.unpacked = below.unpacked ?? new Unpacked();
  }

  async get<T>(key: string): Promise<T | undefined> {
    if (!this.#known.has(key)) this.#known.set(key, await this.#below.get(key));
    return this.#known.get(key) as T | undefined;
  }

  put(key: string, value: unknown): void {
    this.#known.set(key, value);
    this.#changed.set(key, value);
  }

  async model(): Promise<Model> {
    return (await this.get<Model>('model')) ?? emptyModel;
  }

  async centres(): Promise<readonly Centre[]> {
    return (await this.get<readonly Centre[]>('centres')) ?? [];
  }

  async points(cluster: string): Promise<readonly StoredPoint[]> {
    return (await this.get<readonly StoredPoint[]>(`cluster.${cluster}`)) ?? [];
  }

  get writes(): Writes {
    return this.#changed;
  }
}
