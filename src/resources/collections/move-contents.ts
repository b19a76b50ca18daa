import type { ChangeContext, WriteContext } from '../../core/handler.ts';
import { collections, spaces, type CollectionRow, type SpaceRow } from '../../core/rows/spaces.ts';
import { can, contentRole, type Subject } from '../../core/permissions.ts';
import { collectRows, type ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { removePermissionsOn } from '../permissions/rules.ts';
import { moveSpaceToOrganization } from '../spaces/transfer-space.ts';
import { findParent, positionAmong } from './rules.ts';

/** Returns the collections and spaces directly in a collection, including deleted spaces. */
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

/**
 * Moves the contents of a collection to the end of its parent, keeping their order.
 *
 * @throws Problem(forbidden) if the caller may not add content to the parent
 */
export async function moveContentsUp(
  context: WriteContext & Subject,
  collection: CollectionRow,
): Promise<void> {
  const { tx } = context;
  const { innerCollections, innerSpaces } = await readContents(tx, collection);
  if (innerCollections.length > 0 || innerSpaces.some(({ state }) => state === 'live'))
    await findParent(context, collection.organization, collection.parent);
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
 * Moves everything inside a collection, at any depth, to another organization. The permissions of that organization then apply.
 *
 * @throws Problem(forbidden) if the caller does not administer all of it
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
        'The collection contains spaces or collections that you do not administer.',
        {
          hint: 'Ask an administrator of the organization to transfer the collection.',
        },
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
