import { valueAt } from '../../contract/paths.ts';
import { isRecord, plural } from '../../contract/values.ts';
import { dayOf, displayText } from './cell.ts';
import { layoutOf, type Layout } from './columns.ts';
import { fitColumns, widenColumns, type ColumnRole, type FittedColumn } from './fit-columns.ts';
import type { OutputOptions, Writer } from './format.ts';
import { drawGrid } from './grid.ts';
import { headingsOf, withHeadings } from './headings.ts';
import { fieldsOf } from './record-fields.ts';
import { isGeneratedId, shortenIds } from './short-ids.ts';
import { createTheme, type Theme } from './style.ts';
import { displayWidth } from './width.ts';

/** Number of rows that are laid out together. */
const batchSize = 1000;
/** Maximum length of texts that the note about hidden columns repeats. */
const maxNoted = 20;

/** Creates a writer of tables on a terminal: a list as columns that fit its width, one object as names and values. */
export async function screenTableWriter(options: OutputOptions): Promise<Writer> {
  const { terminal, isWide = false } = options;
  const width = isWide ? Number.MAX_SAFE_INTEGER : terminal.columns;
  const theme = await createTheme(terminal.color);
  let waiting: unknown[] = [];
  let layout: Layout | undefined;
  let fitted: readonly FittedColumn[] | undefined;
  let hidden: readonly string[] = [];
  let records = 0;

  const draw = (): string => {
    if (waiting.length === 0) return '';
    const items = waiting;
    waiting = [];
    const { columns, headers, keepsNames } = (layout ??= layoutOf(items, options));
    const isChosen = options.columns !== undefined;
    const headings = keepsNames ? columns.map(({ title }) => title) : headingsOf(columns, options.fields);
    const roles = rolesOf(columns, items);
    const measured = columns.map(({ path }, index) => {
      const role = roles[index] ?? 'text';
      const fullTexts = items.map((item) => displayText(valueAt(item, path)));
      const short = isWide ? fullTexts : shortened(fullTexts, role, options.now);
      const texts = isChosen ? fullTexts : role === 'id' || role === 'reference' ? short : fullTexts;
      return {
        role,
        texts,
        shortTexts: short,
        title: displayText(headings[index]),
        heading: headers ? displayWidth(displayText(headings[index])) : 0,
        full: widest(texts),
        short: widest(short),
        isFlag: items.every((item) => typeof valueAt(item, path) === 'boolean'),
        isSame: items.length > 1 && fullTexts.every((text) => text === fullTexts[0]),
        isType: /(?:^|\.)type$/.test(path),
        cutsFront: holdsPaths(path, fullTexts),
        isNumeric: isNumeric(items, path),
        toneOf: /(?:^|\.)impact$/.test(path) ? impactTone : undefined,
      };
    });
    const isFirst = fitted === undefined;
    fitted =
      fitted === undefined ? fitColumns(measured, width, !isChosen) : widenColumns(fitted, measured, width);
    const shown = new Set(fitted.map(({ index }) => index));
    hidden = measured.flatMap(({ title, texts: [text = ''], isSame }, index) => {
      if (shown.has(index)) return [];
      return [isSame && isFirst && text !== '-' && text.length <= maxNoted ? `${title}: ${text}` : title];
    });
    const drawn = fitted.flatMap(({ index, width: cells, isShort }) => {
      const column = measured[index];
      if (column === undefined) return [];
      const { title, texts, shortTexts, isNumeric: isRight, toneOf, cutsFront } = column;
      return [
        { title, texts: isShort ? shortTexts : texts, isNumeric: isRight, toneOf, cutsFront, width: cells },
      ];
    });
    return drawGrid(drawn, headers && isFirst, theme);
  };
  const add = (items: readonly unknown[]): string => {
    for (const item of items) waiting.push(item);
    return waiting.length >= batchSize ? draw() : '';
  };
  return {
    page: ({ items }) => add(items),
    value: async (value) => {
      if (value === undefined) return '';
      if (Array.isArray(value)) return add(value);
      if (!isRecord(value)) return `${displayText(value)}\n`;
      const { recordText } = await import('./record.ts');
      const fields = fieldsOf(value, options);
      const keepsNames = options.columns !== undefined || options.query !== undefined;
      const titled = keepsNames ? fields : withHeadings(fields, options.fields);
      return (records++ > 0 ? '\n' : '') + recordText(titled, terminal.columns, theme);
    },
    end: draw,
    footnote: () =>
      hidden.length === 0
        ? undefined
        : `${plural(hidden.length, 'column')} hidden (${hidden.join(', ')}). --wide shows all.`,
  };
}

const names = /(?:^|\.)(?:title|name|displayName|email|subject|label|slug|number|ref)$/;
const times = /(?:^|\.)(?:at|occurredAt|completedAt|dueAt)$/;
const paths = /(?:^|\.)(?:path|place)$/;
/** Columns that may contain paths. The end of a path is the most important part. */
const pathLike = /(?:^|\.)(?:path|place|file|directory|source|destination)$/;
const references =
  /(?:^|\.)(?:id|parent|space|site|section|sectionGroup|installation|collection|organization|cluster)$|Id$/;

/** Columns that identify rows if they come first: the number of a change request is unique only in its space. */
const firstNames = /^(?:space|site|collection)$/;

/** URLs that people copy. */
const addresses = /(?:^|\.)(?:published|startURL)$/;
const drawings = /(?:^|\.)pulse$/;

/** Returns the roles of columns. In a list without names, the first column counts as name. */
function rolesOf(columns: Layout['columns'], items: readonly unknown[]): ColumnRole[] {
  const isIds = (path: string) => items.some((item) => isGeneratedId(String(valueAt(item, path))));
  const roles = columns.map(({ path }, index): ColumnRole => {
    if (names.test(path)) return 'name';
    if (paths.test(path)) return 'path';
    if (addresses.test(path)) return 'address';
    if (drawings.test(path)) return 'drawing';
    // A date in the first column is the time of an event.
    if (path.endsWith('At') || times.test(path)) return index === 0 || times.test(path) ? 'time' : 'date';
    if (index === 0 && firstNames.test(path)) return 'name';
    return references.test(path) || isIds(path) ? 'reference' : 'text';
  });
  const ids = columns.flatMap(({ path, title }, index) =>
    roles[index] === 'reference' && (title === 'id' || /(?:^|\.)id$/.test(path)) ? [index] : [],
  );
  const own = ids.find((index) => columns[index]?.title === 'id') ?? ids[0];
  if (own !== undefined) roles[own] = 'id';
  // The description of an event is its main column.
  const main = roles.indexOf('text');
  if (roles[0] === 'time' && main !== -1) roles[main] = 'name';
  if (!roles.includes('name') && !roles.includes('path')) roles[0] = 'name';
  return roles;
}

/** Whether a column contains paths, which are cut at the start. */
function holdsPaths(path: string, texts: readonly string[]): boolean {
  return pathLike.test(path) && texts.some((text) => text.includes('/') && !text.includes('://'));
}

function shortened(texts: readonly string[], role: ColumnRole, now: number | undefined): readonly string[] {
  if (role === 'time') {
    const year = now === undefined ? '' : `${new Date(now).getUTCFullYear()}-`;
    return year !== '' && texts.every((text) => text.startsWith(year) || text === '-')
      ? texts.map((text) => text.slice(text === '-' ? 0 : year.length))
      : texts;
  }
  if (role === 'date') return texts.map(dayOf);
  return role === 'text' || role === 'address' || role === 'drawing' ? texts : shortenIds(texts);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((max, text) => Math.max(max, displayWidth(text)), 0);
}

function impactTone(text: string): keyof Theme {
  return text === 'high' ? 'error' : text === 'medium' ? 'hint' : 'faint';
}

function isNumeric(items: readonly unknown[], path: string): boolean {
  const values = items
    .map((item) => valueAt(item, path))
    .filter((value) => value !== undefined && value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}
