import { can, contentRole, type Subject } from '../../core/permissions.ts';
import { Problem } from '../../errors/problem.ts';
import type { ChangeContext } from '../../core/handler.ts';
import { collections, spaces, type CollectionRow, type SpaceRow } from '../../core/rows/spaces.ts';
import { collectRows, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { removePermissionsOn } from '../permissions/rules.ts';
import { moveSpaceToOrganization } from '../spaces/transfer-space.ts';
import { positionAmong } from './rules.ts';

/** The collections and spaces directly in a collection, deleted spaces included. */
async function readContents(
  view: ReadTransaction,
  { organization, id }: CollectionRow,
): Promise<{ innerCollections: CollectionRow[]; innerSpaces: SpaceRow[] }> {
  return {
    innerCollections: await collectRows(view, collections, 'byParent', [organization, id]),
    innerSpaces: [
      ...(await collectRows(view, spaces, 'byParent', [organization, id, 'live'])),
      ...(await collectRows(view, spaces, 'byParent', [organization, id, 'deleted'])),
    ],
  };
}

/** Moves the contents of a collection to the end of its parent, in their order. */
export async function moveContentsUp(tx: WriteTransaction, collection: CollectionRow): Promise<void> {
  const { innerCollections, innerSpaces } = await readContents(tx, collection);
  const rows = [
    ...innerCollections.map((row) => ({ row, table: collections })),
    ...innerSpaces.map((row) => ({ row, table: spaces })),
  ];
  rows.sort((one, other) => (one.row.position < other.row.position ? -1 : 1));
  for (const { row, table } of rows) {
    const position = await positionAmong(tx, collection.organization, collection.parent);
    await tx.update(table, row.id, { parent: collection.parent, position });
  }
}

/**
 * Moves everything inside a collection, at any depth, to another organization.
 * @throws Problem(forbidden) where the caller is no administrator of a part of it
 */
export async function transferContents(
  context: ChangeContext & Subject,
  collection: CollectionRow,
  organization: string,
): Promise<void> {
  const { tx } = context;
  const { innerCollections, innerSpaces } = await readContents(tx, collection);
  for (const row of [...innerSpaces, ...innerCollections])
    if (!can(await contentRole(tx, context, row), 'admin'))
      throw new Problem(
        'forbidden',
        'To move a collection to another organization, you need the admin role on everything in it.',
        { hint: 'Ask an administrator of the organization to move it.' },
      );
  for (const row of innerSpaces)
    await moveSpaceToOrganization(context, row, organization, {
      parent: collection.id,
      position: row.position,
    });
  for (const row of innerCollections) {
    await transferContents(context, row, organization);
    await removePermissionsOn(tx, row.id);
    await tx.update(collections, row.id, { organization });
  }
}
