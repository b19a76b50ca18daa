import type { RevisionRow } from '../../core/rows/revisions.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { scanLinks } from '../../richtext/scan-links.ts';
import { readBlob } from '../blobs.ts';
import { childIds } from '../children.ts';
import { buildTree, type PageNode } from '../tree.ts';
import { readEntries, TrieReader, type EntryChange } from '../trie.ts';
import type { IndexedLink } from './link-index.ts';
import type { LinkSource, LinkTargetId } from './link-targets.ts';
import type { Entry, PageEntry } from '../rows.ts';

/** A thing whose names or links may have changed. `before` and `after` say the same where only a page above it moved. */
export interface AffectedSources {
  readonly thing: LinkTargetId;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  /** Where it is now; undefined where it is gone. */
  readonly place: LinkSource | undefined;
}

/** The things of a revision that its changes touch: also all pages under one that moved, since their paths change with it. */
export async function affectedBy(
  view: ReadTransaction,
  to: RevisionRow,
  changes: readonly EntryChange[],
): Promise<AffectedSources[]> {
  const entries = new TrieReader<Entry>(view, to.root);
  const affected = new Map<string, AffectedSources>();
  const paths = new Map<string, Promise<string>>();
  const pathOf = (page: PageEntry): Promise<string> => {
    const known = paths.get(page.id);
    if (known !== undefined) return known;
    const path = (async () => {
      const parent = page.parent === null ? undefined : await entries.get(page.parent);
      return parent?.kind === 'page' ? `${await pathOf(parent)}/${page.slug}` : page.slug;
    })();
    paths.set(page.id, path);
    return path;
  };
  const add = async (id: string, before: Entry | undefined, after: Entry | undefined): Promise<void> => {
    const entry = after ?? before;
    const thing = entry && thingOf(entry);
    if (thing !== undefined)
      affected.set(id, {
        thing,
        before,
        after,
        place: after === undefined ? undefined : await placeOf(after, pathOf),
      });
  };
  for (const { id, before, after } of changes) await add(id, before, after);
  for (const page of await pagesUnderMoved(view, to, changes))
    if (!affected.has(page.id)) await add(page.id, page, page);
  return [...affected.values()];
}

/** The links of a page or reusable content, with the lines of the file that it is. */
export async function scanSource(view: ReadTransaction, entry: Entry): Promise<Omit<IndexedLink, 'to'>[]> {
  if (entry.kind === 'file' || entry.blob === undefined) return [];
  const above = entry.kind === 'page' ? (entry.frontMatter?.split('\n').length ?? 1) - 1 : 0;
  const links = scanLinks(await readBlob(view, entry.blob));
  return links.map(({ href, line, kind }) => ({
    href,
    line: line + above,
    ...(kind === 'include' ? { include: true } : {}),
  }));
}

/** Whether the text of a thing is word for word what it was. */
export function isSameText(before: Entry | undefined, after: Entry | undefined): boolean {
  if (before === undefined || after === undefined || before.blob !== after.blob) return false;
  return before.kind !== 'page' || after.kind !== 'page' || before.frontMatter === after.frontMatter;
}

function thingOf(entry: Entry): LinkTargetId | undefined {
  if (entry.kind === 'page') return `page:${entry.id}`;
  if (entry.kind === 'file') return `file:${entry.id}`;
  return entry.role === 'include' ? `reusable:${entry.id}` : undefined;
}

async function placeOf(entry: Entry, pathOf: (page: PageEntry) => Promise<string>): Promise<LinkSource> {
  // The file of a group or link is the table of contents, which is no page.
  const git =
    entry.git === undefined || (entry.kind === 'page' && entry.type !== 'document')
      ? {}
      : { git: entry.git.path };
  return entry.kind !== 'page' || entry.type === 'link' ? git : { ...git, path: await pathOf(entry) };
}

async function pagesUnderMoved(
  view: ReadTransaction,
  to: RevisionRow,
  changes: readonly EntryChange[],
): Promise<PageEntry[]> {
  const moved: string[] = [];
  for (const { id, before, after } of changes) {
    const isMoved =
      before?.kind === 'page' &&
      after?.kind === 'page' &&
      (before.slug !== after.slug || before.parent !== after.parent);
    if (isMoved && (await childIds(view, to.children, id)).length > 0) moved.push(id);
  }
  if (moved.length === 0) return [];
  const pages = (await readEntries(view, to.root)).filter((entry) => entry.kind === 'page');
  const { byId } = buildTree(pages);
  const found = new Map<string, PageEntry>();
  const open: PageNode[] = moved.flatMap((id) => byId.get(id)?.children ?? []);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node.page.id)) continue;
    found.set(node.page.id, node.page);
    open.push(...node.children);
  }
  return [...found.values()];
}
