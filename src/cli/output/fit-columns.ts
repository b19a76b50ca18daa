/** What a column is for, which decides what gives way where the terminal is narrow. */
export type ColumnRole = 'name' | 'path' | 'id' | 'reference' | 'time' | 'date' | 'text';

export interface MeasuredColumn {
  readonly role: ColumnRole;
  /** Cells of the widest text. */
  readonly full: number;
  /** Cells of the widest text in its short form: a day without the time, the end of an ID. */
  readonly short: number;
  readonly heading: number;
  /** Whether all texts are ticks. */
  readonly isFlag?: boolean;
  /** Whether all rows, of which there are several, have the same text. */
  readonly isSame?: boolean;
  /** Whether it holds the type of what the row is. */
  readonly isType?: boolean;
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
/** The share of the line that a path is cut to before a name is. */
const cutPath = 0.4;

/**
 * Chooses the columns that a line of `width` cells has room for. Names keep their width: IDs and dates are shortened
 * first, then columns that say the same in all rows are hidden, then texts are cut, then other columns are hidden, and
 * only names that fill the line by themselves are cut, after paths. A path or a time identifies a row, so its ID and type
 * are hidden before names are cut. The time of an event stays.
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
  const wanted = natural(true);
  const roleAt = (index: number) => columns[index]?.role;
  const isPath = (index: number) => roleAt(index) === 'path';
  const isName = (index: number) => roleAt(index) === 'name' || isPath(index);
  const isSame = (index: number) =>
    columns[index]?.isSame === true && !/^(?:name|time)$/.test(roleAt(index) ?? '');
  let shown = all;
  /** Hides one column after the other until the others fit. */
  const hideUntilFit = (candidates: readonly number[], cells: readonly number[]) => {
    for (const candidate of candidates) {
      if (sum(shown.map((index) => cells[index] ?? 0)) <= roomFor(shown, width) || shown.length === 1) return;
      shown = shown.filter((index) => index !== candidate);
    }
  };
  if (canHide) hideUntilFit(all.filter(isSame).reverse(), wanted);
  const times = shown.filter((index) => roleAt(index) === 'time');
  const namesRoom = width - sum(times.map((index) => (wanted[index] ?? 0) + gap));
  const cellsOfNames = () => sum(shown.filter(isName).map((index) => wanted[index] ?? 0));
  if (cellsOfNames() > namesRoom - besideNames && shown.length > 1) {
    const names = shown.filter(isName);
    const identifies = times.length > 0 || names.some(isPath);
    const expendable = [
      ...names.filter((index) => index > 0 && columns[index]?.isSame === true),
      ...shown.filter((index) => identifies && columns[index]?.isType === true),
      ...shown.filter((index) => identifies && roleAt(index) === 'id'),
    ];
    if (canHide)
      hideUntilFit(
        expendable,
        columns.map(({ heading }, index) =>
          isName(index) || roleAt(index) === 'time' ? (wanted[index] ?? 0) : Math.max(minWidth, heading),
        ),
      );
    const others = shown.filter((index) => !isName(index) && roleAt(index) !== 'time');
    const namesCount = shown.length - others.length - times.length;
    const target =
      others.length === 0 ? namesRoom - gap * (namesCount - 1) : Math.floor(namesRoom * cutNames);
    const cut = (may: (index: number) => boolean, floorOf?: (index: number) => number) =>
      shrink(wanted, sum(wanted) - cellsOfNames() + target, may, floorOf);
    cut(
      (index) => isPath(index) && shown.includes(index),
      () => Math.floor(namesRoom * cutPath),
    );
    cut((index) => isName(index) && shown.includes(index));
  }
  const hideable = canHide ? hidingOrder(columns).filter((index) => shown.includes(index)) : [];
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
      for (const roles of [
        ['text'],
        ['text', 'date', 'reference', 'id'],
        ['name', 'path', 'text'],
        undefined,
      ])
        shrink(
          widths,
          room,
          (position) => roles?.includes(roleOf(position) ?? 'text') !== false && !isShortId(position),
        );
      shrink(widths, room, () => true);
      giveBack(widths, room, (position) => {
        const index = shown[position] ?? 0;
        return isName(index) || roleAt(index) === 'text' ? (columns[index]?.full ?? 0) : 0;
      });
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

/** Gives the room that is left to the columns that were cut, from the left. */
function giveBack(widths: number[], room: number, fullOf: (position: number) => number): void {
  for (const [position, cells] of widths.entries())
    widths[position] = Math.max(cells, Math.min(fullOf(position), cells + room - sum(widths)));
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
