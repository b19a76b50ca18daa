/**
 * The role of a column. It decides which columns are shortened or hidden on a narrow terminal. URLs and drawings are useless when
 * they are cut.
 */
export type ColumnRole =
  | 'name'
  | 'path'
  | 'address'
  | 'id'
  | 'reference'
  | 'time'
  | 'date'
  | 'text'
  | 'drawing';

export interface MeasuredColumn {
  readonly role: ColumnRole;
  /** The width of the widest text, in cells. */
  readonly full: number;
  /** The width of the widest text in its short form, in cells: a day without the time, the end of an ID. */
  readonly short: number;
  readonly heading: number;
  /** Whether all texts are ticks. */
  readonly isFlag?: boolean;
  /** Whether there are several rows with the same text. */
  readonly isSame?: boolean;
  /** Whether it contains the type of the resource in the row. */
  readonly isType?: boolean;
}

export interface FittedColumn {
  readonly index: number;
  readonly width: number;
  /** Whether texts are shown in their short form. */
  readonly isShort: boolean;
}

export const gap = 2;
/** Minimum width of a text. A narrower column is hidden. */
const minText = 16;
const minWidth = 6;
/** The width that names leave for the end of an ID before they are cut, and the share of the line to which they are cut. */
const besideNames = 10;
const cutNames = 0.7;
/** The share of the line to which a path is cut before names are cut. */
const cutPath = 0.4;
/** Minimum width of a name beside a URL. */
const minName = 8;

/** A column that is not hidden yet, with its current width. */
interface Candidate {
  readonly index: number;
  readonly column: MeasuredColumn;
  width: number;
}

/**
 * Chooses the columns that fit into a line of `width` cells. First IDs and dates are shortened, then columns with the same text
 * in all rows are hidden, then texts are cut, then other columns are hidden. Names are cut last, after paths, and only if they
 * fill the line alone. A path or a time identifies a row, so its ID and type are hidden before names are cut. The time of an
 * event is always shown. A drawing is shown completely or hidden. A URL that fits into the line beside the start of a name is
 * not cut: names beside it are cut, or hidden if they are not the first and would become too short.
 */
export function fitColumns(
  measured: readonly MeasuredColumn[],
  width: number,
  canHide: boolean,
): FittedColumn[] {
  const title = measured.find(({ role }) => role === 'name');
  const beside = title === undefined ? 0 : Math.min(Math.max(title.full, title.heading), minName) + gap;
  const columns = measured.map((column) =>
    // A URL that leaves no room for the name of its row is cut like other text.
    column.role === 'address' && column.full + beside > width ? { ...column, role: 'text' as const } : column,
  );
  const candidates = (isShort: boolean): Candidate[] =>
    columns.map((column, index) => ({
      index,
      column,
      width: Math.max(isShort ? column.short : column.full, column.heading),
    }));
  const isShort = !fits(candidates(false), width);
  let shown = candidates(isShort);
  if (isShort) {
    if (canHide) shown = hideUntilFit(shown, shown.filter(saysTheSame).reverse(), width);
    shown = makeRoomForNames(shown, width, canHide);
    shown = cutTexts(shown, width, canHide ? hidingOrder(columns) : []);
    if (canHide) shown = makeRoomForAddresses(shown, width);
    squeeze(shown, width);
  }
  return shown.map(({ index, width: cells }) => ({ index, width: cells, isShort }));
}

/** Hides one column after the other until the rest fits. */
function hideUntilFit(
  all: readonly Candidate[],
  expendable: readonly Candidate[],
  width: number,
  widthOf = (candidate: Candidate) => candidate.width,
): Candidate[] {
  let shown = [...all];
  for (const next of expendable) {
    if (shown.length === 1 || sum(shown.map(widthOf)) <= roomFor(shown, width)) break;
    shown = shown.filter((candidate) => candidate !== next);
  }
  return shown;
}

/** If names would fill the line, hides less important columns, then cuts the names to leave room for other columns. */
function makeRoomForNames(all: Candidate[], width: number, canHide: boolean): Candidate[] {
  const times = all.filter(isTime);
  const names = all.filter(isName);
  const room = width - sum(times.map(({ width: cells }) => cells + gap));
  if (all.length === 1 || cellsOf(names) <= room - besideNames) return all;
  const identifies = times.length > 0 || names.some(isPath);
  const expendable = [
    ...names.filter(({ index, column }) => index > 0 && column.isSame === true),
    ...all.filter(({ column }) => identifies && column.isType === true),
    ...all.filter(({ column }) => identifies && column.role === 'id'),
  ];
  const shown = canHide
    ? hideUntilFit(all, expendable, width, (candidate) =>
        isName(candidate) || isTime(candidate)
          ? candidate.width
          : Math.max(minWidth, candidate.column.heading),
      )
    : all;
  const shownNames = shown.filter(isName);
  const areAlone = shown.length === shownNames.length + times.length;
  const target = areAlone ? room - gap * (shownNames.length - 1) : Math.floor(room * cutNames);
  shrink(shownNames, target, isPath, () => Math.floor(room * cutPath));
  shrink(shownNames, target);
  return shown;
}

/** Hides names that would become too short beside URLs, starting with the last one. */
function makeRoomForAddresses(all: Candidate[], width: number): Candidate[] {
  if (!all.some(isAddress)) return all;
  return hideUntilFit(all, all.filter((candidate) => !isAddress(candidate)).reverse(), width, (candidate) =>
    isAddress(candidate) ? candidate.width : Math.min(candidate.width, minName),
  );
}

/** Cuts texts to their minimum width, then hides columns in the order of `hideable`, until the rest fits. */
function cutTexts(all: readonly Candidate[], width: number, hideable: readonly number[]): Candidate[] {
  let shown = all;
  for (let at = 0; ; at++) {
    const cut = shown.map((candidate) => ({ ...candidate }));
    shrink(cut, roomFor(cut, width), isText, ({ column }) => Math.max(minText, column.heading));
    if (fits(cut, width) || at === hideable.length) return cut;
    shown = shown.filter(({ index }) => index !== hideable[at]);
  }
}

/** Cuts columns that still do not fit, so that no line is longer than the terminal. */
function squeeze(shown: Candidate[], width: number): void {
  const room = roomFor(shown, width);
  const isShortId = ({ column: { role }, width: cells }: Candidate) =>
    (role === 'id' || role === 'reference') && cells <= besideNames;
  const roles: readonly (readonly ColumnRole[])[] = [
    ['text'],
    ['text', 'date', 'reference', 'id'],
    ['name', 'path', 'text'],
    ['name', 'path', 'text', 'date', 'time', 'reference', 'id'],
    ['name', 'path', 'text', 'date', 'time', 'reference', 'id', 'address', 'drawing'],
  ];
  for (const some of roles)
    shrink(shown, room, (candidate) => some.includes(candidate.column.role) && !isShortId(candidate));
  shrink(shown, room);
  // The remaining space goes to the columns that were cut, from the left.
  for (const candidate of shown)
    if (isName(candidate) || isText(candidate)) {
      const left = room - cellsOf(shown);
      candidate.width = Math.max(candidate.width, Math.min(candidate.column.full, candidate.width + left));
    }
}

function isName({ column: { role } }: Candidate): boolean {
  return role === 'name' || role === 'path';
}

function isPath({ column }: Candidate): boolean {
  return column.role === 'path';
}

function isTime({ column }: Candidate): boolean {
  return column.role === 'time';
}

function isAddress({ column }: Candidate): boolean {
  return column.role === 'address';
}

function isText({ column }: Candidate): boolean {
  return column.role === 'text';
}

/** Whether a column, except a name or a time, has the same text in all rows. */
function saysTheSame({ column: { role, isSame } }: Candidate): boolean {
  return isSame === true && role !== 'name' && role !== 'time';
}

/** Widens columns for more rows if there is room. No column becomes narrower. */
export function widenColumns(
  fitted: readonly FittedColumn[],
  columns: readonly MeasuredColumn[],
  width: number,
): FittedColumn[] {
  const widened = fitted.map((column) => {
    const { index, width: before, isShort } = column;
    const wanted = (isShort ? columns[index]?.short : columns[index]?.full) ?? 0;
    return { column, before, width: Math.max(before, wanted) };
  });
  shrink(
    widened,
    roomFor(fitted, width),
    () => true,
    ({ before }) => before,
  );
  return widened.map(({ column, width: cells }) => ({ ...column, width: cells }));
}

/** Narrows the chosen columns, the widest first, until all fit or none can become narrower. */
export function shrink<C extends { width: number }>(
  columns: readonly C[],
  room: number,
  may: (column: C) => boolean = () => true,
  floorOf: (column: C) => number = () => minWidth,
): void {
  let over = cellsOf(columns) - room;
  while (over > 0) {
    const [widest, second] = columns
      .filter((column) => may(column) && column.width > floorOf(column))
      .sort((one, other) => other.width - one.width);
    if (widest === undefined) return;
    const down = Math.max(floorOf(widest), Math.min(second?.width ?? 0, widest.width - 1));
    const taken = Math.min(over, widest.width - down);
    widest.width -= taken;
    over -= taken;
  }
}

/**
 * Returns the indexes of columns in the order in which they are hidden: references, flags, dates, drawings, texts, the ID, and
 * the first text.
 */
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
    ...withRole('drawing'),
    ...texts.slice(0, -1),
    ...withRole('id'),
    ...texts.slice(-1),
  ];
  return order.slice(0, columns.length - 1);
}

function roomFor(columns: readonly unknown[], width: number): number {
  return Math.max(0, width - gap * (columns.length - 1));
}

function cellsOf(shown: readonly { width: number }[]): number {
  return sum(shown.map(({ width }) => width));
}

function fits(shown: readonly Candidate[], width: number): boolean {
  return cellsOf(shown) <= roomFor(shown, width);
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, cells) => total + cells, 0);
}
