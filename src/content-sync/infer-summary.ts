import { posix } from 'node:path';
import { defined, getOrInsert, listSome, plural } from '../contract/values.ts';
import { isIndexFile, isMarkdown } from './contents.ts';
import { entryName, isOrderFile, readFolderOrder, type FolderOrder } from './folder-order.ts';
import type { Warning } from './folder.ts';
import { isCategoryFile, readCategory, readPlacement, type PagePlacement } from './page-placement.ts';
import { slugFromName, titleFromName } from './page-reader.ts';
import { relativeLink } from './resolve-link.ts';
import type { SummaryEntry } from './summary.ts';

interface FolderListing {
  readonly pages: string[];
  readonly folders: Set<string>;
}

const maxDepth = 16;

/**
 * Infers the table of contents of a folder without one: its README first, then the names in order. A README, index.md or
 * _index.md (of Hugo) is the page of its folder, or else the page beside the folder with the same name. A top-level folder
 * without a page becomes a group. Deeper folders without a page are not in the tree, and their pages move up. One warning lists
 * such folders. Front matter of other tools, which `headOf` returns, can set the order and the titles of pages, and leave out
 * drafts.
 */
export function inferSummary(
  paths: Iterable<string>,
  root: string,
  readme: string,
  headOf: (path: string) => string = () => '',
): { entries: SummaryEntry[]; drafts: ReadonlySet<string>; warnings: Warning[] } {
  const drafts = new Set<string>();
  /** By the path of a page, or of a folder with a file of Docusaurus. */
  const placements = new Map<string, PagePlacement>();
  /** Deeper folders without a page. */
  const hidden: string[] = [];
  const top = root === '' ? '.' : root;
  const folders = new Map<string, FolderListing>();
  const listing = (folder: string): FolderListing =>
    getOrInsert(folders, folder, () => ({ pages: [], folders: new Set<string>() }));
  const orders = new Map<string, FolderOrder>();
  for (const path of paths)
    if (isOrderFile(path)) orders.set(posix.dirname(path), readFolderOrder(path, headOf(path)));
  const inOrder = (path: string): PagePlacement | undefined =>
    orders.get(posix.dirname(path))?.entries.get(entryName(path));
  for (const path of paths) {
    const below = root === '' ? path : posix.relative(root, path);
    let folder = posix.dirname(path);
    if (isCategoryFile(posix.basename(path))) placements.set(folder, readCategory(headOf(path)));
    if (!isMarkdown(path) || below.startsWith('.') || isPartial(path)) continue;
    const placement = { ...readPlacement(headOf(path)), ...inOrder(path) };
    placements.set(path, placement);
    if (placement.isDraft) drafts.add(path);
    if (placement.isDraft || placement.isUnlisted) continue;
    listing(folder).pages.push(path);
    for (; folder !== top && folder !== '.'; folder = posix.dirname(folder))
      listing(posix.dirname(folder)).folders.add(folder);
  }
  for (const folder of orders.size === 0 ? [] : folders.keys()) {
    const title = orders.get(folder)?.title;
    const placement = { ...placements.get(folder), ...defined({ title }), ...inOrder(folder) };
    if (Object.keys(placement).length > 0) placements.set(folder, placement);
  }
  const isReadme = (path: string) => path === readme || /^readme\.mdx?$/i.test(posix.basename(path));
  const entryOf = (path: string, children: SummaryEntry[]): SummaryEntry => {
    const folder = posix.dirname(path);
    const isOfFolder = isIndexFile(path) && path === firstReadme(folder) && folder !== top;
    const linkTitle = (isOfFolder ? placements.get(folder)?.title : undefined) ?? placements.get(path)?.title;
    return {
      kind: 'page',
      title: '',
      target: relativeLink(posix.join(root, 'SUMMARY.md'), path),
      ...defined({
        linkTitle,
        slug: isOfFolder ? slugFromName(posix.basename(folder)) : undefined,
      }),
      line: 0,
      children,
    };
  };
  const entriesIn = (folder: string, depth: number): SummaryEntry[] => {
    const { pages, folders: inner } = listing(folder);
    const above = new Map([...inner].map((path) => [path, firstReadme(path) ?? pageBeside(path)]));
    const taken = new Set(above.values());
    const found = pages
      .filter((path) => path !== readme && (path !== firstReadme(folder) || (folder === top && hasReadme)))
      .filter((path) => !taken.has(path))
      .map((path) => ({ path, order: orderOf(path), entries: [entryOf(path, [])] }));
    for (const [path, first] of above) {
      const order = orderOf(path) ?? orderOf(first);
      const isTitled = folder === top || (depth < maxDepth && placements.has(path));
      if (first === undefined)
        found.push({ path, order, entries: isTitled ? [groupOf(path, depth)] : movedUp(path, depth) });
      else if (depth >= maxDepth)
        found.push({ path, order, entries: [entryOf(first, []), ...entriesIn(path, depth)] });
      else found.push({ path, order, entries: [entryOf(first, entriesIn(path, depth + 1))] });
    }
    return found
      .map((each) => ({ ...each, order: each.order ?? Infinity, key: sortKey(each.path) }))
      .sort((one, other) =>
        one.order === other.order ? (one.key < other.key ? -1 : 1) : one.order - other.order,
      )
      .flatMap(({ entries }) => entries);
  };
  const orderOf = (path = '') => placements.get(path)?.order ?? orders.get(posix.dirname(path))?.rest;
  const groupOf = (path: string, depth: number): SummaryEntry => {
    const name = posix.basename(path);
    const title = placements.get(path)?.title ?? titleFromName(name);
    const children = entriesIn(path, depth + 1);
    // Only groups at the top level keep a slug in SUMMARY.md.
    const slug = depth === 1 ? { slug: slugFromName(name) } : {};
    return { kind: 'group', title, ...slug, line: 0, children };
  };
  const movedUp = (path: string, depth: number): SummaryEntry[] => {
    hidden.push(path);
    return entriesIn(path, depth);
  };
  const firstReadme = (folder: string) => {
    const pages = listing(folder).pages.filter((path) => path !== readme);
    return pages.filter(isReadme).sort()[0] ?? pages.find(isIndexFile);
  };
  /** Returns the page beside a folder: `guide.md` for the folder `guide`. */
  const pageBeside = (folder: string) => {
    const around = posix.dirname(folder);
    const others = [readme, firstReadme(around)];
    return listing(around).pages.find(
      (path) => path.replace(/\.mdx?$/, '') === folder && !others.includes(path),
    );
  };
  const hasReadme = listing(posix.dirname(readme)).pages.includes(readme);
  const first = hasReadme ? readme : firstReadme(top);
  const start = first === undefined ? [] : [entryOf(first, [])];
  const entries = [...start, ...entriesIn(top, 1)];
  return { entries, drafts, warnings: warnOfHidden(hidden) };
}

/** Whether a file is part of other pages in Docusaurus, Jekyll and Astro, by its name. */
function isPartial(path: string): boolean {
  return posix.basename(path).startsWith('_') && !isIndexFile(path);
}

/** Returns a key that sorts numbers in names by value: 2-setup before 10-update. */
function sortKey(path: string): string {
  return `${path.replace(/\d+/g, (digits) => digits.padStart(12, '0'))} ${path}`;
}

/** Warns once about folders that are not in the tree. */
function warnOfHidden([file, ...more]: readonly string[]): Warning[] {
  if (file === undefined) return [];
  const others =
    more.length === 0
      ? ''
      : `. The same applies to ${plural(more.length, 'more folder')}: ${listSome(more, 3)}`;
  const message = `has no README.md, so the tree shows its pages in the folder above${others}`;
  return [{ file, line: 0, rule: 'folder-without-page', message }];
}
