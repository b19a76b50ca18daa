import type { NavigationEntry } from '../render/render-navigation.ts';
import type { PageLink } from '../render/render-frame.ts';
import { isExternal, safeAddress } from '../render/addresses.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import { documentsOf, firstDocument, type SitePage } from './space-pages.ts';

/** The most entries of a table of contents that is sent whole. Of a larger one, only what is around the page is. */
const maxWhole = 120;

/** Whether the table of contents of a space has parts that are loaded when a reader opens them. */
export function hasBranch(open: OpenSpace): boolean {
  return open.pages.byId.size > maxWhole;
}

/** The path of the entries under a page. */
export function branchPath({ id }: SitePage, base: string): string {
  return `${base}~gitbook/navigation?page=${encodeURIComponent(id)}`;
}

/** Makes the table of contents of a space, as it is on one of its pages, or on none. */
export function createNavigation(
  open: OpenSpace,
  current: SitePage | undefined,
  base: string,
): NavigationEntry[] {
  const isWhole = !hasBranch(open);
  const above = new Set(current === undefined ? [] : [...(open.pages.above.get(current.id) ?? []), current]);
  const entryOf = (page: SitePage): NavigationEntry[] => {
    if (page.isHidden) return [];
    const href = linkOf(open, page);
    if (page.type === 'link' && href === undefined) return [];
    const inner = page.children.filter(({ isHidden }) => !isHidden);
    const isOpen = isWhole || page.type === 'group' || above.has(page) || inner.length === 0;
    return [
      {
        title: page.label,
        href: page.type === 'group' ? undefined : href,
        icon: page.icon,
        emoji: page.emoji,
        isCurrent: page.id === current?.id,
        isExternal: page.type === 'link',
        children: isOpen ? inner.flatMap(entryOf) : undefined,
        more: isOpen ? undefined : branchPath(page, base),
      },
    ];
  };
  return open.pages.roots.flatMap(entryOf);
}

/** Makes the entries under a page, for readers who open it in the table of contents. */
export function createBranch(open: OpenSpace, page: SitePage, base: string): NavigationEntry[] {
  const found = createNavigation(open, page, base);
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

/** The pages above a page that a reader can open, outermost first. */
export function createBreadcrumbs(open: OpenSpace, page: SitePage): PageLink[] {
  return (open.pages.above.get(page.id) ?? []).flatMap((each) => {
    const href = linkOf(open, each);
    return href === undefined ? [] : [{ title: each.label, href, icon: each.icon, emoji: each.emoji }];
  });
}

/** The pages before and after a page in reading order. */
export function neighborsOf(
  open: OpenSpace,
  page: SitePage,
): { readonly previous: PageLink | undefined; readonly next: PageLink | undefined } {
  const documents = documentsOf(open.pages.roots);
  const at = documents.findIndex(({ id }) => id === page.id);
  const linkTo = (each: SitePage | undefined): PageLink | undefined =>
    each === undefined ? undefined : { title: each.label, href: hrefOf(open, each) };
  return at < 0
    ? { previous: undefined, next: undefined }
    : { previous: linkTo(documents[at - 1]), next: linkTo(documents[at + 1]) };
}

/** Where an entry leads: a group to its first page, a link to its address. */
function linkOf(open: OpenSpace, page: SitePage): string | undefined {
  if (page.type === 'document') return hrefOf(open, page);
  if (page.type === 'link') {
    const href = safeAddress(page.entry?.href ?? '');
    return href !== undefined && isExternal(href) ? href : undefined;
  }
  const first = firstDocument(page.children);
  return first === undefined ? undefined : hrefOf(open, first);
}
