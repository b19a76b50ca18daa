import type { Static } from '../../contract/schema.ts';
import { organizationScope } from '../../core/authorize.ts';
import type { Handler, UrlContext } from '../../core/handler.ts';
import { listPage, titleFilter } from '../../core/listing.ts';
import { can, contentRole, type EffectiveRole } from '../../core/permissions.ts';
import { collections, spaces, type CollectionRow } from '../../core/rows/spaces.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { shapeSpace } from '../spaces/shape.ts';
import type * as contract from './contract.ts';
import { checkNesting, findParent, positionAmong } from './rules.ts';
import { transferContents, moveContentsUp } from './move-contents.ts';

export const listCollections: Handler<typeof contract.listCollections> = async (context, { query }) => {
  const { tx, organization } = context;
  const shape = async (row: CollectionRow) =>
    shapeCollection(context, row, await contentRole(tx, context.memberRole, context.maxRole, row));
  const selection =
    query.nested === false
      ? ({ index: 'byParent', equals: [organization.id, null] } as const)
      : ({ index: 'byOrganization', equals: [organization.id] } as const);
  return listPage(tx, { table: collections, ...selection, filter: titleFilter(query.title) }, query, shape);
};

export const createCollection: Handler<typeof contract.createCollection> = async (context, { body }) => {
  const { tx, organization } = context;
  const parent = await findParent(tx, organization.id, body.parent ?? null);
  await checkNesting(tx, undefined, parent);
  const row: CollectionRow = {
    id: context.newId('col'),
    organization: organization.id,
    title: body.title ?? 'Untitled',
    parent: parent?.id ?? null,
    defaultLevel: null,
    position: await positionAmong(tx, organization.id, parent?.id ?? null),
    createdAt: context.now,
  };
  await tx.insert(collections, row);
  return shapeCollection(context, row, context.role);
};

export const getCollection: Handler<typeof contract.getCollection> = async (context) =>
  shapeCollection(context, context.collection, context.role);

export const updateCollection: Handler<typeof contract.updateCollection> = async (context, { body }) => {
  const row = await context.tx.update(collections, context.collection.id, body);
  return shapeCollection(
    context,
    row,
    await contentRole(context.tx, context.memberRole, context.maxRole, row),
  );
};

export const deleteCollection: Handler<typeof contract.deleteCollection> = async ({ tx, collection }) => {
  await moveContentsUp(tx, collection);
  await tx.remove(collections, collection.id);
};

export const listSpacesInCollection: Handler<typeof contract.listSpacesInCollection> = async (
  context,
  { query },
) => {
  const { tx, collection } = context;
  return listPage(
    tx,
    { table: spaces, index: 'byParent', equals: [collection.organization, collection.id, 'live'] },
    query,
    async (row) => shapeSpace(context, row, await contentRole(tx, context.memberRole, context.maxRole, row)),
  );
};

export const moveCollection: Handler<typeof contract.moveCollection> = async (context, { body }) => {
  const { tx, collection } = context;
  const parent = await findParent(
    tx,
    collection.organization,
    body.parent === undefined ? collection.parent : body.parent,
  );
  await checkNesting(tx, collection.id, parent);
  const position = await positionAmong(tx, collection.organization, parent?.id ?? null, body.position);
  const row = await tx.update(collections, collection.id, { parent: parent?.id ?? null, position });
  return shapeCollection(context, row, await contentRole(tx, context.memberRole, context.maxRole, row));
};

export const transferCollection: Handler<typeof contract.transferCollection> = async (context, { body }) => {
  const { tx, collection } = context;
  const target = await organizationScope(tx, context.caller, body.organization, () =>
    notFound('organization', body.organization),
  );
  if (!can(target.role, 'create'))
    throw new Problem(
      'forbidden',
      'You need the role "create" in the organization that would receive the collection.',
    );
  if (target.organization.id === collection.organization)
    throw new Problem('conflict', 'The collection is in that organization already.');
  await transferContents(context, collection, target.organization.id);
  const position = await positionAmong(tx, target.organization.id, null);
  const row = await tx.update(collections, collection.id, {
    organization: target.organization.id,
    parent: null,
    position,
  });
  return shapeCollection(context, row, target.role);
};

function shapeCollection(
  { url }: UrlContext,
  row: CollectionRow,
  role: EffectiveRole,
): Static<typeof contract.Collection> {
  const admin = can(role, 'admin');
  return {
    object: 'collection',
    id: row.id,
    title: row.title,
    ...(row.description === undefined ? {} : { description: row.description }),
    organization: row.organization,
    ...(row.parent === null ? {} : { parent: row.parent }),
    defaultLevel: row.defaultLevel,
    urls: { location: url(`/v1/collections/${row.id}`), app: url(`/o/${row.organization}/c/${row.id}`) },
    permissions: { view: can(role, 'read'), admin, viewInviteLinks: admin, create: can(role, 'create') },
  };
}
