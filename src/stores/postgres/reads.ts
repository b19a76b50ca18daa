import type { Answer } from './connections.ts';
import type { TableLayout } from '../layout.ts';
import { maxLearned, readName, type PlannedAnswers, type Read } from './read-plans.ts';

/** The reads of one transaction: the answers of its plan, and the reads that its work has done. */
export class Reads {
  /**
   * The first reads of the transaction, in order, with their answers. Only the first, because a long transaction may read the
   * whole store.
   */
  readonly done: (Read & { readonly answer: Answer })[] = [];
  #planned: PlannedAnswers | undefined;
  readonly #changed = new Set<TableLayout>();
  #hasMissed = false;

  /** `planned`: the answers of a plan, from the same snapshot. */
  constructor(planned?: PlannedAnswers) {
    this.#planned = planned;
  }

  /** Whether the work needed a read that the plan lacked. */
  get hasMissed(): boolean {
    return this.#hasMissed;
  }

  /** Returns the answer of a read of a table, from the plan if possible. */
  async answer(
    table: TableLayout,
    { kind, sql, values }: Read,
    read: () => Promise<Answer>,
  ): Promise<Answer> {
    // The caller handles rows that the transaction has changed, but lists of a changed table have to be read again.
    const isPlanned = kind === 'text' || !this.#changed.has(table);
    let answer = isPlanned ? this.#planned?.get(readName(sql, values)) : undefined;
    if (answer === undefined) {
      this.miss();
      answer = await read();
    }
    if (this.done.length < maxLearned) this.done.push({ kind, sql, values, answer });
    return answer;
  }

  /** Records a read that plans never contain. */
  miss(): void {
    this.#hasMissed = true;
  }

  change(table: TableLayout): void {
    this.#changed.add(table);
  }

  /** Discards the answers of the plan, because the transaction no longer remembers all of its changes. */
  forget(): void {
    this.#planned = undefined;
  }
}
