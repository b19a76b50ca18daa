import { isDeepStrictEqual } from 'node:util';
import { reportStep, type Watcher } from '../../contract/progress.ts';
import type { RevisionRow } from '../../core/rows/revisions.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { scanAnchors } from '../../richtext/scan-anchors.ts';
import { scanLinks } from '../../richtext/scan-links.ts';
import { readBlob } from '../blobs.ts';
import { childIds } from '../children.ts';
import { buildTree, type PageNode } from '../tree.ts';
import { readEntries, TrieReader, type EntryChange } from '../trie.ts';
import type { IndexedLink } from './link-index.ts';
import type { LinkSource, LinkTargetId } from './link-targets.ts';
import { gitSourceOf, targetIdOf } from './name-table.ts';
import { settingsOf } from '../page-settings.ts';
import type { Entry, PageEntry } from '../rows.ts';
import { defined, getOrInsert } from '../../contract/values.ts';

/** A target whose names or links may have changed. `before` and `after` are equal if only an ancestor moved. */
export interface AffectedSource {
  readonly target: LinkTargetId;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  /** Its current paths; undefined if it is deleted. */
  readonly source: (LinkSource & { readonly title?: string }) | undefined;
  /** The text of a page that is generated from a specification. */
  readonly generated?: { readonly markdown: () => string; readonly spec: string };
}

/** Returns the targets that changes affect, including all descendants of moved pages, because their paths change too. */
export async function findAffectedSources(
  view: ReadTransaction,
  to: RevisionRow,
  changes: readonly EntryChange[],
  watcher: Watcher,
): Promise<AffectedSource[]> {
  const entries = new TrieReader<Entry>(view, to.root);
  const affected = new Map<string, AffectedSource>();
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
    const target = entry && targetIdOf(entry);
    if (target !== undefined)
      affected.set(id, {
        target,
        before,
        after,
        source: after === undefined ? undefined : await sourceOf(after, pathOf),
      });
  };
  for (const [at, { id, before, after }] of changes.entries()) {
    const step = reportStep(watcher, at, changes.length, 'finding the paths of pages');
    if (step !== undefined) await step;
    await add(id, before, after);
  }
  for (const page of await pagesUnderMoved(view, to, changes))
    if (!affected.has(page.id)) await add(page.id, page, page);
  return [...affected.values()];
}

type WrittenLink = Omit<IndexedLink, 'to' | 'missingAnchor'>;

/** The links in a text, and its anchors if all of them are known. */
export interface ScannedText {
  readonly links: readonly WrittenLink[];
  readonly anchors?: readonly string[];
}

/** Returns the links and anchors of a page or reusable content. Line numbers count the front matter. */
export async function scanSource(view: ReadTransaction, entry: Entry): Promise<ScannedText> {
  const own = ownAddress(entry);
  if (own !== undefined) return { links: [{ href: own, line: 1 }], anchors: [] };
  if (entry.kind === 'file') return { links: [], anchors: [] };
  const covers = entry.kind === 'page' ? await coverLinks(entry) : [];
  if (entry.blob === undefined) return { links: covers, anchors: [] };
  const above = entry.kind === 'page' ? (entry.frontMatter?.split('\n').length ?? 1) - 1 : 0;
  const text = await readBlob(view, entry.blob);
  // A substring keeps its whole text in memory, so substrings are copied. Repeated ones share a copy.
  const copies = new Map<string, string>();
  const copyOf = (part: string): string =>
    getOrInsert(copies, part, () => JSON.parse(JSON.stringify(part)) as string);
  const links = scanLinks(text).map(({ href, line, kind }) => ({
    href: copyOf(href),
    line: line + above,
    ...(kind === 'include' ? { include: true as const } : {}),
  }));
  return defined({ links: [...covers, ...links], anchors: scanAnchors(text)?.map(copyOf) });
}

/** Returns the images of the cover of a page, with their lines in its front matter. */
async function coverLinks(page: PageEntry): Promise<WrittenLink[]> {
  const { ref, refDark } = (await settingsOf(page)).cover ?? {};
  const lines = page.frontMatter?.split('\n') ?? [];
  return [...new Set([ref, refDark])].flatMap((href) =>
    href === undefined
      ? []
      : [
          {
            href,
            line:
              Math.max(
                0,
                lines.findIndex((one) => one.includes(href)),
              ) + 1,
          },
        ],
  );
}

/** Returns the destination of a link in the table of contents. For a link that stands for generated pages, it is their source. */
function ownAddress(entry: Entry | undefined): string | undefined {
  if (entry?.kind !== 'page' || entry.type !== 'link') return undefined;
  return entry.computed === undefined && entry.source === undefined ? entry.href : undefined;
}

/** Whether an entry has the same text before and after. */
export function isSameText(before: Entry | undefined, after: Entry | undefined): boolean {
  if (before === undefined || after === undefined || before.blob !== after.blob) return false;
  if (ownAddress(before) !== ownAddress(after)) return false;
  if (before.kind !== 'page' || after.kind !== 'page') return true;
  return before.frontMatter === after.frontMatter && isDeepStrictEqual(before.settings, after.settings);
}

async function sourceOf(entry: Entry, pathOf: (page: PageEntry) => Promise<string>): Promise<LinkSource> {
  const git = gitSourceOf(entry);
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
