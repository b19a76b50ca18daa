import type { Watcher } from '../../contract/progress.ts';
import { StaleIndexError } from '../../core/stale-index-error.ts';
import { revisions, type RevisionRow } from '../../core/rows/revisions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { defined } from '../../contract/values.ts';
import { computedAfter, diffRevisions, readContent, readRevision } from '../revisions.ts';
import { putEmptyRoot, writeEntries, type EntryChange } from '../trie.ts';
import { isGeneratedFresh } from './generated-sources.ts';
import { isSameText } from './sources.ts';
import { updateLinkIndex } from './update-link-index.ts';
import {
  recordReferences,
  referencesOfRevision,
  requestCollection,
} from '../collection/record-references.ts';
import { LinkIndex, linkKinds } from './link-index.ts';
import { revisionOf, type ContentSource } from '../content-source.ts';

/** Maximum number of revisions to go back for an index of links. Beyond that, building a new one is not slower. */
const maxRevisionsBack = 50;

/** Maximum bytes of changed texts whose links are read in the main thread. */
const maxReadHere = 128 * 1024;

/** The version of the contents of an index. Raise it when they change. An index of another version is rebuilt. */
const version = 8;

interface LinkUpdate {
  /** The previous revision of the space. Its index is the start of the new one. */
  readonly from: RevisionRow | undefined;
  /** The ID of the revision that gets an index. */
  readonly to: string;
  /** The differences between the two revisions. */
  readonly changes: readonly EntryChange[];
}

/** The transaction in which an index is written, and the receiver of the progress. */
interface IndexContext extends Watcher {
  readonly tx: WriteTransaction;
}

/** Builds the index of the links of a revision from the index of the previous revision. Called when a revision is published. */
export async function updateLinks(context: IndexContext, { from, to, changes }: LinkUpdate): Promise<void> {
  const { tx } = context;
  const stored = await readRevision(tx, to);
  if (hasLinks(stored) && from?.id !== to) return;
  const known = from !== undefined && hasLinks(from) ? from.links : undefined;
  const index = new LinkIndex(tx, known);
  const entries = known === undefined ? await everyEntry(tx, to) : changes;
  // Old revisions do not record their pages of the type computed.
  const row = { ...stored, ...computedAfter(stored.computed, known === undefined ? entries : []) };
  await updateLinkIndex(tx, index, row, entries, context);
  const empty = known === undefined ? await putEmptyRoot(tx) : '';
  const roots: Record<string, string> = {};
  const isLarge = index.changes.sources.size >= 100;
  for (const [at, kind] of linkKinds.entries()) {
    if (isLarge) context.onProgress?.(at, linkKinds.length, 'writing the index of links: part');
    ({ root: roots[kind] } = await writeEntries<{ readonly id: string }>(
      tx,
      known?.roots[kind] ?? empty,
      index.changes[kind],
    ));
    // They are stored now, and would take much memory.
    index.changes[kind].clear();
  }
  const { total, totalBroken: broken, missingAnchors } = index;
  const generated = Object.keys(index.generated).length === 0 ? undefined : index.generated;
  const indexed = await tx.update(revisions, to, {
    links: { roots, total, broken, missingAnchors, ...defined({ generated }), version },
    ...defined({ computed: row.computed }),
  });
  await recordReferences(tx, referencesOfRevision(indexed));
  if (stored.links !== undefined) await requestCollection(tx, indexed.createdAt);
}

/**
 * Opens the links of a content. The draft of a change request has no stored index: its links are those of the space plus the
 * differences in memory.
 *
 * @throws StaleIndexError if the space has no index yet; `catchUp` builds it
 */
export async function openLinks(content: ContentSource): Promise<LinkIndex> {
  const { tx, space } = content;
  const row = await readRevision(tx, revisionOf(content));
  if (await isIndexed(tx, row)) return new LinkIndex(tx, row.links);
  await checkLinks(tx, space);
  const main = await readRevision(tx, space.revision);
  const index = new LinkIndex(tx, main.links);
  const changes = await diffRevisions(tx, main.id, row.id);
  if (areLinksSlow(changes)) content.onHeavy?.();
  await updateLinkIndex(tx, index, row, changes);
  return index;
}

/**
 * Checks that the content of a space has an index of its links.
 *
 * @throws StaleIndexError if it has none yet; `catchUp` builds it
 */
export async function checkLinks(view: ReadTransaction, space: SpaceRow): Promise<void> {
  if (await isIndexed(view, await readRevision(view, space.revision))) return;
  throw new StaleIndexError('indexing links', async (tx, watcher) => {
    await catchUpLinks({ tx, ...watcher }, (await tx.get(spaces, space.id)) ?? space);
    return { done: 0, left: 0, isFresh: true };
  });
}

/** Builds the index of links for the content of a space if it has none, from the index of a recent revision if there is one. */
export async function catchUpLinks(context: IndexContext, { revision }: SpaceRow): Promise<void> {
  const { tx } = context;
  let from = await readRevision(tx, revision);
  for (let back = 0; back < maxRevisionsBack && !hasLinks(from) && from.parents[0] !== undefined; back++)
    from = await readRevision(tx, from.parents[0]);
  const changes = hasLinks(from) ? await diffRevisions(tx, from.id, revision) : [];
  await updateLinks(context, { from: hasLinks(from) ? from : undefined, to: revision, changes });
}

/** Whether a revision has an index of its links that is up to date with the specifications of its generated pages. */
export async function isIndexed(view: ReadTransaction, row: RevisionRow): Promise<boolean> {
  return hasLinks(row) && (await isGeneratedFresh(view, row));
}

/** Whether it takes long to read the links and words of the changed texts. */
export function areLinksSlow(changes: readonly EntryChange[]): boolean {
  const sizeOf = (entry: EntryChange['after']): number =>
    entry === undefined || entry.kind === 'file' ? 0 : entry.size;
  const size = changes.reduce(
    (sum, { before, after }) => sum + (isSameText(before, after) ? 0 : sizeOf(before) + sizeOf(after)),
    0,
  );
  return size > maxReadHere;
}

/** Whether a revision has an index of its links with the current version. */
export function hasLinks({ links }: RevisionRow): boolean {
  return links?.version === version;
}

/** Returns all entries of a revision as additions. */
async function everyEntry(view: ReadTransaction, revision: string): Promise<EntryChange[]> {
  return (await readContent(view, revision)).map((after) => ({ id: after.id, before: undefined, after }));
}
