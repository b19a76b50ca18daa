import { consolidate, isConsolidationDue, nextMoves } from '../../src/analysis/consolidate.ts';
import { placeIssues } from '../../src/analysis/place-issues.ts';
import { type AnalysisState, emptyModel, type Model, type Writes } from '../../src/analysis/state.ts';

/** An analysis state that is kept as JSON, like in a store, and counts reads and writes. */
export class MemoryState implements AnalysisState {
  readonly rows = new Map<string, string>();
  reads = 0;
  written = 0;

  async get(key: string): Promise<unknown> {
    this.reads++;
    const text = this.rows.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  apply(writes: Writes): void {
    for (const [key, value] of writes) {
      this.written++;
      if (value === undefined) this.rows.delete(key);
      else this.rows.set(key, JSON.stringify(value));
    }
  }

  get model(): Model {
    return JSON.parse(this.rows.get('model') ?? JSON.stringify(emptyModel)) as Model;
  }
}

/** An organization whose issues are plain texts, analyzed like in the job. */
export class Organization {
  readonly state = new MemoryState();
  readonly issues: { point: string; cluster: string }[] = [];
  readonly #limit: { maxPoints?: number };
  #ids = 0;

  constructor(maxPoints?: number) {
    this.#limit = maxPoints === undefined ? {} : { maxPoints };
  }

  readonly newId = (): string => `c${++this.#ids}`;

  async place(texts: readonly string[]): Promise<void> {
    const issues = texts.map((text) => ({ text }));
    const { placed, writes } = await placeIssues(this.state, issues, { newId: this.newId, ...this.#limit });
    this.state.apply(writes);
    this.issues.push(...placed.map(({ point, cluster }) => ({ point, cluster })));
  }

  async consolidate(): Promise<void> {
    this.state.apply((await consolidate(this.state, { newId: this.newId, ...this.#limit })).writes);
    for (let next = await nextMoves(this.state); next !== undefined; next = await nextMoves(this.state)) {
      const moves = new Map(next.moves.map((move) => [move.point, move]));
      for (const issue of this.issues) {
        const move = moves.get(issue.point);
        if (move !== undefined)
          Object.assign(issue, { cluster: move.cluster, point: move.into ?? move.point });
      }
      this.state.apply(next.writes);
    }
  }

  /** Adds all texts in batches, and consolidates when it is due. */
  async stream(texts: readonly string[], batch: number): Promise<void> {
    for (let start = 0; start < texts.length; start += batch) {
      await this.place(texts.slice(start, start + batch));
      if (isConsolidationDue(this.state.model, batch > 1 && start + batch < texts.length))
        await this.consolidate();
    }
  }

  get clusters(): string[] {
    return this.issues.map(({ cluster }) => cluster);
  }
}
