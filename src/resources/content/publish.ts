import { defined } from '../../contract/values.ts';
import type { RequestContext, WriteContext } from '../../core/handler.ts';
import type { Watcher } from '../../contract/progress.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';

import { recordContentUpdate } from '../integration-events/record.ts';
import { areLinksSlow, hasLinks, updateLinks } from '../../content/links/index.ts';
import { diffRevisions, readRevision } from '../../content/revisions.ts';
import type { EntryChange } from '../../content/trie.ts';
import { markGenerated } from '../../content/search-catch-up.ts';
import {
  changeIncludedPages,
  changeOtherPages,
  updateSearchSections,
} from '../../content/search-sections.ts';
import { enqueue } from '../../core/jobs.ts';
import { translations } from '../translations/rows.ts';
import { collectRows, type WriteTransaction } from '../../core/store.ts';

/**
 * Limits for indexing a change immediately: the number of changes, and the bytes of changed texts. Larger changes are indexed by
 * a job, or by the first read of links or search.
 */
const maxImmediate = { changes: 1000, bytes: 4 * 1024 * 1024 };

type PublishContext = Pick<WriteContext, 'tx' | 'now' | 'caller'> & Pick<RequestContext, 'onHeavy'>;

/**
 * Makes a revision the current content of its space, and updates derived data: links, search, translations and events. This is
 * the only place where the content of a space changes. `contributors` are the users who wrote it (default: the caller).
 */
export async function publishRevision(
  { tx, now, caller, onHeavy, onProgress, signal }: PublishContext & Watcher,
  space: SpaceRow,
  revision: string,
  { contributors = [] }: { contributors?: readonly string[] } = {},
): Promise<SpaceRow> {
  if (revision === space.revision) return tx.update(spaces, space.id, { updatedAt: now });
  const from = await readRevision(tx, space.revision);
  const changes = await diffRevisions(tx, space.revision, revision);
  const isLarge = changes.length > maxImmediate.changes || textSize(changes) > maxImmediate.bytes;
  if (!isLarge && areLinksSlow(changes)) onHeavy?.();
  if (!isLarge && (hasLinks(from) || from.pages === 0))
    await updateLinks({ tx, onProgress, signal }, { from, to: revision, changes });
  // Changes of reusable content and variables may change the words of all pages.
  let isSearchedLater =
    isLarge ||
    (from.pages > 0 && changeOtherPages(changes)) ||
    (space.including !== undefined && changeIncludedPages(changes));
  let fields: Partial<SpaceRow> = {};
  if (!isSearchedLater && space.words === undefined) {
    const content = { space, revision: await readRevision(tx, revision) };
    const updated = await updateSearchSections(tx, content, changes);
    isSearchedLater = updated.done < changes.length;
    ({ fields } = updated);
  }
  const generated = await markGenerated(tx, space, changes);
  await queueTranslations(tx, now, space.id);
  const words = space.words ?? (isSearchedLater ? { at: space.revision } : undefined);
  if (words !== undefined)
    await enqueue(tx, now, { kind: 'index', organization: space.organization, subject: space.id });
  const published = await tx.update(spaces, space.id, {
    ...defined({ words }),
    ...(generated === space.generated ? {} : { generated }),
    ...fields,
    revision,
    updatedAt: now,
  });
  const updatedBy = contributors.length === 0 ? [caller.user.id] : contributors;
  await recordContentUpdate({ tx, now }, published, updatedBy);
  return published;
}

function textSize(changes: readonly EntryChange[]): number {
  return changes.reduce((sum, { after }) => sum + (after?.kind === 'page' ? after.size : 0), 0);
}

/** Queues jobs that update the translations of a space to its content. */
async function queueTranslations(tx: WriteTransaction, now: string, space: string): Promise<void> {
  for (const { id, organization, status } of await collectRows(tx, translations, 'bySource', [space])) {
    await enqueue(tx, now, { kind: 'translation', organization, subject: id });
    if (status !== 'pending') await tx.update(translations, id, { status: 'pending' });
  }
}
