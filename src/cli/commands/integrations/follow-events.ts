import { setTimeout } from 'node:timers/promises';
import type { Api } from '../../../contract/api.ts';
import { Problem } from '../../../errors/problem.ts';
import { listEvents } from '../../../resources/integration-events/contract.ts';
import { columnsOf } from '../../table-views.ts';
import type { Session } from '../../session.ts';
import { resolveHeadings, parseColumns } from '../../output/columns.ts';
import type { OutputOf } from '../../../contract/operation.ts';
import { lineText } from '../../output/cell.ts';
import { valueAt } from '../../../contract/paths.ts';

/** Milliseconds between two looks. */
const pause = 1000;

export interface Following {
  readonly integrationName: string;
  /** Stops after so many lines. */
  readonly count?: number | undefined;
  /** Done before each look: work that makes events go on. */
  readonly work?: (api: Api) => Promise<void>;
}

/** Prints what becomes of the events of an integration, oldest first, each as it is recorded and as it is tried, until a signal. */
export async function followEvents(
  session: Session,
  { integrationName, count = Infinity, work }: Following,
): Promise<void> {
  const { signal } = session.runtime;
  const api = await session.api();
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
    knownColumns: columnsOf(listEvents.id),
    noun: 'events',
    all: true,
  });
  const { flags, terminal } = session;
  const isLive =
    session.isInteractive &&
    session.format === 'table' &&
    flags.query === undefined &&
    flags.sortBy === undefined;
  const columns =
    flags.columns === undefined
      ? undefined
      : resolveHeadings(flags.columns.split(','), columnsOf(listEvents.id)).join(',');
  const print = async (items: readonly IntegrationEvent[]): Promise<boolean> => {
    if (!isLive) return printer.page({ items });
    for (const item of items) await terminal.stdout.write(eventLine(item, columns));
    return !terminal.stdout.closed;
  };
  const look = lookerAt(api, integrationName);
  await look();
  let left = count;
  while (left > 0 && !signal.aborted) {
    await work?.(api);
    const items = (await look()).slice(0, left);
    left -= items.length;
    if (items.length > 0 && !(await print(items))) return;
    if (left > 0) await setTimeout(pause, undefined, { signal }).catch(() => {});
  }
  if (isLive) await terminal.stdout.flush();
  else await printer.end();
}

/** Gives at each look the events that are new or went on since the look before; the first is what was there before. */
export function lookerAt(api: Pick<Api, 'call'>, integrationName: string): () => Promise<IntegrationEvent[]> {
  let known = new Map<string, string>();
  /** Where looking ends: nothing older can go on any more. */
  let floor: string | undefined;
  return async () => {
    const found: IntegrationEvent[] = [];
    const current = new Map<string, string>();
    let oldestOpen: string | undefined;
    let newest: string | undefined;
    for (let page: string | undefined; ;) {
      const { items, next } = await api.call(listEvents, {
        params: { integrationName },
        query: { limit: 100, ...(page === undefined ? {} : { page }) },
      });
      newest ??= items[0]?.createdAt;
      for (const event of items) {
        if (floor !== undefined && event.createdAt < floor) break;
        const mark = `${event.delivery.state} ${event.delivery.attempts}`;
        current.set(event.id, mark);
        if (known.get(event.id) !== mark) found.push(event);
        if (event.delivery.state === 'waiting') oldestOpen = event.createdAt;
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

/** A number of lines that somebody asked for. */
export function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Problem('usage', `--count takes a whole number, not "${text}".`);
  return Number(text);
}

export type IntegrationEvent = OutputOf<typeof listEvents>['items'][number];

/** An event on one line that can be shown before the next one comes, which the columns of a table cannot. */
export function eventLine(event: IntegrationEvent, columns: string | undefined): string {
  if (columns !== undefined) return cells(parseColumns([columns]).map(({ path }) => valueAt(event, path)));
  const { id, createdAt, payload, delivery } = event;
  return cells([createdAt.slice(11, 19), payload.type.padEnd(26), id, outcome(delivery)]);
}

export function outcome({
  state,
  attempts,
  status,
  error,
  nextAttemptAt,
}: IntegrationEvent['delivery']): string {
  if (state === 'no-endpoint') return 'nobody takes it';
  if (state === 'delivered') return `delivered (${status}) at try ${attempts}`;
  if (error === undefined) return 'waiting';
  return `${error.replace(/\.$/, '')}: ${state === 'dead' ? `given up at try ${attempts}` : `try ${attempts + 1} at ${nextAttemptAt?.slice(11, 19)}`}`;
}

export function cells(values: readonly unknown[]): string {
  return `${values.map(lineText).join('  ')}\n`;
}
