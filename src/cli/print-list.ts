import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import type { Noun } from '../resources/index.ts';
import { fieldPaths } from '../contract/paths.ts';
import { eachPage } from '../contract/each-page.ts';
import { columnsOf, tableViewOf } from './table-views.ts';
import type { Session } from './session.ts';

interface Listing {
  readonly next?: { readonly page: string };
  readonly count?: number;
  readonly items: readonly unknown[];
}

/** Prints a list, one page or all; says on stderr when there is more. */
export async function printList(
  session: Session,
  operation: Operation,
  input: { params: object; query: Record<string, unknown> },
  whole: boolean,
  noun: Noun,
): Promise<void> {
  const statuses = severalStatuses(operation, input.query);
  const all = whole || statuses !== undefined;
  const api = await session.api();
  const view = tableViewOf(operation.id, session.format, session.flags.query);
  const fields = [...fieldPaths(operation.returns.item ?? {}), ...(view?.fields ?? [])];
  const printer = await session.printer({
    columns:
      (session.isInteractive ? view?.interactiveColumns : undefined) ??
      view?.columns ??
      operation.cli.columns ??
      [],
    knownColumns: columnsOf(operation.id),
    noun: noun.words.split(' ').at(-1)!,
    all,
    fields,
  });
  const { columns: chosen, sortBy } = session.flags;
  const isOpened = session.isInteractive || chosen !== undefined || sortBy !== undefined;
  const opened = isOpened
    ? await view?.open?.(session, (input.params as { organizationId?: string }).organizationId ?? '')
    : undefined;
  const limit = typeof input.query['limit'] === 'number' ? input.query['limit'] : undefined;
  const { page, ...filters } = input.query;
  const query = all ? { ...filters, limit: Math.min(limit ?? 1000, 1000) } : filters;
  const call = async (at: string | undefined, more: object = {}) =>
    (await api.call(
      operation,
      { ...input, query: { ...query, ...(at === undefined ? {} : { page: at }), ...more } },
      {
        signal: session.runtime.signal,
      },
    )) as unknown as Listing;
  const listings =
    statuses === undefined
      ? eachPage(call, page as string | undefined)
      : eachOfStatuses(statuses, (more) => call(undefined, more));
  for await (const listing of listings) {
    if (limit === 0 && !all && session.format === 'table')
      return session.note(`None shown of ${listing.count ?? 'those there are'}; --limit 0 only counts.`);
    const rows =
      opened !== undefined
        ? opened(listing.items)
        : view === undefined
          ? listing.items
          : listing.items.flatMap((item) =>
              view.rows(item, { query, isInteractive: session.isInteractive, now: session.runtime.clock() }),
            );
    if (!(await printer.page({ ...listing, items: rows }))) return;
    if (listing.next === undefined && listing.items.length === 0) {
      const count = async (status: string) => (await call(undefined, { status, limit: 0 })).count ?? 0;
      await noteFilter(session, operation, query, count);
    }
    if (listing.next === undefined || all) continue;
    await printer.end();
    if (session.flags.sortBy !== undefined)
      session.note('Only what is shown is sorted; --all sorts the whole list.');
    return session.note(
      `${listing.items.length} of ${listing.count ?? 'more'} shown; --all for the rest.\nnext: add --page ${listing.next.page}`,
    );
  }
  await printer.end();
  const left = view?.listNote?.({ query });
  if (left !== undefined) session.note(left);
}

/** The states asked for where the API takes one at a time: `all` of them, or a few with commas between. */
function severalStatuses(
  operation: Operation,
  { status, page, limit }: Readonly<Record<string, unknown>>,
): readonly string[] | undefined {
  const { enum: known = [] } = (operation.query.properties['status'] ?? {}) as { enum?: readonly string[] };
  if (typeof status !== 'string' || known.length === 0 || known.includes(status)) return undefined;
  const statuses = status === 'all' ? known : status.split(',').map((word) => word.trim());
  if (statuses.length < 2) return undefined;
  if (page !== undefined || limit !== undefined)
    throw new Problem('usage', 'Several statuses are shown whole, without --limit and --page.', {
      hint: 'Give one status, or leave them out.',
    });
  return statuses;
}

/** All pages of one status after the other. */
async function* eachOfStatuses(
  statuses: readonly string[],
  call: (more: object) => Promise<Listing>,
): AsyncGenerator<Listing> {
  for (const status of statuses)
    yield* eachPage((page) => call({ status, ...(page === undefined ? {} : { page }) }));
}

/** A list that its own defaults left empty says so: `change-requests list` shows the open ones only, and new ones are drafts. */
async function noteFilter(
  session: Session,
  operation: Operation,
  query: Readonly<Record<string, unknown>>,
  countOf: (status: string) => Promise<number>,
): Promise<void> {
  const schema: unknown = operation.query.properties['status'];
  const standard = (schema as { default?: unknown } | undefined)?.default;
  if (standard === undefined || standard === 'all' || query['status'] !== undefined) return;
  const { enum: own, items } = schema as { enum?: readonly string[]; items?: { enum?: readonly string[] } };
  const others = (own ?? items?.enum ?? []).filter((status) => !String(standard).split(',').includes(status));
  const drafts = own?.includes('draft') === true ? await countOf('draft') : 0;
  if (drafts > 0)
    return session.note(
      `None of status ${String(standard)}, ${drafts} of status draft: --status draft shows ${drafts === 1 ? 'it' : 'them'}, --status all every one.`,
    );
  const shown = own === undefined ? others.join(',') : `all (or ${others.join(', ')})`;
  session.note(`None of status ${String(standard)}; --status ${shown} shows others.`);
}
