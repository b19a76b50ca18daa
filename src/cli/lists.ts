import type { Operation } from '../contract/operation.ts';
import type { Noun } from '../resources/index.ts';
import { fieldPaths } from './output/path.ts';
import { eachPage } from './pages.ts';
import type { Session } from './session.ts';

interface Listing {
  readonly next?: { readonly page: string };
  readonly count?: number;
  readonly items: readonly unknown[];
}

/** Prints a list, one page or all; says on stderr when there is more. */
export async function printList(session: Session, operation: Operation, input: { params: object; query: Record<string, unknown> }, all: boolean, noun: Noun): Promise<void> {
  const api = await session.api();
  const printer = await session.printer({ columns: operation.cli.columns ?? [], noun: noun.words.split(' ').at(-1)!, all, fields: fieldPaths(operation.returns.item ?? {}) });
  const limit = typeof input.query['limit'] === 'number' ? input.query['limit'] : undefined;
  const { page, ...filters } = input.query;
  const query = all ? { ...filters, limit: Math.min(limit ?? 1000, 1000) } : filters;
  const call = async (at: string | undefined) =>
    (await api.call(operation, { ...input, query: at === undefined ? query : { ...query, page: at } } as never, { signal: session.runtime.signal })) as unknown as Listing;
  for await (const listing of eachPage(call, page as string | undefined)) {
    if (!(await printer.page(listing))) return;
    if (listing.next === undefined && listing.items.length === 0) noteFilter(session, operation, query);
    if (listing.next === undefined || all) continue;
    await printer.end();
    if (session.flags.sortBy !== undefined) session.note('Only what is shown is sorted; --all sorts the whole list.');
    return session.note(`${listing.items.length} of ${listing.count ?? 'more'} shown; --all for the rest, or --page ${listing.next.page}`);
  }
  await printer.end();
}

/** A list that its own defaults left empty says so: `change-requests list` shows the open ones only. */
function noteFilter(session: Session, operation: Operation, query: Readonly<Record<string, unknown>>): void {
  const schema: unknown = operation.query.properties['status'];
  const standard = (schema as { default?: unknown } | undefined)?.default;
  if (typeof standard === 'string' && standard !== 'all' && query['status'] === undefined) session.note(`None of status ${standard}; --status shows others.`);
}
