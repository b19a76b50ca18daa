import { extendContext, Deferred, type DeferringHandler } from '../../core/handler.ts';
import { pageOfArray } from '../../core/listing.ts';
import { can, contentRole } from '../../core/permissions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { eachRow } from '../../core/store.ts';
import { requireFreshSearch } from '../../content/search-catch-up.ts';
import type * as contract from './contract.ts';
import { hasContentSources } from '../integration-events/content-sources.ts';
import { openComputedSearch, type ComputedSearch } from './find-computed.ts';
import { announceSearch, findTitledFirst, shapeFoundPages } from './find-pages.ts';
import { groupBy } from '../../contract/values.ts';
import { TermFinder } from './snippet.ts';

/** Maximum number of pages of one space in a response; `spaces search` lists the others. */
const maxPagesOfSpace = 10;

export const searchOrganization: DeferringHandler<typeof contract.searchOrganization> = async (
  context,
  { query },
) => {
  const { tx, organization } = context;
  const readable = new Map<string, SpaceRow>();
  for await (const space of eachRow(tx, spaces, 'byOrganization', [organization.id, 'live'])) {
    if (can(await contentRole(tx, context, space), 'read')) readable.set(space.id, space);
  }
  await requireFreshSearch(tx, readable.values());
  await announceSearch(context, readable.keys(), query.query);
  const pagesBySpace = groupBy(
    await findTitledFirst(tx, [...readable.keys()], query.query),
    (page) => page.space,
  );
  const found = [...pagesBySpace].flatMap(([id, pages]) => {
    const space = readable.get(id);
    return space === undefined ? [] : [{ id, space, pages: pages.slice(0, maxPagesOfSpace) }];
  });
  const finder = new TermFinder(query.query);
  const shape = async ({ id, space, pages }: (typeof found)[number]) => ({
    id,
    title: space.title,
    pages: await shapeFoundPages(context, space, pages, finder),
  });
  const computed = new Map<string, ComputedSearch>();
  for (const space of (await hasContentSources(tx, organization.id)) ? readable.values() : []) {
    const search = await openComputedSearch(extendContext(context, { space }));
    if (search !== undefined) computed.set(space.id, search);
  }
  if (computed.size === 0) {
    const { items, ...page } = pageOfArray(found, query);
    const shaped = { ...page, items: await mapInOrder(items, shape) };
    return new Deferred(async () => shaped);
  }
  const stored = await mapInOrder(found, shape);
  return new Deferred(async (services) => {
    const bySpace = new Map(stored.map((one) => [one.id, one]));
    for (const [id, search] of computed) {
      const { title = readable.get(id)?.title ?? '', pages = [] } = bySpace.get(id) ?? {};
      const all = [...pages, ...(await search(services, query.query))].slice(0, maxPagesOfSpace);
      if (all.length > 0) bySpace.set(id, { id, title, pages: all });
    }
    return pageOfArray([...bySpace.values()], query);
  });
};

async function mapInOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
