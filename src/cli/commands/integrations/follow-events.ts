import { setTimeout } from 'node:timers/promises';
import type { Api } from '../../../contract/api.ts';
import type { ItemOf } from '../../../contract/operation.ts';
import { valueAt } from '../../../contract/paths.ts';
import { defined } from '../../../contract/values.ts';
import { listEvents } from '../../../resources/integration-events/contract.ts';
import { lineText } from '../../output/cell.ts';
import { parseColumns, resolveHeadings } from '../../output/columns.ts';
import { wantsTable, type Session } from '../../session/session.ts';
import { columnsOf } from '../../results/table-views.ts';
import { readWholeNumber } from '../../input/whole-number.ts';

export type IntegrationEvent = ItemOf<typeof listEvents>;

/** Milliseconds between two polls. */
const pause = 1000;

interface FollowOptions {
  readonly integrationName: string;
  /** Stop after this many lines. */
  readonly count?: number | undefined;
  /** Print this many past events first. */
  readonly last?: number | undefined;
  /** Runs before each poll, to deliver events. */
  readonly work?: (api: Api) => Promise<void>;
}

/** Prints the events of an integration, oldest first, as they are recorded or tried, until a signal. */
export async function followEvents(
  session: Session,
  { integrationName, count = Infinity, last = 0, work }: FollowOptions,
): Promise<void> {
  const { flags, terminal, isInteractive, runtime } = session;
  const { signal } = runtime;
  const api = await session.api();
  const knownColumns = columnsOf(listEvents.id);
  const printer = await session.printer({
    columns: [
      'createdAt',
      'payload.type',
      'delivery.state',
      'delivery.attempts',
      'delivery.status',
      'installationId',
      'id',
      'delivery.error',
    ],
    knownColumns,
    noun: 'events',
    all: true,
  });
  const isLive = isInteractive && wantsTable(session) && flags.sortBy === undefined;
  const columns =
    flags.columns === undefined
      ? undefined
      : resolveHeadings(flags.columns.split(','), knownColumns).join(',');
  const print = async (items: readonly IntegrationEvent[]): Promise<boolean> => {
    if (!isLive) return printer.page({ items });
    for (const item of items) await terminal.stdout.write(eventLine(item, columns));
    return !terminal.stdout.closed;
  };
  const poll = createPoller(api, integrationName);
  const past = await poll();
  let next = last === 0 ? [] : past.slice(-last);
  let left = count;
  if (work === undefined && left > next.length && terminal.stderrIsTTY)
    session.note('Waiting for events. Press Ctrl-C to stop.');
  while (left > 0 && !signal.aborted) {
    await work?.(api);
    const items = [...next, ...(await poll())].slice(0, left);
    next = [];
    left -= items.length;
    if (items.length > 0 && !(await print(items))) return;
    if (left > 0) await setTimeout(pause, undefined, { signal }).catch(() => {});
  }
  if (isLive) await terminal.stdout.flush();
  else await printer.end();
}

/**
 * Returns a function that returns the events that were added or tried since its last call; in the first call, all existing ones.
 */
export function createPoller(
  api: Pick<Api, 'call'>,
  integrationName: string,
): () => Promise<IntegrationEvent[]> {
  let known = new Map<string, string>();
  /** The time of the oldest event that can still change. */
  let floor: string | undefined;
  return async () => {
    const found: IntegrationEvent[] = [];
    const current = new Map<string, string>();
    let oldestOpen: string | undefined;
    let newest: string | undefined;
    for (let page: string | undefined; ;) {
      const { items, next } = await api.call(listEvents, {
        params: { integrationName },
        query: { limit: 100, ...defined({ page }) },
      });
      newest ??= items[0]?.createdAt;
      for (const event of items) {
        if (floor !== undefined && event.createdAt < floor) break;
        const { state, attempts } = event.delivery;
        current.set(event.id, `${state} ${attempts}`);
        if (known.get(event.id) !== `${state} ${attempts}`) found.push(event);
        if (state === 'waiting') oldestOpen = event.createdAt;
      }
      const last = items.at(-1);
      page = next?.page;
      if (page === undefined || last === undefined || floor === undefined || last.createdAt < floor) {
        floor = oldestOpen ?? newest ?? floor ?? '';
        break;
      }
    }
    known = current;
    return found.toReversed();
  };
}

/** Parses --count, or another option with a number of events. @throws Problem(invalid-input) unless it is at least 1 */
export function readCount(text: string | undefined, flag = '--count'): number | undefined {
  return text === undefined ? undefined : readWholeNumber(flag, text, { min: 1 });
}

/** Formats an event on one line. Unlike a table, it can be shown before the next event arrives. */
export function eventLine(event: IntegrationEvent, columns: string | undefined): string {
  const { id, createdAt, payload, delivery } = event;
  const values =
    columns === undefined
      ? [createdAt.slice(11, 19), payload.type.padEnd(26), id, describeDelivery(delivery)]
      : parseColumns([columns]).map(({ path }) => valueAt(event, path));
  return `${values.map(lineText).join('  ')}\n`;
}

function describeDelivery(delivery: IntegrationEvent['delivery']): string {
  const { state, attempts, status, error, nextAttemptAt } = delivery;
  if (state === 'no-endpoint') return 'no endpoint';
  if (state === 'ignored') return 'received, but it has no handler for it';
  if (state === 'delivered') return `delivered (${status}) at attempt ${attempts}`;
  if (error === undefined) return 'waiting';
  const outcome =
    state === 'dead'
      ? `given up after attempt ${attempts}`
      : `attempt ${attempts + 1} at ${nextAttemptAt?.slice(11, 19)}`;
  return `${error.replace(/\.$/, '')}: ${outcome}`;
}
