import { getOrInsert } from '../../contract/values.ts';
import type { Hit, Key, Query, Row, RowSize, Search, Table, WriteTransaction } from '../store.ts';
import type { CountAudit, RowAudit } from './table-audit.ts';

export interface RowChange {
  readonly audit: RowAudit;
  /** Undefined if the transaction added the row. */
  readonly before: Row | undefined;
  /** Undefined if the transaction removed the row. */
  readonly after: Row | undefined;
}

/** How many rows were added and removed. A row that was replaced counts as both. */
interface RowCounts {
  readonly added: number;
  readonly removed: number;
}

/** A write transaction that records the changes of audited tables. It passes all calls on to the transaction it wraps. */
export class ChangeRecorder implements WriteTransaction {
  readonly tx: WriteTransaction;
  /** Whether the change requested work that is done outside of the transaction. */
  requestedWork = false;
  readonly #changes = new Map<string, RowChange>();
  readonly #counts = new Map<string, { added: number; removed: number }>();
  /** The rows that were read, so that an update does not read them again. */
  readonly #known = new Map<string, { readonly audit: RowAudit; readonly row: Row }>();

  constructor(tx: WriteTransaction) {
    this.tx = tx;
  }

  /** The rows that differ, in the order in which they were first changed. */
  get changes(): readonly RowChange[] {
    return [...this.#changes.values()].filter(
      ({ before, after }) => before !== undefined || after !== undefined,
    );
  }

  /** Returns a row of an audited table that was read, by its ID. */
  findRead(id: string): { readonly audit: RowAudit; readonly row: Row } | undefined {
    return [...this.#known.values()].find(({ row }) => row.id === id);
  }

  /** The numbers of changed rows by type. */
  get counts(): ReadonlyMap<string, RowCounts> {
    return this.#counts;
  }

  get<R extends Row>(table: Table<R>, id: string): Promise<R | undefined> {
    const audit = rowAuditOf(table);
    return audit === undefined ? this.tx.get(table, id) : this.#getKnown(audit, table, id);
  }

  find<R extends Row, I extends string>(table: Table<R, I>, query: Query<I>): Promise<readonly R[]> {
    return this.tx.find(table, query);
  }

  count<R extends Row, I extends string>(
    table: Table<R, I>,
    index: I,
    equals: readonly Key[],
  ): Promise<number> {
    return this.tx.count(table, index, equals);
  }

  scan(table: Table, after: string, limit: number): Promise<readonly RowSize[]> {
    return this.tx.scan(table, after, limit);
  }

  search<R extends Row, I extends string>(table: Table<R, I>, search: Search<I>): Promise<readonly Hit[]> {
    return this.tx.search(table, search);
  }

  insert<R extends Row>(table: Table<R>, row: R): Promise<void> {
    const audit = rowAuditOf(table);
    if (audit !== undefined) return this.#insertRecorded(audit, table, row);
    if (table.audit !== undefined) this.#count(table, { added: 1, removed: 0 });
    return this.tx.insert(table, row);
  }

  async update<R extends Row>(table: Table<R>, id: string, change: Partial<R>): Promise<R> {
    const audit = rowAuditOf(table);
    if (audit === undefined || !Object.keys(change).some((field) => isShown(audit, field))) {
      const row = await this.tx.update(table, id, change);
      if (table.audit === 'request') this.requestedWork = true;
      return row;
    }
    const before = await this.#rowBefore(table, id);
    const after = await this.tx.update(table, id, change);
    this.#record(audit, keyOf(table, id), before, after);
    return after;
  }

  async remove<R extends Row>(table: Table<R>, id: string): Promise<boolean> {
    const audit = rowAuditOf(table);
    const before = audit === undefined ? undefined : await this.#rowBefore(table, id);
    const isRemoved = await this.tx.remove(table, id);
    if (!isRemoved) return false;
    if (audit === undefined) this.#count(table, { added: 0, removed: 1 });
    else this.#record(audit, keyOf(table, id), before, undefined);
    return true;
  }

  async #getKnown<R extends Row>(audit: RowAudit, table: Table<R>, id: string): Promise<R | undefined> {
    const row = await this.tx.get(table, id);
    if (row !== undefined) this.#known.set(keyOf(table, id), { audit, row });
    return row;
  }

  async #insertRecorded<R extends Row>(audit: RowAudit, table: Table<R>, row: R): Promise<void> {
    await this.tx.insert(table, row);
    // A row that was removed before is replaced.
    const key = keyOf(table, row.id);
    this.#record(audit, key, this.#changes.get(key)?.before, row);
  }

  /** Returns the state of a row before its first change. */
  async #rowBefore<R extends Row>(table: Table<R>, id: string): Promise<Row | undefined> {
    const key = keyOf(table, id);
    const change = this.#changes.get(key);
    return change === undefined
      ? (this.#known.get(key)?.row ?? (await this.tx.get(table, id)))
      : change.before;
  }

  #record(audit: RowAudit, key: string, before: Row | undefined, after: Row | undefined): void {
    this.#changes.set(key, { audit, before, after });
  }

  #count({ audit }: Table, { added, removed }: RowCounts): void {
    if (audit === 'request') this.requestedWork = true;
    if (!isCounted(audit)) return;
    const counts = getOrInsert(this.#counts, audit.type, () => ({ added: 0, removed: 0 }));
    counts.added += added;
    counts.removed += removed;
  }
}

function keyOf({ name }: Table, id: string): string {
  return `${name} ${id}`;
}

function rowAuditOf<R extends Row>({ audit }: Table<R>): RowAudit | undefined {
  return audit === undefined || audit === 'request' || isCounted(audit) ? undefined : audit;
}

function isCounted(audit: Table['audit']): audit is CountAudit {
  return typeof audit === 'object' && 'counted' in audit;
}

/** Whether a change of a field may be shown, in whatever form. */
function isShown({ fields, secrets = [], sizes = [] }: RowAudit, field: string): boolean {
  return fields.includes(field) || secrets.includes(field) || sizes.includes(field);
}
