import type { Answer } from './connections.ts';
import type { TableLayout } from '../layout.ts';
import { maxLearned, readName, type PlannedAnswers, type Read } from './read-plans.ts';

/** The reads of one transaction: those that a plan did before, and those that were really needed. */
export class Reads {
  /** The first reads that the transaction did, in order, with their answers. A long one may read the whole store. */
  readonly done: (Read & { readonly answer: Answer })[] = [];
  #planned: PlannedAnswers | undefined;
  readonly #changed = new Set<TableLayout>();
  #hasMissed = false;

  /** `planned`: the answers of a plan, read in the same snapshot. */
  constructor(planned?: PlannedAnswers) {
    this.#planned = planned;
  }

  /** Whether a read was needed that the plan lacked. */
  get hasMissed(): boolean {
    return this.#hasMissed;
  }

  /** Returns the answer of a read of a table, from the plan if it has it. */
  async answer(
    table: TableLayout,
    { kind, sql, values }: Read,
    read: () => Promise<Answer>,
  ): Promise<Answer> {
    // The transaction remembers the rows that it changed by itself, but not which lists they are in.
    const isPlanned = kind === 'text' || !this.#changed.has(table);
    let answer = isPlanned ? this.#planned?.get(readName(sql, values)) : undefined;
    if (answer === undefined) {
      this.miss();
      answer = await read();
    }
    if (this.done.length < maxLearned) this.done.push({ kind, sql, values, answer });
    return answer;
  }

  /** Says that the transaction does a read that no plan contains. */
  miss(): void {
    this.#hasMissed = true;
  }

  change(table: TableLayout): void {
    this.#changed.add(table);
  }

  /** Forgets the answers of the plan, because the transaction no longer remembers all of its changes. */
  forget(): void {
    this.#planned = undefined;
  }
}
