import type { WriteContext } from '../../core/handler.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import type { TranslationRow } from './rows.ts';
import { languageName } from '../../translation/language-name.ts';
import { checkUnlocked } from '../../core/check-unlocked.ts';
import { positionAmong } from '../collections/rules.ts';
import { mergeContents } from '../../content/merge-contents.ts';
import { publishRevision } from '../content/publish.ts';
import { adoptRevision, createInitialRevision, editRevision } from '../../content/revisions.ts';
import { copyPermissions } from '../permissions/rules.ts';
import { newSpaceRow } from '../spaces/rows.ts';
import {
  findEditedEntries,
  mergeEntryEdits,
  staysRemoved,
  type EditCounts,
  type RevisionPair,
  type Revisions,
} from './edits.ts';
import type { Entry } from '../../content/rows.ts';
import { defined, truncate } from '../../contract/values.ts';

/** Creates the target space of a translation, with the icon, parent, rules and permissions of its source. */
export async function createTarget(
  context: WriteContext,
  source: SpaceRow,
  { language }: TranslationRow,
): Promise<SpaceRow> {
  const { tx, now, newId } = context;
  const { organization, parent, emoji, icon, mergeRules, defaultLevel } = source;
  const id = newId('spc');
  const row = newSpaceRow(
    now,
    defined({
      id,
      organization,
      parent,
      position: await positionAmong(tx, organization, parent),
      title: targetTitle(source.title, languageName(language)),
      emoji,
      icon,
      mergeRules,
      defaultLevel,
      language,
      revision: await createInitialRevision(tx, context, { organization, space: id }),
    }),
  );
  await tx.insert(spaces, row);
  await copyPermissions(tx, source, id);
  return row;
}

/**
 * Returns a title such as "Guide (French)". The title of the source is shortened so that the result has at most 50 characters.
 */
function targetTitle(title: string, language: string): string {
  const more = ` (${language})`;
  return truncate(title, 50 - more.length) + more;
}

/** The revisions of a target: the translation without edits of people, and with them. */
interface PublishedTarget {
  readonly written: string;
  readonly published: string;
  readonly edits: EditCounts;
}

/** The previous translation, and the source revisions of the previous and the new translation. */
interface PreviousTranslation {
  readonly written: string;
  readonly source: RevisionPair;
}

const noEdits: EditCounts = { kept: 0, replaced: 0 };

/**
 * Applies changes to the previous translation and publishes the result in the target. Edits of people are kept, page by page and
 * line by line. If the source changed the same line, the translation replaces the edit.
 */
export async function publishTarget(
  context: WriteContext,
  target: SpaceRow,
  { written, source }: PreviousTranslation,
  changes: ReadonlyMap<string, Entry | undefined>,
): Promise<PublishedTarget> {
  const { tx } = context;
  const next = await editRevision(tx, context, { base: written, space: target.id, changes });
  if (next === written) return { written, published: target.revision, edits: noEdits };
  checkUnlocked(target);
  const { published, edits } =
    target.revision === written
      ? { published: next, edits: noEdits }
      : await mergeWithEdits(context, target, { source, written: [written, next] });
  await publishRevision(context, target, published);
  return { written: next, published, edits };
}

async function mergeWithEdits(
  context: WriteContext,
  { id, revision }: SpaceRow,
  { source, written }: Pick<Revisions, 'source' | 'written'>,
): Promise<Omit<PublishedTarget, 'written'>> {
  const { tx } = context;
  const [base, next] = written;
  const edited = await findEditedEntries(tx, { source, written, edited: revision });
  const away = new Map(edited.filter(staysRemoved).map(({ id: removed, before }) => [removed, before]));
  const ours = await editRevision(tx, context, { base: next, space: id, changes: away });
  const { changes, conflicts } = await mergeContents(tx, { base, ours, theirs: revision }, { take: 'ours' });
  const parents = [revision, next];
  // Conflicts that have no sides to choose from, such as pages that were moved into each other, are resolved like the source. The
  // edits remain in the history.
  if (conflicts.length > 0)
    return {
      published: await adoptRevision(tx, context, { content: next, type: 'merge', parents }),
      edits: { kept: 0, replaced: edited.length },
    };
  const merged = new Map(changes);
  let [kept, replaced] = [away.size, 0];
  for (const each of edited) {
    const entry = merged.get(each.id);
    if (each.edited === undefined || entry === undefined)
      replaced += Number(!away.has(each.id) && each.edited !== each.after);
    else {
      const result = await mergeEntryEdits(tx, each, entry);
      merged.set(each.id, result.entry);
      kept += result.kept;
      replaced += result.replaced;
    }
  }
  return {
    published: await editRevision(tx, context, {
      base: revision,
      space: id,
      changes: merged,
      type: 'merge',
      parents,
    }),
    edits: { kept, replaced },
  };
}
