import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Id, nonBlank, optional, Type, Url } from '../../contract/schema.ts';
import { DefaultLevel } from '../../contract/shapes.ts';
import { Move, moveFlags, Space } from '../spaces/contract.ts';

export const nounHelp: NounHelp = {
  description:
    'A collection is a folder of spaces and other collections. A role on a collection also applies to the spaces and collections in it. It does not apply where the person has another permission, or where a default level (a role for all members) is set.',
  examples: ['docsctl collections list', 'docsctl collections create --title Guides --parent Product'],
};

const Title = Type.String({ maxLength: 50, description: 'title of the collection' });
const InputTitle = nonBlank({ maxLength: 50, description: 'title of the collection' });
const Description = Type.String({
  maxLength: 100,
  description: 'one line about the purpose of the collection',
});

/** A group of spaces. */
export const Collection = closed({
  object: Type.Literal('collection'),
  id: Id,
  title: Title,
  description: Type.Optional(Description),
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
  description:
    'Lists the collections that you can open: first those at the top level, then those in each collection, both in the order that `docsctl collections move` sets. Guests (members without a role) see only collections that they have a permission on.',
  access: 'org.member',
  query: optional({
    nested: Type.Boolean({
      default: true,
      description: 'also list collections inside other collections (default: true)',
    }),
    title: Type.String({ maxLength: 50, description: 'only collections whose title contains this text' }),
  }),
  returns: listOf(Collection),
  cli: {
    columns,
    examples: ['docsctl collections list', 'docsctl collections list --no-nested --all -o json'],
  },
});

export const createCollection = operation({
  id: 'collections.create',
  route: 'POST /orgs/:organizationId/collections',
  summary: 'Create a collection',
  description:
    'With `parent`, you need the create role on that collection. Otherwise, you need it in the organization.',
  access: 'org.member',
  body: closed(
    optional({
      title: { ...InputTitle, description: 'title of the collection (default: Untitled)' },
      parent: Type.String({ ...Id, description: 'collection to create it in (default: the top level)' }),
    }),
  ),
  returns: created(Collection),
  cli: {
    columns,
    positional: ['title'],
    examples: [
      'docsctl collections create --title Legal',
      'docsctl collections create --title Guides --parent Product',
    ],
  },
});

export const getCollection = operation({
  id: 'collections.get',
  route: 'GET /collections/:collectionId',
  summary: 'Show a collection',
  access: 'collection.read',
  returns: ok(Collection),
  cli: { columns, examples: ['docsctl collections get Product'] },
});

export const updateCollection = operation({
  id: 'collections.update',
  route: 'PATCH /collections/:collectionId',
  summary: 'Change the title, description or default level of a collection',
  access: 'collection.admin',
  body: closed(
    optional({
      title: InputTitle,
      description: Description,
      defaultLevel: DefaultLevel,
    }),
  ),
  returns: ok(Collection),
  cli: {
    columns,
    examples: [
      'docsctl collections update Product --default-level edit',
      'docsctl collections update Product --description "Guides and reference"',
    ],
  },
});

export const deleteCollection = operation({
  id: 'collections.delete',
  route: 'DELETE /collections/:collectionId',
  summary: 'Delete a collection and keep its spaces',
  description:
    'Its spaces and collections move into its parent collection, or else to the top level. They no longer inherit roles from the deleted collection. If members or teams have the role `none` on the collection, this role is removed as well, so they may then be able to open the spaces. If the collection is not empty, you need the create role on the parent collection, or else in the organization. No space is deleted.',
  access: 'collection.admin',
  returns: noContent(),
  cli: { examples: ['docsctl collections delete Archive --yes'] },
});

export const listSpacesInCollection = operation({
  id: 'collections.spaces',
  route: 'GET /collections/:collectionId/spaces',
  summary: 'List the spaces of a collection in order',
  description:
    'Lists them in the order that `docsctl spaces move` sets. Spaces of collections inside the collection are not listed.',
  access: 'collection.read',
  returns: listOf(Space),
  cli: {
    columns: ['title', 'visibility', 'updatedAt', 'id'],
    examples: ['docsctl collections spaces Product'],
  },
});

export const moveCollection = operation({
  id: 'collections.move',
  route: 'POST /collections/:collectionId/move',
  summary: 'Move a collection to another collection or position',
  description:
    'The spaces and collections inside the collection move with it. `parent: null` moves the collection to the top level. Without `position`, it goes to the end. You need the create role on the collection that it moves into, or in the organization if it moves to the top level.',
  access: 'collection.admin',
  body: Move,
  returns: ok(Collection),
  cli: {
    columns,
    flags: moveFlags,
    examples: [
      'docsctl collections move Archive --parent Product',
      'docsctl collections move Archive --before-collection Product',
    ],
  },
});

export const transferCollection = operation({
  id: 'collections.transfer',
  route: 'POST /collections/:collectionId/transfer',
  summary: 'Move a collection with all its spaces to another organization',
  description:
    'You need the admin role on everything in the collection, and the create role in the organization that receives the collection. On a server, you need a token for all organizations, such as the one that `docsctl init` printed. The collection moves to the top level of the other organization. Sites stop showing its spaces. Roles that were given on the collection and its contents are removed, as are the integrations and git synchronizations of its spaces.',
  access: 'collection.admin',
  body: closed({
    organization: Type.String({ ...Id, description: 'organization that receives the collection' }),
  }),
  returns: ok(Collection),
  cli: {
    columns,
    destructive: true,
    examples: ['docsctl collections transfer Archive --organization "Acme Labs" --yes'],
  },
});
