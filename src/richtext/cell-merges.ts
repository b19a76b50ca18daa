import { recordOf } from './nodes.ts';

/** A cell of a table and the cells to its right or below that it covers (published specification, DocumentTableCellMerge). */
export interface CellMerge {
  readonly row: number;
  /** The place of its column. */
  readonly column: number;
  readonly rowSpan: number;
  readonly colSpan: number;
}

/** The most rows or columns that a cell can cover. */
const maxSpan = 50;

/** The cells of a grid that are merged, and those that others cover. */
export class MergedCells {
  readonly #merges = new Map<string, CellMerge>();
  readonly #covered = new Set<string>();

  /** The merges in the order in which they were added. */
  get merges(): readonly CellMerge[] {
    return [...this.#merges.values()];
  }

  get size(): number {
    return this.#merges.size;
  }

  isCovered(row: number, column: number): boolean {
    return this.#covered.has(`${row} ${column}`);
  }

  /** The merge that begins at a cell. */
  at(row: number, column: number): CellMerge | undefined {
    return this.#merges.get(`${row} ${column}`);
  }

  /** Adds a merge of cells beside or below each other; false where it is not one, or covers a cell twice. */
  add(merge: CellMerge): boolean {
    const { row, column, rowSpan, colSpan } = merge;
    const isLine = (rowSpan === 1) !== (colSpan === 1) && Math.max(rowSpan, colSpan) <= maxSpan;
    if (!isLine || this.isCovered(row, column)) return false;
    const inside: string[] = [];
    for (let step = 1; step < rowSpan * colSpan; step++) {
      const [below, beside] = rowSpan > 1 ? [row + step, column] : [row, column + step];
      if (this.isCovered(below, beside) || this.at(below, beside) !== undefined) return false;
      inside.push(`${below} ${beside}`);
    }
    for (const cell of inside) this.#covered.add(cell);
    this.#merges.set(`${row} ${column}`, merge);
    return true;
  }
}

/** Reads the number of rows or columns that the attribute of a cell states; undefined where it is not a whole number. */
export function spanOf(text: string | undefined): number | undefined {
  if (text === undefined) return 1;
  return /^[1-9]\d?$/.test(text.trim()) ? Number(text.trim()) : undefined;
}

/** Reads the merges of a table block; leaves out those that a grid of these rows and columns cannot have. */
export function readMerges(
  value: unknown,
  records: readonly string[],
  columns: readonly string[],
): MergedCells {
  const cells = new MergedCells();
  const rows = new Map(records.map((id, row) => [id, row]));
  const places = new Map(columns.map((id, place) => [id, place]));
  for (const given of Array.isArray(value) ? value : []) {
    const { anchor, rowSpan, colSpan } = recordOf(given);
    const { record, column } = recordOf(anchor);
    const [row, place] = [rows.get(String(record)), places.get(String(column))];
    const isSpan = (span: unknown): span is number =>
      typeof span === 'number' && Number.isInteger(span) && span > 0;
    if (row === undefined || place === undefined || !isSpan(rowSpan) || !isSpan(colSpan)) continue;
    if (row + rowSpan <= records.length && place + colSpan <= columns.length)
      cells.add({ row, column: place, rowSpan, colSpan });
  }
  return cells;
}
