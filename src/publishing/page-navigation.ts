import { getOrInsert } from '../contract/values.ts';
import type { NavigationEntry } from '../render/render-navigation.ts';
import type { PageLink } from '../render/render-frame.ts';
import type { Target } from '../render/render-context.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import { documentsOf, firstDocument, tagOf, type SitePage } from './space-pages.ts';

/** Maximum entries of a table of contents that is sent as a whole. For a larger one, only the part around the page is sent. */
const maxWhole = 120;

/** Maximum entries of a large table of contents that is sent with all groups open. */
const maxShown = 300;
/** The number of entries of tables of contents with all groups open and all pages closed. */
const shownCounts = new WeakMap<readonly SitePage[], number>();

function countShown({ pages: { roots } }: OpenSpace): number {
  const count = (pages: readonly SitePage[]): number =>
    pages.reduce((sum, { type, children }) => sum + 1 + (type === 'group' ? count(children) : 0), 0);
  return getOrInsert(shownCounts, roots, () => count(roots));
}

/** Whether parts of the table of contents of a space are loaded when a reader opens them. */
export function hasBranch(open: OpenSpace): boolean {
  return open.pages.byId.size > maxWhole;
}

/** Returns the path of the entries below a page. */
export function branchPath({ id }: SitePage, base: string): string {
  return `${base}~gitbook/navigation?page=${encodeURIComponent(id)}`;
}

/** The data for a table of contents. */
export interface NavigationContext {
  /** The path of the site. */
  readonly base: string;
  /** The targets of the links of the space, by their IDs. Other links are not shown. */
  readonly links: ReadonlyMap<string, Target>;
}

/** Creates the table of contents of a space, for one of its pages or for none. */
export function createNavigation(
  open: OpenSpace,
  current: SitePage | undefined,
  { base, links }: NavigationContext,
): NavigationEntry[] {
  const isWhole = !hasBranch(open);
  const hasOpenGroups = isWhole || countShown(open) <= maxShown;
  const above = new Set(current === undefined ? [] : [...(open.pages.above.get(current.id) ?? []), current]);
  const entryOf = (page: SitePage): NavigationEntry[] => {
    if (page.isHidden) return [];
    const href = page.type === 'link' ? links.get(page.id)?.href : pathOf(open, page);
    if (page.type === 'link' && href === undefined) return [];
    const isGroup = page.type === 'group';
    const isOpen =
      isWhole ||
      (isGroup && hasOpenGroups) ||
      above.has(page) ||
      page.children.every(({ isHidden }) => isHidden);
    return [
      {
        title: page.label,
        // A closed group opens its first page.
        href: isGroup && isOpen ? undefined : href,
        icon: page.icon,
        emoji: page.emoji,
        tag: page.tag === undefined ? undefined : tagOf(open.pages, page.tag),
        isCurrent: page.id === current?.id,
        isExternal: links.get(page.id)?.kind === 'external',
        children: isOpen ? page.children.flatMap(entryOf) : undefined,
        more: isOpen ? undefined : branchPath(page, base),
      },
    ];
  };
  return open.pages.roots.flatMap(entryOf);
}

/** Creates the entries below a page, for readers who open it in the table of contents. */
export function createBranch(open: OpenSpace, page: SitePage, context: NavigationContext): NavigationEntry[] {
  const found = createNavigation(open, page, context);
  const find = (entries: readonly NavigationEntry[]): readonly NavigationEntry[] | undefined => {
    for (const entry of entries) {
      if (entry.isCurrent) return entry.children;
      const inner = entry.children === undefined ? undefined : find(entry.children);
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
  return [...(find(found) ?? [])];
}

/** Returns the pages above a page that a reader can open, outermost first. */
export function createBreadcrumbs(open: OpenSpace, page: SitePage): PageLink[] {
  return (open.pages.above.get(page.id) ?? []).flatMap((each) => {
    const href = pathOf(open, each);
    return href === undefined ? [] : [{ title: each.label, href, icon: each.icon, emoji: each.emoji }];
  });
}

interface ReadingOrder {
  readonly documents: readonly SitePage[];
  readonly places: ReadonlyMap<string, number>;
}

/** The pages of spaces in reading order, cached as long as the pages are in memory. */
const readingOrders = new WeakMap<readonly SitePage[], ReadingOrder>();

function readingOrderOf({ pages: { roots } }: OpenSpace): ReadingOrder {
  return getOrInsert(readingOrders, roots, () => {
    const documents = documentsOf(roots);
    return { documents, places: new Map(documents.map(({ id }, at) => [id, at])) };
  });
}

/** Returns the pages before and after a page in reading order. */
export function neighborsOf(
  open: OpenSpace,
  page: SitePage,
): { readonly previous: PageLink | undefined; readonly next: PageLink | undefined } {
  const { documents, places } = readingOrderOf(open);
  const at = places.get(page.id) ?? -1;
  const linkTo = (each: SitePage | undefined): PageLink | undefined =>
    each === undefined ? undefined : { title: each.label, href: hrefOf(open, each) };
  return at < 0
    ? { previous: undefined, next: undefined }
    : { previous: linkTo(documents[at - 1]), next: linkTo(documents[at + 1]) };
}

/** Returns the path of a page, or of the first page of a group. */
function pathOf(open: OpenSpace, page: SitePage): string | undefined {
  const first = page.type === 'document' ? page : firstDocument(page.children);
  return first === undefined ? undefined : hrefOf(open, first);
}
