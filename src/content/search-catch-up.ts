import { StaleIndexError, type IndexProgress } from '../core/stale-index-error.ts';
import { spaces, type SpaceRow } from '../core/rows/spaces.ts';
import { revisions } from '../core/rows/revisions.ts';
import type { WriteTransaction } from '../core/store.ts';
import { readRevision } from './revisions.ts';
import { diffRoots, type EntryChange } from './trie.ts';
import { updateSearchSections } from './search-sections.ts';

/** Bytes of text that one write indexes, so that other requests do not wait long. */
const maxPieceSize = 512 * 1024;

/**
 * Checks that the search of spaces is up to date.
 *
 * @throws StaleIndexError where it lags behind; the error brings it up to date in short writes
 */
export function requireFreshSearch(all: Iterable<SpaceRow>): void {
  const staleIds = [...all].filter((space) => space.words !== undefined).map(({ id }) => id);
  if (staleIds.length === 0) return;
  throw new StaleIndexError('indexing pages', async (tx) => {
    for (const id of staleIds) {
      const space = await tx.get(spaces, id);
      if (space?.words === undefined) continue;
      const piece = await catchUpSearch(tx, space, space.words);
      return { ...piece, isFresh: piece.isFresh && id === staleIds.at(-1) };
    }
    return { done: 0, left: 0, isFresh: true };
  });
}

/** Indexes one piece of what changed in a space; true when the search is up to date. */
async function catchUpSearch(
  tx: WriteTransaction,
  { id, revision }: SpaceRow,
  { at, to = revision, after = '' }: NonNullable<SpaceRow['words']>,
): Promise<IndexProgress> {
  const [from, target] = [at === null ? undefined : await tx.get(revisions, at), await readRevision(tx, to)];
  const changes = (await diffRoots(tx, from?.root, target.root))
    .filter((change) => change.id > after)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const piece = takeUpToSize(changes);
  await updateSearchSections(tx, id, piece);
  const last = piece.length < changes.length ? piece.at(-1) : undefined;
  if (last !== undefined) await tx.update(spaces, id, { words: { at, to, after: last.id } });
  else await tx.update(spaces, id, { words: to === revision ? undefined : { at: to } } as Partial<SpaceRow>);
  return {
    done: piece.length,
    left: changes.length - piece.length,
    isFresh: last === undefined && to === revision,
  };
}

function takeUpToSize(changes: readonly EntryChange[]): readonly EntryChange[] {
  let size = 0;
  const end = changes.findIndex(
    ({ after }) => (size += after?.kind === 'page' ? after.size : 0) > maxPieceSize,
  );
  return end === -1 ? changes : changes.slice(0, end + 1);
}
