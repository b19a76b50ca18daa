import { recordOf } from '../contract/values.ts';

/**
 * A cell of a table and the cells to its right and below that it covers (published specification, DocumentTableCellMerge). In the
 * published specification, merges of a document are all in one direction; here both directions are allowed.
 */
export interface CellMerge {
  readonly row: number;
  /** The index of its column. */
  readonly column: number;
  readonly rowSpan: number;
  readonly colSpan: number;
}

/** The position of a cell in a row. */
export interface Slot {
  readonly column: number;
  readonly count: number;
  readonly isBelow: boolean;
  /** Whether the cell continues in the next row. */
  readonly continues: boolean;
}

/** Maximum number of rows or columns that a cell covers. */
const maxSpan = 50;
/** Maximum number of covered cells in a table. */
const maxCovered = 10_000;

/** The merged cells of a grid, and the cells that they cover. */
export class MergedCells {
  readonly #merges = new Map<string, CellMerge>();
  readonly #covered = new Map<string, CellMerge>();

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

  at(row: number, column: number): CellMerge | undefined {
    return this.#merges.get(`${row} ${column}`);
  }

  /**
   * Returns the slots of a row from its first column on: cells, and columns that cells above cover, each with its number of
   * columns. `isBelow`: a cell above covers the slot.
   */
  slotsOf(row: number, columns: number): Slot[] {
    const slots: Slot[] = [];
    for (let column = 0; column < columns;) {
      const merge = this.at(row, column) ?? this.#covered.get(`${row} ${column}`);
      const end = Math.min(columns, merge === undefined ? column + 1 : merge.column + merge.colSpan);
      const continues = merge !== undefined && row + 1 < merge.row + merge.rowSpan;
      slots.push({ column, count: end - column, isBelow: merge !== undefined && merge.row < row, continues });
      column = end;
    }
    return slots;
  }

  /** Adds a merge. Returns false if it is a single cell, too large, or covers a cell twice. */
  add(merge: CellMerge): boolean {
    const { row, column, rowSpan, colSpan } = merge;
    const count = rowSpan * colSpan;
    if (count < 2 || Math.max(rowSpan, colSpan) > maxSpan || this.#covered.size + count > maxCovered)
      return false;
    const inside: string[] = [];
    for (let step = 0; step < count; step++) {
      const [below, beside] = [row + Math.floor(step / colSpan), column + (step % colSpan)];
      if (this.isCovered(below, beside) || this.at(below, beside) !== undefined) return false;
      if (step > 0) inside.push(`${below} ${beside}`);
    }
    for (const cell of inside) this.#covered.set(cell, merge);
    this.#merges.set(`${row} ${column}`, merge);
    return true;
  }
}

/** Parses the rowspan or colspan of a cell; undefined if it is not a whole number. */
export function spanOf(text: string | undefined): number | undefined {
  if (text === undefined) return 1;
  return /^[1-9]\d?$/.test(text.trim()) ? Number(text.trim()) : undefined;
}

/** Reads the merges of a table block, without those that are impossible for its rows and columns. */
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
