import { posix } from 'node:path';
import { namesFile } from '../content/tree.ts';
import { flattenPages, groupBy } from '../contract/values.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { SlugSet } from './slug-set.ts';
import type { FolderPage } from './page-reader.ts';

/**
 * Finds the page in the space for each page of a folder, and returns its ID. A document matches the page from the same file, else
 * one with the same text (it was renamed), else one with the same title from a file in the same folder or with the same name (it
 * was renamed and edited), else one at the same path that was created in the app. A group matches one with the same title,
 * preferably the one that contains its pages, else the one at the same path. A link matches by address and title, and a source of generated pages by its address.
 */
export function matchPages(
  known: readonly PageBody[],
  pages: readonly FolderPage[],
): Map<FolderPage, string> {
  const matches = new Map<FolderPage, string>();
  const parents = new Map(
    flattenPages(known).flatMap((page) => (page.pages ?? []).map((child) => [child.id, page.id] as const)),
  );
  /** Returns the ID of the page in the space that currently contains the pages of a group. */
  const parentOf = (page: FolderPage) =>
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
      ({ type, git }) =>
        type === 'document' && git !== undefined && namesFile(git.path) ? git.oid : undefined,
      ({ type, path, oid }) => (type === 'document' && namesFile(path) ? oid : undefined),
    ],
    ...[posix.dirname, fileName].map((part): (typeof keys)[number] => [
      ({ type, git, title }) =>
        type === 'document' && git !== undefined ? `${part(git.path)} ${title}` : undefined,
      ({ type, path, title }) => (type === 'document' ? `${part(path)} ${title}` : undefined),
    ]),
    [
      (page) => (page.type === 'group' ? `${page.id} ${page.title}` : undefined),
      (page) => (page.type === 'group' ? `${parentOf(page) ?? ''} ${page.title}` : undefined),
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
    [linkKey, linkKey],
    [sourceKey, sourceKey],
  ];
  const taken = new Set<string>();
  const inFolderOrder = [...eachWithPath(pages)];
  const reversed = flattenPages(known).toReversed();
  for (const [inSpace, inFolder] of keys) {
    const candidates = groupBy(
      reversed.filter(({ id }) => !taken.has(id)),
      inSpace,
    );
    for (const { page, path } of inFolderOrder) {
      const key = matches.has(page) ? undefined : inFolder(page, path);
      const id = key === undefined || key === '' ? undefined : candidates.get(key)?.pop()?.id;
      if (id === undefined) continue;
      matches.set(page, id);
      taken.add(id);
    }
  }
  return matches;
}

/** Returns the name of a file, or the name of its folder if the page is the page of the folder. */
function fileName(path: string): string {
  const name = posix.basename(path);
  return /^(?:readme|index)\./i.test(name) ? posix.basename(posix.dirname(path)) : name;
}

/** Returns the address of a link, as a table of contents writes it, and its title. */
function linkKey({ type, href = '', title }: PageBody | FolderPage): string | undefined {
  return type === 'link' ? `${href.replace(/[\s<>]/g, encodeURIComponent)} ${title}` : undefined;
}

/** Returns the address of generated pages. A table of contents does not state their title. */
function sourceKey({ href = '', computed }: PageBody | FolderPage): string | undefined {
  return computed === undefined ? undefined : href;
}

/** Yields every page with the path of slugs that it would have in an empty space. */
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
