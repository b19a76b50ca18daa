import { requireFreshSearch } from '../../content/search-catch-up.ts';
import type { Handler } from '../../core/handler.ts';
import { pageOfArray } from '../../core/listing.ts';
import { findPages, shapeFoundPages } from '../search/find-pages.ts';
import { TermFinder } from '../search/snippet.ts';
import type * as contract from './contract.ts';

/** Searches the current content of one space. */
export const searchSpace: Handler<typeof contract.searchSpace> = async (context, { query }) => {
  const { tx, space } = context;
  await requireFreshSearch(tx, [space]);
  const { items, ...page } = pageOfArray(await findPages(tx, [space.id], query.query), query);
  return { ...page, items: await shapeFoundPages(context, space, items, new TermFinder(query.query)) };
};
