import type { Surroundings } from '../../core/handler.ts';
import { spaces, type SpaceRow } from '../../core/rows/content.ts';
import type { Entry } from '../../core/rows/revisions.ts';
import type { TranslationRow } from '../../core/rows/translations.ts';
import type { Writing } from '../../core/store.ts';
import { languageName } from '../../translation/language-name.ts';
import { checkUnlocked } from '../change-requests/rules.ts';
import { placeAmong } from '../collections/rules.ts';
import { mergeContents } from '../content/merge-contents.ts';
import { publishRevision } from '../content/publish.ts';
import { adoptRevision, createInitialRevision, editRevision } from '../content/revisions.ts';
import { newSpaceRow } from '../spaces/rows.ts';

type Given = Pick<Surroundings, 'now' | 'newId' | 'caller'> & { readonly tx: Writing };

/** The space that a translation is written to, with the look, place and rules of its source. */
export async function createTarget(given: Given, source: SpaceRow, { language }: TranslationRow): Promise<SpaceRow> {
  const { tx, now, newId } = given;
  const { organization, parent, emoji, icon, mergeRules, defaultLevel, visibility } = source;
  const id = newId('spc');
  const row = newSpaceRow(now, {
    id,
    organization,
    parent,
    position: await placeAmong(tx, organization, parent),
    title: titleOf(source.title, languageName(language)),
    emoji,
    ...(icon === undefined ? {} : { icon }),
    visibility,
    mergeRules,
    defaultLevel,
    language,
    revision: await createInitialRevision(tx, given, { organization, space: id }),
  });
  await tx.insert(spaces, row);
  return row;
}

/** "Guide (French)", with as much of the title as fits the 50 characters of one. */
function titleOf(title: string, language: string): string {
  const more = ` (${language})`;
  return [...title].slice(0, 50 - more.length).join('').slice(0, 50 - more.length) + more; // prettier-ignore
}

/** What a target holds: the translation alone, and with what people edited. */
export interface Published {
  readonly written: string;
  readonly published: string;
}

/**
 * Writes changes on top of the translation that was written last, and makes them the content of the target. What people
 * edited there since is kept, page by page and line by line; where the source changed the same line, the translation wins.
 */
export async function publishTarget(given: Given, target: SpaceRow, written: string, changes: ReadonlyMap<string, Entry | undefined>): Promise<Published> {
  const { tx } = given;
  const next = await editRevision(tx, given, { base: written, space: target.id, changes });
  if (next === written) return { written, published: target.revision };
  checkUnlocked(target);
  const published = target.revision === written ? next : await withEdits(given, target, { base: written, ours: next });
  await publishRevision(given, target, published);
  return { written: next, published };
}

async function withEdits(given: Given, { id, revision }: SpaceRow, { base, ours }: { readonly base: string; readonly ours: string }): Promise<string> {
  const { changes, conflicts } = await mergeContents(given.tx, { base, ours, theirs: revision }, { take: 'ours' });
  const parents = [revision, ours];
  // What no side can be taken of, such as pages moved into each other, is as the source has it; the edits stay in the history.
  if (conflicts.length > 0) return adoptRevision(given.tx, given, { content: ours, type: 'merge', parents });
  return editRevision(given.tx, given, { base: revision, space: id, changes, type: 'merge', parents });
}
