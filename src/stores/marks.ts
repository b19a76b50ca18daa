import { table, type Row, type Table } from '../core/store.ts';

/** A note of docsctl about the store itself. Backups do not contain it. */
export interface MarkRow extends Row {
  /**
   * `moved`: a migration copies or has copied the store to `to`, so it must not change. `incoming`: the store is
   * being filled from `from`, and is not complete. `backup`: the last backup.
   */
  readonly id: 'moved' | 'incoming' | 'backup';
  /** ISO time. With `incoming`, that of the mark `moved` of the old store. */
  readonly at: string;
  /** The URL of the new store, without a password. */
  readonly to?: string;
  /** The URL of the old store, without a password. */
  readonly from?: string;
  /** The table and the ID of the last row that was copied. */
  readonly table?: string;
  readonly after?: string;
  /** The rows, and the hash of a backup. */
  readonly rows?: number;
  readonly sha256?: string;
}

export const marks: Table<MarkRow> = { ...table<MarkRow>()('docsctl_marks', {}), keepsStamp: true };
