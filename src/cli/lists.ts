import { Problem } from '../errors/problem.ts';
import type { Operation } from '../contract/operation.ts';
import type { Noun } from '../resources/index.ts';
import { fieldPaths } from './output/path.ts';
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
  let query: Record<string, unknown> = all ? { ...input.query, limit: Math.min(limit ?? 1000, 1000) } : input.query;
  for (;;) {
    const listing = (await api.call(operation, { ...input, query } as never, { signal: session.runtime.signal })) as unknown as Listing;
    if (!(await printer.page(listing))) return;
    if (listing.next === undefined) {
      if (listing.items.length === 0) noteFilter(session, operation, query);
      break;
    }
    if (!all) {
      await printer.end();
      if (session.flags.sortBy !== undefined) session.note('Only what is shown is sorted; --all sorts the whole list.');
      return session.note(`${listing.items.length} of ${listing.count ?? 'more'} shown; --all for the rest, or --page ${listing.next.page}`);
    }
    if (listing.next.page === query['page'])
      throw new Problem('unreachable', 'The server gives the same page again and again.', { hint: 'What was printed is not the whole list.' });
    query = { ...query, page: listing.next.page };
  }
  await printer.end();
}

/** A list that its own defaults left empty says so: `change-requests list` shows the open ones only. */
function noteFilter(session: Session, operation: Operation, query: Readonly<Record<string, unknown>>): void {
  const schema: unknown = operation.query.properties['status'];
  const standard = (schema as { default?: unknown } | undefined)?.default;
  if (typeof standard === 'string' && standard !== 'all' && query['status'] === undefined) session.note(`None of status ${standard}; --status shows others.`);
}
