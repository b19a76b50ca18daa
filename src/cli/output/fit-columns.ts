/** What a column is for, which decides what gives way where the terminal is narrow. */
export type ColumnRole = 'name' | 'id' | 'reference' | 'date' | 'text';

export interface MeasuredColumn {
  readonly role: ColumnRole;
  /** Cells of the widest text. */
  readonly full: number;
  /** Cells of the widest text in its short form: a day without the time, the end of an ID. */
  readonly short: number;
  readonly heading: number;
  /** Whether all texts are ticks. */
  readonly isFlag?: boolean;
}

export interface FittedColumn {
  readonly index: number;
  readonly width: number;
  /** Whether texts are shown in their short form. */
  readonly isShort: boolean;
}

export const gap = 2;
/** Less than this of a text says nothing, so its column is hidden before it gets narrower. */
const minText = 16;
const minWidth = 6;
/** What names leave free for the end of an ID before they are cut, and the share of the line that they are cut to. */
const besideNames = 10;
const cutNames = 0.7;

/**
 * Chooses the columns that a line of `width` cells has room for. Names keep their width: IDs and dates are shortened
 * first, then texts are cut, then columns are hidden, and only names that fill the line by themselves are cut.
 */
export function fitColumns(
  columns: readonly MeasuredColumn[],
  width: number,
  canHide: boolean,
): FittedColumn[] {
  const all = columns.map((_, index) => index);
  const natural = (isShort: boolean) =>
    columns.map(({ full, short, heading }) => Math.max(isShort ? short : full, heading));
  const full = natural(false);
  if (sum(full) <= roomFor(all, width))
    return all.map((index) => ({ index, width: full[index] ?? 0, isShort: false }));
  const isName = (index: number) => columns[index]?.role === 'name';
  const wanted = natural(true);
  const nameCells = sum(all.filter(isName).map((index) => wanted[index] ?? 0));
  if (nameCells > width - besideNames && all.length > 1)
    shrink(wanted, sum(wanted) - nameCells + Math.floor(width * cutNames), isName);
  const hideable = canHide ? hidingOrder(columns) : [];
  let shown = all;
  for (;;) {
    const widths = shown.map((index) => wanted[index] ?? 0);
    const room = roomFor(shown, width);
    const roleOf = (position: number) => columns[shown[position] ?? 0]?.role;
    shrink(
      widths,
      room,
      (position) => roleOf(position) === 'text',
      (position) => Math.max(minText, columns[shown[position] ?? 0]?.heading ?? 0),
    );
    const next = hideable.shift();
    if (sum(widths) <= room || next === undefined) {
      const isShortId = (position: number) =>
        /^(?:id|reference)$/.test(roleOf(position) ?? '') && (widths[position] ?? 0) <= besideNames;
      for (const roles of [['text'], ['text', 'date', 'reference', 'id'], undefined])
        shrink(
          widths,
          room,
          (position) => roles?.includes(roleOf(position) ?? 'text') !== false && !isShortId(position),
        );
      shrink(widths, room, () => true);
      return shown.map((index, position) => ({ index, width: widths[position] ?? 0, isShort: true }));
    }
    shown = shown.filter((index) => index !== next);
  }
}

/** Widens columns for more rows, as far as there is room; none gets narrower. */
export function widenColumns(
  fitted: readonly FittedColumn[],
  columns: readonly MeasuredColumn[],
  width: number,
): FittedColumn[] {
  const widths = fitted.map(({ index, width: before, isShort }) =>
    Math.max(before, (isShort ? columns[index]?.short : columns[index]?.full) ?? 0),
  );
  const room = roomFor(fitted, width);
  shrink(
    widths,
    room,
    () => true,
    (position) => fitted[position]?.width ?? 0,
  );
  return fitted.map((column, position) => ({ ...column, width: widths[position] ?? 0 }));
}

/** Takes from the widest of the chosen columns first, until all fit or none has more to give. */
export function shrink(
  widths: number[],
  room: number,
  may: (index: number) => boolean,
  floorOf: (index: number) => number = () => minWidth,
): void {
  let over = sum(widths) - room;
  while (over > 0) {
    const open = widths
      .map((cells, index) => ({ cells, index, floor: floorOf(index) }))
      .filter(({ cells, index, floor }) => may(index) && cells > floor)
      .sort((a, b) => b.cells - a.cells);
    const [widest, second] = open;
    if (widest === undefined) return;
    const down = Math.max(widest.floor, Math.min(second?.cells ?? 0, widest.cells - 1));
    const taken = Math.min(over, widest.cells - down);
    widths[widest.index] = widest.cells - taken;
    over -= taken;
  }
}

/** Columns in the order in which they are hidden: references, flags, dates, texts, the ID, and the first text. */
function hidingOrder(columns: readonly MeasuredColumn[]): number[] {
  const withRole = (role: ColumnRole) =>
    columns.flatMap((column, index) => (column.role === role ? [index] : [])).reverse();
  const isFlag = (index: number) => columns[index]?.isFlag === true;
  const flags = withRole('text').filter(isFlag);
  const texts = withRole('text').filter((index) => !isFlag(index));
  const order = [
    ...withRole('reference'),
    ...flags,
    ...withRole('date'),
    ...texts.slice(0, -1),
    ...withRole('id'),
    ...texts.slice(-1),
  ];
  return order.slice(0, columns.length - 1);
}

function roomFor(columns: readonly unknown[], width: number): number {
  return Math.max(0, width - gap * (columns.length - 1));
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, cells) => total + cells, 0);
}
