import { generatedOf } from '../../content/search-catch-up.ts';
import { copyRevision } from '../../content/revisions.ts';
import { defined } from '../../contract/values.ts';
import type { WriteContext } from '../../core/handler.ts';
import type { Subject } from '../../core/permissions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { findParent, positionAmong } from '../collections/rules.ts';
import { copyPermissions } from '../permissions/rules.ts';
import { newSpaceRow } from './rows.ts';

/**
 * Copies a space into its collection with a new title. Copies its content, settings and permissions, but not its change requests,
 * comments and earlier revisions.
 */
export async function copySpace(
  context: WriteContext & Subject,
  space: SpaceRow,
  title: string = space.title,
): Promise<SpaceRow> {
  const { tx } = context;
  const { emoji, icon, editMode, mergeRules, language, defaultLevel, organization, parent } = space;
  await findParent(context, organization, parent);
  const id = context.newId('spc');
  const revision = await copyRevision(tx, context, { from: space.revision, source: space.id, space: id });
  const row = newSpaceRow(
    context.now,
    defined({
      id,
      organization,
      parent,
      title,
      emoji,
      editMode,
      mergeRules,
      defaultLevel,
      icon,
      language,
      position: await positionAmong(tx, organization, parent),
      revision,
      words: { at: null },
      generated: await generatedOf(tx, revision),
    }),
  );
  await tx.insert(spaces, row);
  await copyPermissions(tx, space, id);
  return row;
}
