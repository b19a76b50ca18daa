import { StaleIndexError } from '../../core/stale-index-error.ts';
import { revisions, type RevisionRow } from '../../core/rows/revisions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { diffRevisions, readContent, readRevision } from '../revisions.ts';
import { putEmptyRoot, writeEntries, type EntryChange } from '../trie.ts';
import { updateLinkIndex } from './update-link-index.ts';
import { LinkIndex, linkKinds } from './link-index.ts';
import { revisionOf, type ContentSource } from '../content-source.ts';

/** The most revisions to go back for an index of links; beyond that, building a new one costs no more. */
const maxRevisionsBack = 50;

export interface LinkUpdate {
  /** The revision that the space had before; its index is the start of the new one. */
  readonly from: RevisionRow | undefined;
  /** Id of the revision that gets an index. */
  readonly to: string;
  /** What differs between the two. */
  readonly changes: readonly EntryChange[];
}

/** Builds the index of the links of a revision from that of the revision before it. Publishing calls it. */
export async function updateLinks(
  { tx }: { readonly tx: WriteTransaction },
  { from, to, changes }: LinkUpdate,
): Promise<void> {
  const row = await readRevision(tx, to);
  if (row.links !== undefined) return;
  const known = from?.links;
  const index = new LinkIndex(tx, known);
  await updateLinkIndex(tx, index, row, known === undefined ? await everyEntry(tx, to) : changes);
  const empty = known === undefined ? await putEmptyRoot(tx) : '';
  const roots: Record<string, string> = {};
  for (const kind of linkKinds)
    ({ root: roots[kind] } = await writeEntries<{ readonly id: string }>(
      tx,
      known?.roots[kind] ?? empty,
      index.changes[kind],
    ));
  await tx.update(revisions, to, { links: { roots, total: index.total, broken: index.totalBroken } });
}

/**
 * Opens the links of a content. The draft of a change request has no stored index: its links are those of the space with
 * the differences in memory.
 *
 * @throws StaleIndexError where the space has no index yet; the error builds it
 */
export async function openLinks(content: ContentSource): Promise<LinkIndex> {
  const { tx, space } = content;
  const row = await readRevision(tx, revisionOf(content));
  if (row.links !== undefined) return new LinkIndex(tx, row.links);
  await checkLinks(tx, space);
  const main = await readRevision(tx, space.revision);
  const index = new LinkIndex(tx, main.links);
  await updateLinkIndex(tx, index, row, await diffRevisions(tx, main.id, row.id));
  return index;
}

/** Throws a StaleIndexError where the content of a space has no index yet. */
async function checkLinks(view: ReadTransaction, space: SpaceRow): Promise<void> {
  if ((await readRevision(view, space.revision)).links !== undefined) return;
  throw new StaleIndexError(async (tx) => {
    const { revision } = (await tx.get(spaces, space.id)) ?? space;
    let from = await readRevision(tx, revision);
    for (
      let back = 0;
      back < maxRevisionsBack && from.links === undefined && from.parents[0] !== undefined;
      back++
    )
      from = await readRevision(tx, from.parents[0]);
    const changes = from.links === undefined ? [] : await diffRevisions(tx, from.id, revision);
    await updateLinks({ tx }, { from: from.links === undefined ? undefined : from, to: revision, changes });
    return true;
  });
}

/** All entries of a revision as if they had just been added. */
async function everyEntry(view: ReadTransaction, revision: string): Promise<EntryChange[]> {
  return (await readContent(view, revision)).map((after) => ({ id: after.id, before: undefined, after }));
}
