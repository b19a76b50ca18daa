import type { PageBody } from '../resources/content/schemas.ts';
import { SlugSet } from './slug-set.ts';
import type { FolderPage } from './page-reader.ts';

/**
 * Finds the page of the space for each page of a folder. A document is the one from the same file, else one whose text
 * is the same (it was renamed), else one made by hand at the same path; a group is the one of the same title,
 * best that which holds its pages, else the one at the same path; a link the one with the same address and title.
 */
export function matchPages(
  known: readonly PageBody[],
  pages: readonly FolderPage[],
): Map<FolderPage, string> {
  const matches = new Map<FolderPage, string>();
  const parents = new Map(
    [...eachPage(known)].flatMap((page) => (page.pages ?? []).map((child) => [child.id, page.id] as const)),
  );
  /** The page of the space under which the pages of a group lie now. */
  const holderOf = (page: FolderPage) =>
    parents.get(matches.get(page.children.find((child) => matches.has(child)) ?? page) ?? '');
  const keys: readonly [
    inSpace: (page: PageBody) => string | undefined,
    inFolder: (page: FolderPage, path: string) => string | undefined,
  ][] = [
    [
      (page) => (page.type === 'document' ? page.git?.path : undefined),
      (page) => (page.type === 'document' ? page.path : undefined),
    ],
    [
      (page) => (page.type === 'document' ? page.git?.oid : undefined),
      (page) => (page.type === 'document' ? page.oid : undefined),
    ],
    [
      (page) => (page.type === 'group' ? `${page.id} ${page.title}` : undefined),
      (page) => (page.type === 'group' ? `${holderOf(page) ?? ''} ${page.title}` : undefined),
    ],
    [
      (page) => (page.type === 'group' && page.git !== undefined ? page.title : undefined),
      (page) => (page.type === 'group' ? page.title : undefined),
    ],
    [
      (page) =>
        page.type === 'group' || (page.type === 'document' && page.git === undefined)
          ? `${page.type} ${page.path ?? ''}`
          : undefined,
      (page, path) => (page.type === 'link' ? undefined : `${page.type} ${path}`),
    ],
    [
      (page) => (page.type === 'link' ? `${page.href ?? ''} ${page.title}` : undefined),
      (page) => (page.type === 'link' ? `${page.href ?? ''} ${page.title}` : undefined),
    ],
  ];
  const taken = new Set<string>();
  const wanted = [...eachWithPath(pages)];
  const all = [...eachPage(known)].toReversed();
  for (const [inSpace, inFolder] of keys) {
    const waiting = new Map<string, string[]>();
    for (const page of all) {
      const key = taken.has(page.id) ? undefined : inSpace(page);
      if (key === undefined || key === '') continue;
      const same = waiting.get(key);
      if (same === undefined) waiting.set(key, [page.id]);
      else same.push(page.id);
    }
    for (const { page, path } of wanted) {
      const id = matches.has(page) ? undefined : waiting.get(inFolder(page, path) ?? '')?.pop();
      if (id === undefined) continue;
      matches.set(page, id);
      taken.add(id);
    }
  }
  return matches;
}

function* eachPage(pages: readonly PageBody[]): Generator<PageBody> {
  for (const page of pages) {
    yield page;
    if (page.pages !== undefined && page.pages.length > 0) yield* eachPage(page.pages);
  }
}

/** Every page with the slugs from the root that it would have in an empty space. */
function* eachWithPath(
  pages: readonly FolderPage[],
  prefix = '',
): Generator<{ readonly page: FolderPage; readonly path: string }> {
  const slugs = new SlugSet([]);
  for (const page of pages) {
    const slug = slugs.take(page);
    yield { page, path: prefix + slug };
    if (page.children.length > 0) yield* eachWithPath(page.children, `${prefix}${slug}/`);
  }
}
