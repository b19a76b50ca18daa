import type { Static } from '../../contract/schema.ts';
import { isRecord } from '../../contract/values.ts';
import { addTime, day } from '../../core/clock.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { invalid } from '../../errors/problem.ts';
import { dimensionReaders, measureReaders } from './columns.ts';
import type * as contract from './contract.ts';
import { measures, type Dimension, type Measure } from './declarations.ts';
import { keptSince } from './retention.ts';
import { siteEvents, type SiteEventRow } from './rows.ts';

type Query = Static<(typeof contract.aggregateSiteEvents)['body']>;
type Answer = Static<(typeof contract.aggregateSiteEvents)['returns']['schema']>;
type Column = NonNullable<Query['select']>[number];
type Filter = NonNullable<Query['where']>[number];

/** Events with the same values of the columns of a query. */
interface Group {
  readonly rows: SiteEventRow[];
  /** The values by the keys of their columns. */
  readonly values: Map<string, unknown>;
}

const defaultMeasures: readonly Column[] = [
  { column: 'eventsCount' },
  { column: 'visitorsCount' },
  { column: 'sessionsCount' },
];
const presetDays = { lastYear: 365, last3Months: 91, last30Days: 30, last7Days: 7, last24Hours: 1 };

/**
 * Aggregates the events of a site for a query.
 *
 * @throws Problem(invalid-input) for columns that cannot be combined, or a range that ends before it starts
 */
export async function aggregate(
  view: ReadTransaction,
  site: string,
  query: Query,
  now: string,
): Promise<Answer> {
  const { groupBy = [], where = [], order, limit = 1000 } = query;
  const select = query.select ?? [...groupBy, ...defaultMeasures];
  checkColumns({ ...query, groupBy, select });
  const groups = new Map<string, Group>();
  // Without a grouping, all events are one group, even if there are none.
  if (groupBy.length === 0) groups.set('[]', { rows: [], values: new Map() });
  const filters = where.filter(({ column }) => !isMeasure(column));
  for await (const row of eventsIn(view, site, rangeOf(query, now))) {
    if (!filters.every((filter) => passes(filter, readDimension(row, filter)))) continue;
    const values = groupBy.map((column) => [keyOf(column), readDimension(row, column)] as const);
    const key = JSON.stringify(values);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { rows: [row], values: new Map(values) });
    else group.rows.push(row);
  }
  const valueOf = (group: Group, { column, ...rest }: Column): unknown =>
    isMeasure(column) ? measureReaders[column](group.rows) : group.values.get(keyOf({ column, ...rest }));
  const kept = [...groups.values()].filter((group) =>
    where.every(
      (filter) => !isMeasure(filter.column) || passes(filter, measureReaders[filter.column](group.rows)),
    ),
  );
  const sorted = kept.toSorted((one, other) => {
    if (order !== undefined) {
      const difference = compare(valueOf(one, order.by), valueOf(other, order.by));
      if (difference !== 0) return order.direction === 'asc' ? difference : -difference;
    }
    for (const column of groupBy) {
      const difference = compare(valueOf(one, column), valueOf(other, column));
      if (difference !== 0) return difference;
    }
    return 0;
  });
  const shown = sorted.slice(0, limit);
  return {
    columns: select.map((column) => ({
      column: column.column,
      ...(column.column === 'visitorClaim' && column.claim !== undefined ? { claim: column.claim } : {}),
      values: shown.map((group) => valueOf(group, column)),
    })),
  };
}

/** Yields the events of a site within a range, oldest first. */
export async function* eventsIn(
  view: ReadTransaction,
  site: string,
  { from, to }: { from: string; to: string },
): AsyncGenerator<SiteEventRow> {
  let after: readonly string[] = [from, ''];
  for (;;) {
    const rows = await view.find(siteEvents, { index: 'bySite', equals: [site], after, limit: 500 });
    for (const row of rows) {
      if (row.at >= to) return;
      yield row;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < 500) return;
    after = [last.at, last.id];
  }
}

function rangeOf({ range }: Query, now: string): { from: string; to: string } {
  const oldest = keptSince(now);
  const later = (from: string) => (from < oldest ? oldest : from);
  if (typeof range === 'string') {
    const days = presetDays[range];
    // Includes the events of this moment.
    return { from: later(addTime(now, -days * day)), to: addTime(now, 1) };
  }
  const [from, to] = [new Date(range.from).toISOString(), new Date(range.to).toISOString()];
  if (from > to)
    throw invalid(
      '/body/range',
      `The range ends before it starts: ${range.from} is after ${range.to}.`,
      'Swap `from` and `to`.',
    );
  return { from: later(from), to };
}

function checkColumns({ groupBy = [], select = [], order, where = [] }: Query): void {
  const check = (path: string, column: Column | Filter): void => {
    for (const [name, owner] of ownFields) {
      const value = (column as Column)[name];
      if (value !== undefined && column.column !== owner)
        throw invalid(
          `${path}/${name}`,
          `The column ${column.column} has no ${name}.`,
          `Leave out "${name}", or choose the column ${owner}.`,
        );
    }
    if (column.column === 'visitorClaim' && column.claim === undefined)
      throw invalid(
        path,
        'The column visitorClaim needs the name of a claim.',
        'Name the claim: {"column": "visitorClaim", "claim": "plan"}. On the command line, --by-claim plan groups by it.',
      );
  };
  for (const [index, column] of groupBy.entries()) {
    check(`/body/groupBy/${index}`, column);
    if (isMeasure(column.column))
      throw invalid(
        `/body/groupBy/${index}/column`,
        `Events cannot be grouped by ${column.column}, which is computed from the events of a group.`,
        'Group by another column, and order by this one.',
      );
  }
  for (const [index, filter] of where.entries()) {
    check(`/body/where/${index}`, filter);
    if (filter.operator !== undefined && !isList(filter.operator) && filter.values.length !== 1)
      throw invalid(
        `/body/where/${index}/values`,
        `The operator ${filter.operator} compares with one value, not ${filter.values.length}.`,
        'Give one value.',
      );
  }
  const grouped = new Set(groupBy.map(keyOf));
  const shown: readonly (readonly [string, Column])[] = [
    ...select.map((column, index) => [`/body/select/${index}`, column] as const),
    ...(order === undefined ? [] : [['/body/order/by', order.by] as const]),
  ];
  for (const [path, column] of shown) {
    check(path, column);
    if (!isMeasure(column.column) && !grouped.has(keyOf(column)))
      throw invalid(
        path,
        `The column ${column.column} is not in groupBy with this interval, claim or precision, so its value differs within a group.`,
        'Add it to groupBy with the same interval, claim or precision.',
      );
  }
}

/** The fields that only one column type has. */
const ownFields = [
  ['interval', 'datetime'],
  ['claim', 'visitorClaim'],
  ['precision', 'visitorGeoPoint'],
] as const;

function isMeasure(column: string): column is Measure {
  return (measures as readonly string[]).includes(column);
}

/** Returns a key that is equal for columns with the same values. */
function keyOf({ column, interval, claim, precision }: Column): string {
  return JSON.stringify([column, interval ?? claim ?? precision ?? null]);
}

function readDimension(row: SiteEventRow, request: Column | Filter): unknown {
  return dimensionReaders[request.column as Dimension](row, request);
}

function isList(operator: string): boolean {
  return operator === 'in' || operator === 'notIn';
}

function passes({ column, values, operator = 'in' }: Filter, value: unknown): boolean {
  const given = values.map((one) =>
    column === 'datetime' && typeof one === 'string' && !Number.isNaN(Date.parse(one))
      ? new Date(one).toISOString()
      : one,
  );
  if (isList(operator))
    return (operator === 'in') === given.some((one) => canonical(one) === canonical(value));
  if (typeof value !== typeof given[0]) return false;
  const difference = compare(value, given[0]);
  if (operator === 'greaterThan') return difference > 0;
  if (operator === 'greaterThanOrEqual') return difference >= 0;
  return operator === 'lessThan' ? difference < 0 : difference <= 0;
}

/** Orders null first, then numbers by size, then everything else by its JSON. */
function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const rank = (value: unknown) => (value === null ? 0 : typeof value === 'number' ? 1 : 2);
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  const [left, right] = [canonical(one), canonical(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns JSON with the properties of objects sorted by name. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
