import type { RequestContext } from '../core/handler.ts';
import { revisions, type RevisionRow, type RevisionType } from '../core/rows/revisions.ts';
import { RecentMap } from '../core/recent-map.ts';
import { getExisting, type ReadTransaction, type WriteTransaction } from '../core/store.ts';
import { updateChildren } from './children.ts';
import { recordReferences, referencesOfRevision } from './collection/record-references.ts';
import {
  diffRoots,
  putEmptyRoot,
  readEntries,
  readEntry,
  writeEntries,
  type EntryChange,
  type NodeCache,
} from './trie.ts';
import type { Entry, FileEntry, PageEntry } from './rows.ts';
import { isPage } from './tree.ts';
import { defined } from '../contract/values.ts';

/** Maximum number of cached entries of all contents. Similar contents share most of their nodes. */
const maxKept = 40_000;
const keptNodes: NodeCache = new RecentMap(maxKept, ({ entries = [] }) => entries.length + 1);

type RevisionContext = Pick<RequestContext, 'now' | 'newId' | 'caller'>;

/** Adds the first revision of a space, without pages. Returns its ID. */
export async function createInitialRevision(
  tx: WriteTransaction,
  context: RevisionContext,
  { space }: { organization: string; space: string },
): Promise<string> {
  const root = await putEmptyRoot(tx);
  return addRevision(tx, context, {
    space,
    parents: [],
    root,
    children: root,
    type: 'edits',
    pages: 0,
    documents: 0,
    files: 0,
  });
}

/**
 * Adds a first revision of a space with a copy of the content of another space, and returns its ID. The copies have new IDs, and
 * links between them lead to the copies.
 */
export async function copyRevision(
  tx: WriteTransaction,
  context: RevisionContext,
  { from, source, space }: { from: string; source: string; space: string },
): Promise<string> {
  const entries = await readContent(tx, from);
  const { EntryCopier } = await import('./copy-entries.ts');
  const copier = new EntryCopier(tx, context.newId, entries, { spaces: { from: source, to: space } });
  const copies = new Map<string, Entry>();
  for (const entry of entries) {
    const copy = await copier.copy(entry);
    copies.set(copy.id, copy);
  }
  const empty = await putEmptyRoot(tx);
  const { root, changed } = await writeEntries(tx, empty, copies);
  const children = await updateChildren(tx, empty, changed);
  const count = (kind: Entry['kind']) => entries.filter((entry) => entry.kind === kind).length;
  return addRevision(tx, context, {
    space,
    parents: [],
    root,
    children,
    type: 'edits',
    pages: count('page'),
    documents: entries.filter(isDocument).length,
    files: count('file'),
    ...computedAfter(undefined, changed),
  });
}

interface RevisionSource extends Pick<RevisionRow, 'parents' | 'type' | 'mergedFrom'> {
  /** The ID of the revision with the content. */
  readonly content: string;
}

/** Adds a revision with the same content as another one, for a merge or the update of a change request. Returns its ID. */
export async function adoptRevision(
  tx: WriteTransaction,
  context: RevisionContext,
  { content, ...source }: RevisionSource,
): Promise<string> {
  const { space, root, children, pages, documents, files, computed } = await readRevision(tx, content);
  return addRevision(tx, context, {
    space,
    root,
    children,
    pages,
    files,
    ...defined({ computed, documents }),
    ...source,
  });
}

interface RevisionEdit {
  /** The ID of the revision to start from. It is the parent of the new one, unless `parents` is given. */
  readonly base: string;
  readonly space: string;
  /** Entries to put, by ID. Undefined removes an entry. */
  readonly changes: ReadonlyMap<string, Entry | undefined>;
  readonly type?: RevisionType;
  /** The revisions that are merged. If given, a new revision is added even if nothing differs from the base. */
  readonly parents?: readonly string[];
  readonly mergedFrom?: string;
}

/** Adds a revision in which entries are put or removed, and returns its ID. If nothing differs, it returns the ID of the base. */
export async function editRevision(
  tx: WriteTransaction,
  context: RevisionContext,
  { base, space, changes, type = 'edits', parents, mergedFrom }: RevisionEdit,
): Promise<string> {
  const from = await readRevision(tx, base);
  const { root, changed } = await writeEntries(tx, from.root, changes);
  if (root === from.root && parents === undefined) return base;
  const children = await updateChildren(tx, from.children, changed);
  const more = (kind: Entry['kind']) =>
    changed.reduce(
      (sum, { before, after }) => sum + Number(after?.kind === kind) - Number(before?.kind === kind),
      0,
    );
  const documents = changed.reduce(
    (sum, { before, after }) => sum + Number(isDocument(after)) - Number(isDocument(before)),
    from.documents ?? (await readContent(tx, base)).filter(isDocument).length,
  );
  const counts = { pages: from.pages + more('page'), documents, files: from.files + more('file') };
  return addRevision(tx, context, {
    space,
    parents: parents ?? [base],
    root,
    children,
    type,
    ...defined({ mergedFrom }),
    ...counts,
    ...computedAfter(from.computed, changed),
  });
}

function isDocument(entry: Entry | undefined): boolean {
  return entry?.kind === 'page' && isPage(entry);
}

/** Returns the pages of the type computed after changes. */
export function computedAfter(
  before: readonly string[] = [],
  changes: readonly EntryChange[],
): Pick<RevisionRow, 'computed'> {
  const ids = new Set(before);
  for (const { id, after } of changes)
    if (after?.kind === 'page' && after.computed !== undefined) ids.add(id);
    else if (ids.size > 0) ids.delete(id);
  return ids.size === 0 ? {} : { computed: [...ids].sort() };
}

/** Returns the differences between two revisions. The cost depends on the differences, not on the size of the content. */
export async function diffRevisions(view: ReadTransaction, from: string, to: string): Promise<EntryChange[]> {
  return diffRoots(view, (await readRevision(view, from)).root, (await readRevision(view, to)).root);
}

/** Returns all pages of a revision, unordered. */
export async function readPages(view: ReadTransaction, revision: string): Promise<PageEntry[]> {
  return (await readContent(view, revision)).filter((entry) => entry.kind === 'page');
}

/** Returns all files of a revision, by ID. */
export async function readFiles(view: ReadTransaction, revision: string): Promise<FileEntry[]> {
  const files = (await readContent(view, revision)).filter((entry) => entry.kind === 'file');
  return files.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Returns all pages and files of a revision, unordered. */
export async function readContent(view: ReadTransaction, revision: string): Promise<Entry[]> {
  const { root, pages, files } = await readRevision(view, revision);
  // A content that fills most of the cache would only displace the others.
  return readEntries(view, root, pages + files > maxKept / 2 ? undefined : keptNodes);
}

/** Returns a page of a revision. */
export async function readPage(
  view: ReadTransaction,
  revision: string,
  id: string,
): Promise<PageEntry | undefined> {
  const entry = await readEntry(view, (await readRevision(view, revision)).root, id);
  return entry?.kind === 'page' ? entry : undefined;
}

/** Returns a file of a revision. */
export async function readFile(
  view: ReadTransaction,
  revision: string,
  id: string,
): Promise<FileEntry | undefined> {
  const entry = await readEntry(view, (await readRevision(view, revision)).root, id);
  return entry?.kind === 'file' ? entry : undefined;
}

/** Returns the row of a revision that another row refers to. */
export function readRevision(view: ReadTransaction, id: string): Promise<RevisionRow> {
  return getExisting(view, revisions, id);
}

async function addRevision(
  tx: WriteTransaction,
  { now, newId, caller }: RevisionContext,
  row: Omit<RevisionRow, 'id' | 'createdAt' | 'createdBy'>,
): Promise<string> {
  const id = newId('rev');
  const revision = { id, createdAt: now, createdBy: caller.user.id, ...row };
  await tx.insert(revisions, revision);
  await recordReferences(tx, referencesOfRevision(revision));
  return id;
}
