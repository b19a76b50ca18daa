import { StaleIndexError } from '../../core/stale-index-error.ts';
import { revisions, type RevisionRow } from '../../core/rows/revisions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { diffRevisions, readContent, readRevision } from '../revisions.ts';
import { putEmptyRoot, writeEntries, type EntryChange } from '../trie.ts';
import { updateLinkIndex } from './update-link-index.ts';
import { LinkIndex, linkKinds } from './link-index.ts';
import { revisionOf, type ContentSource } from '../content-source.ts';

/** Revisions that are gone back for an index of links; one made anew costs no more. */
const maxRevisionsBack = 50;

export interface LinkUpdate {
  /** What the space held before; its index is carried on. */
  readonly from: RevisionRow | undefined;
  /** Id of the revision that gets an index. */
  readonly to: string;
  /** What differs between the two. */
  readonly changes: readonly EntryChange[];
}

/** Gives a revision the index of its links, from that of the revision before it; publishing calls it. */
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
 * The links of a content. The draft of a change request has no index of its own: it is that of the space with the
 * difference on top, in memory, so it costs what the change is.
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

/** Asks for the links of the content of a space where there are none yet. */
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

/** Everything as if it had just been added. */
async function everyEntry(view: ReadTransaction, revision: string): Promise<EntryChange[]> {
  return (await readContent(view, revision)).map((after) => ({ id: after.id, before: undefined, after }));
}
