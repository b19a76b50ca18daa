import { StaleIndexError } from '../core/stale-index-error.ts';
import { spaces, type SpaceRow } from '../core/rows/spaces.ts';
import { revisions } from '../core/rows/revisions.ts';
import type { WriteTransaction } from '../core/store.ts';
import { readRevision } from './revisions.ts';
import { diffRoots, type EntryChange } from './trie.ts';
import { updateSearchSections } from './search-sections.ts';

/** Bytes of text whose words are brought up to date in one write, so that nobody else waits long. */
const maxPieceSize = 512 * 1024;

/** Asks for the words of spaces where they lag behind. */
export function requireFreshSearch(all: Iterable<SpaceRow>): void {
  const behind = [...all].filter((space) => space.words !== undefined).map(({ id }) => id);
  if (behind.length === 0) return;
  throw new StaleIndexError(async (tx) => {
    for (const id of behind) {
      const space = await tx.get(spaces, id);
      if (space?.words !== undefined) return (await catchUpSearch(tx, space)) && id === behind.at(-1);
    }
    return true;
  });
}

/** Brings a piece of the words of a space up to date; true when they are. */
async function catchUpSearch(tx: WriteTransaction, { id, revision, words }: SpaceRow): Promise<boolean> {
  const { at, to = revision, after = '' } = words!;
  const [from, target] = [at === null ? undefined : await tx.get(revisions, at), await readRevision(tx, to)];
  const changes = (await diffRoots(tx, from?.root, target.root))
    .filter((change) => change.id > after)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const piece = takeUpToSize(changes);
  await updateSearchSections(tx, id, piece);
  if (piece.length < changes.length)
    await tx.update(spaces, id, { words: { at, to, after: piece.at(-1)!.id } });
  else await tx.update(spaces, id, { words: to === revision ? undefined : { at: to } } as Partial<SpaceRow>);
  return piece.length === changes.length && to === revision;
}

function takeUpToSize(changes: readonly EntryChange[]): readonly EntryChange[] {
  let size = 0;
  const end = changes.findIndex(
    ({ after }) => (size += after?.kind === 'page' ? after.size : 0) > maxPieceSize,
  );
  return end === -1 ? changes : changes.slice(0, end + 1);
}
