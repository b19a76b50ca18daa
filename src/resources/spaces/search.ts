import { requireFreshSearch } from '../../content/search-catch-up.ts';
import type { Static } from '../../contract/schema.ts';
import { Deferred, type DeferringHandler } from '../../core/handler.ts';
import { pageOfArray } from '../../core/listing.ts';
import type { SearchedPage } from '../search/contract.ts';
import { openComputedSearch } from '../search/find-computed.ts';
import { announceSearch, findTitledFirst, shapeFoundPages } from '../search/find-pages.ts';
import { TermFinder } from '../search/snippet.ts';
import type * as contract from './contract.ts';

/** Searches the current content of one space, and then the pages that integrations compute. */
export const searchSpace: DeferringHandler<typeof contract.searchSpace> = async (context, { query }) => {
  const { tx, space } = context;
  await requireFreshSearch(tx, [space]);
  await announceSearch(context, [space.id], query.query);
  const stored = await findTitledFirst(tx, [space.id], query.query);
  const finder = new TermFinder(query.query);
  const searchComputed = await openComputedSearch(context);
  if (searchComputed === undefined) {
    const { items, ...page } = pageOfArray(stored, query);
    const shaped = { ...page, items: await shapeFoundPages(context, space, items, finder) };
    return new Deferred(async () => shaped);
  }
  const shaped = await shapeFoundPages(context, space, stored, finder);
  return new Deferred(async (services) => {
    const all: Static<typeof SearchedPage>[] = [...shaped, ...(await searchComputed(services, query.query))];
    return pageOfArray(all, query);
  });
};
