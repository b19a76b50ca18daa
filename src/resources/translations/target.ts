import type { WriteContext } from '../../core/handler.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import type { TranslationRow } from './rows.ts';

import { languageName } from '../../translation/language-name.ts';
import { checkUnlocked } from '../change-requests/rules.ts';
import { positionAmong } from '../collections/rules.ts';
import { mergeContents } from '../../content/merge-contents.ts';
import { publishRevision } from '../content/publish.ts';
import { adoptRevision, createInitialRevision, editRevision } from '../../content/revisions.ts';
import { newSpaceRow } from '../spaces/rows.ts';
import {
  editedEntries,
  settleEdits,
  staysAway,
  type EditsCount,
  type RevisionPair,
  type Revisions,
} from './edits.ts';
import type { Entry } from '../../content/rows.ts';
import { defined } from '../../contract/values.ts';

/** The space that a translation is written to, with the look, place and rules of its source. */
export async function createTarget(
  context: WriteContext,
  source: SpaceRow,
  { language }: TranslationRow,
): Promise<SpaceRow> {
  const { tx, now, newId } = context;
  const { organization, parent, emoji, icon, mergeRules, defaultLevel, visibility } = source;
  const id = newId('spc');
  const row = newSpaceRow(
    now,
    defined({
      id,
      organization,
      parent,
      position: await positionAmong(tx, organization, parent),
      title: titleOf(source.title, languageName(language)),
      emoji,
      icon,
      visibility,
      mergeRules,
      defaultLevel,
      language,
      revision: await createInitialRevision(tx, context, { organization, space: id }),
    }),
  );
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
  readonly edits: EditsCount;
}

/** The translation that was written last, and the revisions of the source that it and the new one are of. */
export interface Written {
  readonly written: string;
  readonly source: RevisionPair;
}

const noEdits: EditsCount = { kept: 0, replaced: 0 };

/**
 * Writes changes on top of the translation that was written last, and makes them the content of the target. What people
 * edited there since is kept, page by page and line by line; where the source changed the same line, the translation wins.
 */
export async function publishTarget(
  context: WriteContext,
  target: SpaceRow,
  { written, source }: Written,
  changes: ReadonlyMap<string, Entry | undefined>,
): Promise<Published> {
  const { tx } = context;
  const next = await editRevision(tx, context, { base: written, space: target.id, changes });
  if (next === written) return { written, published: target.revision, edits: noEdits };
  checkUnlocked(target);
  const { published, edits } =
    target.revision === written
      ? { published: next, edits: noEdits }
      : await withEdits(context, target, { source, written: [written, next] });
  await publishRevision(context, target, published);
  return { written: next, published, edits };
}

async function withEdits(
  context: WriteContext,
  { id, revision }: SpaceRow,
  { source, written }: Pick<Revisions, 'source' | 'written'>,
): Promise<Omit<Published, 'written'>> {
  const { tx } = context;
  const [base, next] = written;
  const edited = await editedEntries(tx, { source, written, edited: revision });
  const away = new Map(edited.filter(staysAway).map((each) => [each.id, each.written[0]]));
  const ours = await editRevision(tx, context, { base: next, space: id, changes: away });
  const { changes, conflicts } = await mergeContents(tx, { base, ours, theirs: revision }, { take: 'ours' });
  const parents = [revision, next];
  // What no side can be taken of, such as pages moved into each other, is as the source has it; the edits stay in the history.
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
      replaced += Number(!away.has(each.id) && each.edited !== each.written[1]);
    else {
      const settled = await settleEdits(tx, each, entry);
      merged.set(each.id, settled.entry);
      kept += settled.kept;
      replaced += settled.replaced;
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
