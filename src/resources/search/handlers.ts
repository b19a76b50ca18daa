import type { Handler } from '../../core/handler.ts';
import { pageOfArray } from '../../core/listing.ts';
import { can, contentRole } from '../../core/permissions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { eachRow } from '../../core/store.ts';
import { requireFreshSearch } from '../../content/search-catch-up.ts';
import type * as contract from './contract.ts';
import { findPages, shapeFoundPages, type FoundPage } from './find-pages.ts';
import { TermFinder } from './snippet.ts';

/** Pages that a space shows at most; the space's own search has the rest. */
const maxPagesOfSpace = 10;

export const searchOrganization: Handler<typeof contract.searchOrganization> = async (context, { query }) => {
  const { tx, organization, memberRole, maxRole } = context;
  const readable = new Map<string, SpaceRow>();
  for await (const space of eachRow(tx, spaces, 'byOrganization', [organization.id, 'live'])) {
    if (can(await contentRole(tx, memberRole, maxRole, space), 'read')) readable.set(space.id, space);
  }
  requireFreshSearch(readable.values());
  const found = new Map<string, { readonly id: string; readonly pages: FoundPage[] }>();
  for (const page of await findPages(tx, [...readable.keys()], query.query)) {
    const space = found.get(page.space);
    if (space === undefined) found.set(page.space, { id: page.space, pages: [page] });
    else if (space.pages.length < maxPagesOfSpace) space.pages.push(page);
  }
  const finder = new TermFinder(query.query);
  const { items, ...page } = pageOfArray([...found.values()], query);
  const shaped = [];
  for (const { id, pages } of items) {
    const space = readable.get(id)!;
    shaped.push({ id, title: space.title, pages: await shapeFoundPages(context, space, pages, finder) });
  }
  return { ...page, items: shaped };
};
