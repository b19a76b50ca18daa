import type { Row, Table } from '../store.ts';
import type { TableAudit } from './table-audit.ts';

/** Declares how audit events show the changes of a table. Tables without a declaration are never shown. */
export function audited<R extends Row, I extends string>(
  table: Table<R, I>,
  audit: TableAudit<Extract<keyof R, string>, NoInfer<R>>,
): Table<R, I> {
  return { ...table, audit };
}
