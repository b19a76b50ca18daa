import type { SiteRow } from './rows/sites.ts';
import { spaces, type SpaceRow } from './rows/spaces.ts';
import { type Subject, visibleTo } from './permissions.ts';
import type { ReadTransaction } from './store.ts';

/** Returns a view that passes each space through `change`. If `change` returns undefined, the view does not contain the space. */
export function limitedView(
  view: ReadTransaction,
  change: (row: SpaceRow) => SpaceRow | undefined | Promise<SpaceRow | undefined>,
): ReadTransaction {
  return {
    get: async (table, id) => {
      const row = await view.get(table, id);
      if (row === undefined || table.name !== spaces.name) return row;
      return (await change(row as unknown as SpaceRow)) as typeof row | undefined;
    },
    find: (table, query) => view.find(table, query),
    count: (table, index, equals) => view.count(table, index, equals),
    scan: (table, after, limit) => view.scan(table, after, limit),
    search: (table, search) => view.search(table, search),
  };
}

/** Returns a view without the spaces that a person cannot open. */
export function visibleView(view: ReadTransaction, subject: Subject): ReadTransaction {
  const isVisible = visibleTo(view, subject);
  if (isVisible === undefined) return view;
  return limitedView(view, async (row) => ((await isVisible(row)) ? row : undefined));
}

/**
 * Returns a view of what a person can read of a site: the spaces that they can open, or all spaces if everyone can read the site.
 * With adaptive content, only visitors with certain claims may be able to read a space.
 */
export function readableView(view: ReadTransaction, site: SiteRow, subject: Subject): ReadTransaction {
  const { published, visibility, adaptiveContent } = site;
  const isOpen = published && !adaptiveContent && (visibility === 'public' || visibility === 'unlisted');
  return isOpen ? view : visibleView(view, subject);
}
