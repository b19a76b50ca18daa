import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, Id, Type, Url } from '../../contract/schema.ts';
import { DefaultLevel } from '../../contract/shapes.ts';
import { Move, moveFlags, Space } from '../spaces/contract.ts';

const Title = Type.String({ maxLength: 50 });

/** A group of spaces. */
export const Collection = closed({
  object: Type.Literal('collection'),
  id: Id,
  title: Title,
  description: Type.Optional(Type.String({ maxLength: 100 })),
  organization: Id,
  parent: Type.Optional(Id),
  defaultLevel: DefaultLevel,
  urls: closed({ location: Url, app: Url }),
  permissions: closed({
    view: Type.Boolean(),
    admin: Type.Boolean(),
    viewInviteLinks: Type.Boolean(),
    create: Type.Boolean(),
  }),
});

const columns = ['title', 'defaultLevel', 'parent', 'id'];

export const listCollections = operation({
  id: 'collections.list',
  route: 'GET /orgs/:organizationId/collections',
  summary: 'List the collections of an organization',
  access: 'org.read',
  query: {
    nested: Type.Optional(
      Type.Boolean({ default: true, description: 'Also those inside other collections' }),
    ),
    title: Type.Optional(Type.String({ maxLength: 50, description: 'Only titles that contain this' })),
  },
  returns: listOf(Collection),
  cli: { columns, examples: ['docsctl collections list --all -o json'] },
});

export const createCollection = operation({
  id: 'collections.create',
  route: 'POST /orgs/:organizationId/collections',
  summary: 'Create a collection',
  access: 'org.create',
  body: closed({ title: Type.Optional(Title), parent: Type.Optional(Id) }),
  returns: created(Collection),
  cli: { columns, examples: ['docsctl collections create --title Product'] },
});

export const getCollection = operation({
  id: 'collections.get',
  route: 'GET /collections/:collectionId',
  summary: 'Show a collection',
  access: 'collection.read',
  returns: ok(Collection),
  cli: { columns },
});

export const updateCollection = operation({
  id: 'collections.update',
  route: 'PATCH /collections/:collectionId',
  summary: 'Change the title, description or default level of a collection',
  access: 'collection.admin',
  body: closed({
    title: Type.Optional(Title),
    description: Type.Optional(Type.String({ maxLength: 100 })),
    defaultLevel: Type.Optional(DefaultLevel),
  }),
  returns: ok(Collection),
  cli: { columns, examples: ['docsctl collections update Product --default-level edit'] },
});

export const deleteCollection = operation({
  id: 'collections.delete',
  route: 'DELETE /collections/:collectionId',
  summary: 'Delete a collection; what it holds moves up to its parent',
  access: 'collection.admin',
  returns: noContent(),
});

export const listSpacesInCollection = operation({
  id: 'collections.spaces',
  route: 'GET /collections/:collectionId/spaces',
  summary: 'List the spaces of a collection, in their order',
  access: 'collection.read',
  returns: listOf(Space),
  cli: { columns: ['title', 'visibility', 'updatedAt', 'id'] },
});

export const moveCollection = operation({
  id: 'collections.move',
  route: 'POST /collections/:collectionId/move',
  summary: 'Move a collection into another one or to another place',
  access: 'collection.admin',
  body: Move,
  returns: ok(Collection),
  cli: {
    columns,
    flags: moveFlags,
    examples: ['docsctl collections move Guides --parent Product'],
  },
});

export const transferCollection = operation({
  id: 'collections.transfer',
  route: 'POST /collections/:collectionId/transfer',
  summary: 'Give a collection, and all it holds, to another organization',
  access: 'collection.admin',
  body: closed({ organization: Id }),
  returns: ok(Collection),
  cli: { columns, destructive: true },
});
