import type { ChangeContext } from '../../core/handler.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';

import { recordContentUpdate } from '../integration-events/record.ts';
import { updateLinks } from '../../content/links/index.ts';
import { diffRevisions, readRevision } from '../../content/revisions.ts';
import type { EntryChange } from '../../content/trie.ts';
import { updateSearchSections } from '../../content/search-sections.ts';
import { enqueue } from '../../core/jobs.ts';
import { translations, type TranslationRow } from '../translations/rows.ts';
import { eachRow, type WriteTransaction } from '../../core/store.ts';

/** With more changes, or bytes of changed texts, than this, links and words follow when somebody asks for them. */
const maxImmediate = { changes: 1000, bytes: 4 * 1024 * 1024 };

/** Makes a revision the content of its space; the only place where that changes, so that what is derived from it follows. */
export async function publishRevision(
  { tx, now }: ChangeContext,
  space: SpaceRow,
  revision: string,
  change: Partial<SpaceRow> = {},
): Promise<SpaceRow> {
  if (revision === space.revision) return tx.update(spaces, space.id, { ...change, updatedAt: now });
  const from = await readRevision(tx, space.revision);
  const changes = await diffRevisions(tx, space.revision, revision);
  const isLarge = changes.length > maxImmediate.changes || textSize(changes) > maxImmediate.bytes;
  if (!isLarge && (from.links !== undefined || from.pages === 0))
    await updateLinks({ tx }, { from, to: revision, changes });
  if (!isLarge && space.words === undefined) await updateSearchSections(tx, space.id, changes);
  await queueTranslations(tx, now, space.id);
  const words = space.words ?? (isLarge ? { at: space.revision } : undefined);
  const published = await tx.update(spaces, space.id, {
    ...change,
    ...(words === undefined ? {} : { words }),
    revision,
    updatedAt: now,
  });
  await recordContentUpdate({ tx, now }, published);
  return published;
}

function textSize(changes: readonly EntryChange[]): number {
  return changes.reduce((sum, { after }) => sum + (after?.kind === 'page' ? after.size : 0), 0);
}

/** Has the translations of a space follow its content; publishing calls it. */
async function queueTranslations(tx: WriteTransaction, now: string, space: string): Promise<void> {
  const found: TranslationRow[] = [];
  for await (const row of eachRow(tx, translations, 'bySource', [space])) found.push(row);
  for (const { id, organization, status } of found) {
    await enqueue(tx, now, { kind: 'translation', organization, subject: id });
    if (status !== 'pending') await tx.update(translations, id, { status: 'pending' });
  }
}
