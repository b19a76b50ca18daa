import type { Handler } from '../../core/handler.ts';
import { pageOfArray } from '../../core/listing.ts';
import { can, contentRole } from '../../core/permissions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { eachRow } from '../../core/store.ts';
import { requireFreshSearch } from '../../content/search-catch-up.ts';
import type * as contract from './contract.ts';
import { findPages, shapeFoundPages } from './find-pages.ts';
import { groupBy } from '../../contract/values.ts';
import { TermFinder } from './snippet.ts';

/** The most pages of one space in an answer; `spaces search` lists the rest. */
const maxPagesOfSpace = 10;

export const searchOrganization: Handler<typeof contract.searchOrganization> = async (context, { query }) => {
  const { tx, organization } = context;
  const readable = new Map<string, SpaceRow>();
  for await (const space of eachRow(tx, spaces, 'byOrganization', [organization.id, 'live'])) {
    if (can(await contentRole(tx, context, space), 'read')) readable.set(space.id, space);
  }
  await requireFreshSearch(tx, readable.values());
  const pagesBySpace = groupBy(await findPages(tx, [...readable.keys()], query.query), (page) => page.space);
  const found = [...pagesBySpace].flatMap(([id, pages]) => {
    const space = readable.get(id);
    return space === undefined ? [] : [{ id, space, pages: pages.slice(0, maxPagesOfSpace) }];
  });
  const finder = new TermFinder(query.query);
  const { items, ...page } = pageOfArray(found, query);
  const shaped = [];
  for (const { id, space, pages } of items)
    shaped.push({ id, title: space.title, pages: await shapeFoundPages(context, space, pages, finder) });
  return { ...page, items: shaped };
};
