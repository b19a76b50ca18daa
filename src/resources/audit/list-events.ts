import { defined } from '../../contract/values.ts';
import { readCursor, writeCursor, type Selection } from '../../core/listing.ts';
import { isoTime } from '../../core/clock.ts';
import { auditEvents, type AuditEventRow } from '../../core/rows/audit-events.ts';
import { positionOf, type Key, type ReadTransaction } from '../../core/store.ts';

/** The query of a list of events. Times are in any form of RFC 3339. */
interface EventQuery {
  readonly from?: string | undefined;
  readonly to?: string;
  readonly action?: string;
  readonly actor?: string;
  readonly target?: string | undefined;
  /** The ID that related events share (`correlation`), or the ID of one request or job run (`execution`). */
  readonly request?: string;
  readonly page?: string | undefined;
  readonly limit?: number;
}

/** A page of events, newest first. */
interface EventPage {
  readonly next?: { readonly page: string };
  /** Absent if the server would have to read every event to count them. */
  readonly count?: number;
  readonly items: readonly AuditEventRow[];
}

/** Default number of events on a page. */
const defaultEvents = 20;

/**
 * Returns a page of the events of an organization since a time. Reads only the events of the page, using an index, so old and new
 * pages take the same time.
 *
 * @throws Problem(invalid-input) for a `page` that does not belong to this list
 */
export async function listEvents(
  view: ReadTransaction,
  organization: string,
  since: string,
  query: EventQuery,
): Promise<EventPage> {
  const { action, actor, target, request, limit = defaultEvents } = query;
  const selection =
    request === undefined
      ? selectIndex(organization, query)
      : await selectRequest(view, organization, request);
  const [from, to] = [normalize(query.from), normalize(query.to)];
  const start = from === undefined || from < since ? since : from;
  const matches = (row: AuditEventRow) =>
    row.action === (action ?? row.action) &&
    row.actor === (actor ?? row.actor) &&
    row.target === (target ?? row.target);
  const rows: AuditEventRow[] = [];
  let after = query.page === undefined ? endOf(to) : readCursor(selection, query.page);
  while (rows.length <= limit) {
    const read = await view.find(auditEvents, {
      ...selection,
      limit: limit + 1,
      ...defined({ after }),
    });
    rows.push(...read.filter((row) => row.occurredAt >= start && matches(row)));
    const last = read.at(-1);
    if (last === undefined || read.length <= limit || last.occurredAt < start) break;
    after = positionOf(auditEvents, selection.index, last);
  }
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const filters = [action, actor, target, request].filter((filter) => filter !== undefined).length;
  const isWhole = filters < 2 && query.from === undefined && to === undefined;
  return {
    ...(rows.length > limit && last !== undefined ? { next: { page: writeCursor(selection, last) } } : {}),
    ...(isWhole ? await countAll(view, selection, since) : {}),
    items,
  };
}

type Index = 'byTime' | 'byAction' | 'byActor' | 'byTarget' | 'byCorrelation' | 'byExecution';

/** Returns the index that leaves the fewest events to filter. */
function selectIndex(
  organization: string,
  { action, actor, target }: EventQuery,
): Selection<AuditEventRow, Index> {
  const [index, ...values]: [Index, ...string[]] =
    target !== undefined
      ? ['byTarget', target]
      : action !== undefined
        ? ['byAction', action]
        : actor !== undefined
          ? ['byActor', actor]
          : ['byTime'];
  return { table: auditEvents, index, equals: [organization, ...values], order: 'desc' };
}

/** Selects the events with this `correlation` ID; if there are none, those with this `execution` ID. */
async function selectRequest(
  view: ReadTransaction,
  organization: string,
  request: string,
): Promise<Selection<AuditEventRow, Index>> {
  const equals = [organization, request];
  const [joined] = await view.find(auditEvents, { index: 'byCorrelation', equals, limit: 1 });
  const index = joined === undefined ? 'byExecution' : 'byCorrelation';
  return { table: auditEvents, index, equals, order: 'desc' };
}

/** Counts the events of an index. Returns no count while expired events wait for their removal. */
async function countAll(
  view: ReadTransaction,
  { index, equals }: Selection<AuditEventRow, Index>,
  since: string,
): Promise<{ count?: number }> {
  const [oldest] = await view.find(auditEvents, { index, equals, limit: 1 });
  if (oldest !== undefined && oldest.occurredAt < since) return {};
  return { count: await view.count(auditEvents, index, equals) };
}

/** Returns the position after all events of a time. */
function endOf(time: string | undefined): readonly Key[] | undefined {
  return time === undefined ? undefined : [time, Number.MAX_SAFE_INTEGER, ''];
}

function normalize(time: string | undefined): string | undefined {
  return time === undefined ? undefined : isoTime(Date.parse(time));
}
