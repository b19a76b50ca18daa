import type { Static } from '../../contract/schema.ts';
import { extendContext, type Handler, type ReadContext, type UrlContext } from '../../core/handler.ts';
import { both, listPage, titleFilter } from '../../core/listing.ts';
import {
  can,
  contentRole,
  isOrganizationAdmin,
  type EffectiveRole,
  type Subject,
  visibleTo,
} from '../../core/permissions.ts';
import { collections, spaces, type CollectionRow } from '../../core/rows/spaces.ts';
import { defined } from '../../contract/values.ts';
import { readPlaces } from '../sites/publication.ts';
import { shapeForCaller as shapeSpaceForCaller } from '../spaces/shape.ts';
import { removePermissionsOn } from '../permissions/rules.ts';
import type * as contract from './contract.ts';
import { checkNesting, findParent, findReceiver, positionAmong, positionBeside } from './rules.ts';
import { transferContents, moveContentsUp } from './move-contents.ts';

export const listCollections: Handler<typeof contract.listCollections> = async (context, { query }) => {
  const { tx, organization } = context;
  const selection =
    query.nested === false
      ? ({ index: 'byParent', equals: [organization.id, null] } as const)
      : ({ index: 'byOrganization', equals: [organization.id] } as const);
  const filter = both<CollectionRow>(titleFilter(query.title), visibleTo(tx, context));
  return listPage(tx, { table: collections, ...selection, filter }, query, (row) =>
    shapeForCaller(context, row),
  );
};

export const createCollection: Handler<typeof contract.createCollection> = async (context, { body }) => {
  const { tx, organization } = context;
  const parent = await findParent(
    context,
    organization.id,
    body.parent ?? null,
    undefined,
    'create a collection',
  );
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
  return shapeForCaller(context, row);
};

export const deleteCollection: Handler<typeof contract.deleteCollection> = async (context) => {
  const { tx, collection } = context;
  await moveContentsUp(context, collection);
  await removePermissionsOn(tx, collection.id);
  await tx.remove(collections, collection.id);
};

export const listSpacesInCollection: Handler<typeof contract.listSpacesInCollection> = async (
  context,
  { query },
) => {
  const { tx, collection } = context;
  const places = await readPlaces(tx, collection.organization);
  return listPage(
    tx,
    {
      table: spaces,
      index: 'byParent',
      equals: [collection.organization, collection.id, 'live'],
      filter: visibleTo(tx, context),
    },
    query,
    (row) => shapeSpaceForCaller(extendContext(context, { places }), row),
  );
};

export const moveCollection: Handler<typeof contract.moveCollection> = async (context, { body }) => {
  const { tx, collection } = context;
  const parent = await findParent(
    context,
    collection.organization,
    body.parent === undefined ? collection.parent : body.parent,
    collection.parent,
  );
  await checkNesting(tx, collection, parent);
  const position = await positionBeside(context, collection.organization, parent?.id ?? null, body.position);
  const row = await tx.update(collections, collection.id, { parent: parent?.id ?? null, position });
  return shapeForCaller(context, row);
};

export const transferCollection: Handler<typeof contract.transferCollection> = async (context, { body }) => {
  const { tx, collection } = context;
  const target = await findReceiver(context, collection.organization, body.organization, 'collection');
  const { organization } = target;
  await transferContents(context, collection, organization.id);
  await removePermissionsOn(tx, collection.id);
  const position = await positionAmong(tx, organization.id, null);
  const row = await tx.update(collections, collection.id, {
    organization: organization.id,
    parent: null,
    position,
  });
  return shapeCollection({ ...context, ...target }, row, target.role);
};

function shapeCollection(
  context: UrlContext & Pick<Subject, 'memberRole' | 'maxRole'>,
  row: CollectionRow,
  role: EffectiveRole,
): Static<typeof contract.Collection> {
  const { url } = context;
  return defined({
    object: 'collection',
    id: row.id,
    title: row.title,
    description: row.description,
    organization: row.organization,
    parent: row.parent ?? undefined,
    defaultLevel: row.defaultLevel,
    urls: { location: url(`/v1/collections/${row.id}`), app: url(`/o/${row.organization}/c/${row.id}`) },
    permissions: {
      view: can(role, 'read'),
      admin: can(role, 'admin'),
      // Invite links belong to the organization, not to collections.
      viewInviteLinks: isOrganizationAdmin(context),
      create: can(role, 'create'),
    },
  });
}

async function shapeForCaller(
  context: ReadContext & Subject,
  row: CollectionRow,
): Promise<Static<typeof contract.Collection>> {
  return shapeCollection(context, row, await contentRole(context.tx, context, row));
}
