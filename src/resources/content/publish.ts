import type { Surroundings } from '../../core/handler.ts';
import { spaces, type SpaceRow } from '../../core/rows/content.ts';
import type { Writing } from '../../core/store.ts';
import { updateLinks } from './links/index.ts';
import { diffRevisions, revisionRow } from './revisions.ts';
import { updateWords } from './words.ts';

type Given = Pick<Surroundings, 'now'> & { readonly tx: Writing };

/** Makes a revision the content of its space; the only place where that changes, so that what is derived from it follows. */
export async function publishRevision({ tx, now }: Given, space: SpaceRow, revision: string, change: Partial<SpaceRow> = {}): Promise<SpaceRow> {
  if (revision !== space.revision) {
    const changes = await diffRevisions(tx, space.revision, revision);
    await updateLinks({ tx }, { from: await revisionRow(tx, space.revision), to: revision, changes });
    await updateWords(tx, space.id, changes);
  }
  return tx.update(spaces, space.id, { ...change, revision, updatedAt: now });
}
