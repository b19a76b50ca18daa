import { generateNKeysBetween } from 'fractional-indexing';
import { groupBy } from '../contract/values.ts';
import { isSamePlace } from './merge-sides.ts';
import { freeSlug, slugKey } from './slugs.ts';
import { comparePages } from './tree.ts';
import type { PageEntry } from './rows.ts';

interface SpacePages {
  readonly theirs: (id: string) => PageEntry | undefined;
  /** Whether the space has added or moved the page since the base. */
  readonly hasPlaced: (id: string) => boolean;
}

/** Returns the pages that need another slug or position because of their siblings in the space, with the new value. */
export function resolveSiblingConflicts(pages: readonly PageEntry[], given: SpacePages): PageEntry[] {
  const settled: PageEntry[] = [];
  for (const siblings of groupBy(pages, ({ parent }) => parent).values()) {
    if (siblings.every((page) => page === given.theirs(page.id))) continue;
    const before = new Set(siblings);
    settled.push(
      ...assignFreeSlugs(assignPositions(siblings.sort(comparePages), given), given).filter(
        (page) => !before.has(page),
      ),
    );
  }
  return settled;
}

/**
 * Resolves equal slugs automatically: the page of the space keeps its slug, because its address is already public, and the page
 * of the change request gets the next free one.
 */
function assignFreeSlugs(siblings: readonly PageEntry[], { theirs }: SpacePages): PageEntry[] {
  const isTheirs = (page: PageEntry): boolean => {
    const before = theirs(page.id);
    return before !== undefined && before.slug === page.slug && before.parent === page.parent;
  };
  const taken = new Set(
    siblings.filter((page) => page.type !== 'link' && isTheirs(page)).map(({ slug }) => slugKey(slug)),
  );
  return siblings.map((page) => {
    if (page.type === 'link' || isTheirs(page)) return page;
    const slug = freeSlug(page.slug, taken);
    taken.add(slugKey(slug));
    return slug === page.slug ? page : { ...page, slug };
  });
}

/**
 * Makes equal positions different, because no page could be inserted between two pages with the same position. Between two
 * siblings that both sides have, the pages that the space added come first, followed by those of the change request.
 */
function assignPositions(siblings: readonly PageEntry[], { theirs, hasPlaced }: SpacePages): PageEntry[] {
  const isTheirs = (page: PageEntry): boolean => {
    const before = theirs(page.id);
    return before !== undefined && isSamePlace(before, page);
  };
  const result: PageEntry[] = [];
  let gap: PageEntry[] = [];
  const close = (next: PageEntry | undefined): void => {
    if (
      new Set(gap.map(({ position }) => position)).size === gap.length &&
      gap.every(({ position }) => position !== result.at(-1)?.position && position !== next?.position)
    ) {
      result.push(...gap);
    } else {
      result.push(...gap.filter(isTheirs));
      const ownPages = gap.filter((page) => !isTheirs(page));
      const [low, high] = [result.at(-1)?.position ?? null, next?.position ?? null];
      const keys = generateNKeysBetween(low, low === high ? null : high, ownPages.length);
      result.push(...ownPages.map((page, index) => ({ ...page, position: keys[index]! })));
    }
    gap = [];
  };
  for (const page of siblings) {
    if (!isTheirs(page) || hasPlaced(page.id)) {
      gap.push(page);
      continue;
    }
    close(page);
    result.push(page);
  }
  close(undefined);
  return result;
}
