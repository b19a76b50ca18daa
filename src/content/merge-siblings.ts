import { generateNKeysBetween } from 'fractional-indexing';
import { isSamePlace } from './merge-sides.ts';
import { freeSlug } from './slugs.ts';
import { comparePages } from './tree.ts';
import type { PageEntry } from './rows.ts';

interface Theirs {
  /** A page as the space has it. */
  readonly theirs: (id: string) => PageEntry | undefined;
  /** Whether the space put it there since the base. */
  readonly hasPlaced: (id: string) => boolean;
}

/** The pages that need another slug or position beside those that the space has under the same parent. */
export function resolveSiblingConflicts(pages: readonly PageEntry[], given: Theirs): PageEntry[] {
  const byParent = new Map<string | null, PageEntry[]>();
  for (const page of pages) {
    const siblings = byParent.get(page.parent);
    if (siblings === undefined) byParent.set(page.parent, [page]);
    else siblings.push(page);
  }
  const settled: PageEntry[] = [];
  for (const siblings of byParent.values()) {
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
 * A slug that both sides gave in the same place stays with the page of the space, whose address is public already; the
 * page of the change request gets the next free one, so that neither page is lost and nobody has to decide.
 */
function assignFreeSlugs(siblings: readonly PageEntry[], { theirs }: Theirs): PageEntry[] {
  const isTheirs = (page: PageEntry): boolean => {
    const before = theirs(page.id);
    return before !== undefined && before.slug === page.slug && before.parent === page.parent;
  };
  const taken = new Set(
    siblings.filter((page) => page.type !== 'link' && isTheirs(page)).map(({ slug }) => slug),
  );
  return siblings.map((page) => {
    if (page.type === 'link' || isTheirs(page)) return page;
    const slug = freeSlug(page.slug, taken);
    taken.add(slug);
    return slug === page.slug ? page : { ...page, slug };
  });
}

/**
 * Positions that both sides gave are made different: between two siblings that both sides know, first those that the space
 * put there, then those of the change request. Nothing could be put between two pages of the same position.
 */
function assignPositions(siblings: readonly PageEntry[], { theirs, hasPlaced }: Theirs): PageEntry[] {
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
      const mine = gap.filter((page) => !isTheirs(page));
      const [low, high] = [result.at(-1)?.position ?? null, next?.position ?? null];
      const keys = generateNKeysBetween(low, low === high ? null : high, mine.length);
      result.push(...mine.map((page, index) => ({ ...page, position: keys[index]! })));
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
