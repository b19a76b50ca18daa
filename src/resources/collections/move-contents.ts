import type { ChangeContext } from '../../core/handler.ts';
import { collections, spaces, type CollectionRow, type SpaceRow } from '../../core/rows/spaces.ts';
import { eachRow, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { moveSpaceToOrganization } from '../spaces/rules.ts';
import { positionAmong } from './rules.ts';

/** Everything directly in a collection, deleted spaces too. */
async function directContents(
  view: ReadTransaction,
  collection: CollectionRow,
): Promise<{ inner: CollectionRow[]; held: SpaceRow[] }> {
  const inner: CollectionRow[] = [];
  const held: SpaceRow[] = [];
  for await (const row of eachRow(view, collections, 'byParent', [collection.organization, collection.id]))
    inner.push(row);
  for (const state of ['live', 'deleted']) {
    for await (const row of eachRow(view, spaces, 'byParent', [
      collection.organization,
      collection.id,
      state,
    ]))
      held.push(row);
  }
  return { inner, held };
}

/** Moves what a collection holds to its parent, in order behind what is there: deleting a collection loses nothing. */
export async function moveContentsUp(tx: WriteTransaction, collection: CollectionRow): Promise<void> {
  const { inner, held } = await directContents(tx, collection);
  const rows = [
    ...inner.map((row) => ({ row, table: collections })),
    ...held.map((row) => ({ row, table: spaces })),
  ];
  rows.sort((one, other) => (one.row.position < other.row.position ? -1 : 1));
  for (const { row, table } of rows) {
    const position = await positionAmong(tx, collection.organization, collection.parent);
    await tx.update(table, row.id, { parent: collection.parent, position });
  }
}

/** Gives everything inside a collection, however deep, to another organization. */
export async function transferContents(
  context: ChangeContext,
  collection: CollectionRow,
  organization: string,
): Promise<void> {
  const { tx } = context;
  const { inner, held } = await directContents(tx, collection);
  for (const row of held)
    await moveSpaceToOrganization(context, row, organization, {
      parent: collection.id,
      position: row.position,
    });
  for (const row of inner) {
    await transferContents(context, row, organization);
    await tx.update(collections, row.id, { organization });
  }
}
