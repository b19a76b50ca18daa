import { makeRedirectsField, movedRedirects } from '../site-redirects/schemas.ts';
import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Id, nonBlank, nullable, optional, Type, Url, type TSchema } from '../../contract/schema.ts';
import { addressPart, addressPartForm } from '../site-structure/schemas.ts';
import { Space } from '../spaces/contract.ts';

/** Returns the schema of the condition for showing a part of a site to a visitor: an expression over `visitor`. */
export const conditionOf = (part: 'link' | 'section' | 'space') =>
  Type.String({
    minLength: 1,
    maxLength: 1024,
    description: `expression that decides which visitors see the ${part}, such as visitor.claims.beta == true`,
  });
const Condition = conditionOf('space');
export const SitePath = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'last part of the address on the site, such as guides',
});
/** A path in a request. Responses may contain other paths, which were stored before paths were checked. */
export const NewSitePath = Type.String({
  ...SitePath,
  pattern: addressPart,
  description: `last part of the address on the site, such as guides: ${addressPartForm}`,
});
/** The key of a share link. With it, responses contain the addresses of a site with share links. */
export const ShareKey = Type.Optional(
  Type.String({
    maxLength: 255,
    description:
      'key of an active share link; sites with visibility share-link show published URLs only with it',
  }),
);
export const PublishedUrls = closed({ published: Type.Optional(Url) });

/** A space in a site. */
export const SiteSpace = closed({
  object: Type.Literal('site-space'),
  id: Id,
  path: SitePath,
  section: Type.Optional(Id),
  space: Space,
  title: Type.String({ maxLength: 128 }),
  default: Type.Boolean(),
  condition: Type.Optional(Condition),
  hasAdvancedCustomizationFeature: Type.Boolean(),
  hidden: Type.Boolean(),
  urls: PublishedUrls,
});

export const nounHelp: NounHelp = {
  description: `
A site space is the place of a space on a site: at the top level, or in one of its sections. One space can be shown on several sites and in several sections; its content is kept in the space itself.

To change the order of site spaces, use \`docsctl sites sort\`.`,
  examples: ['docsctl sites site-spaces add API --site Help', 'docsctl sites site-spaces list Help'],
};

const columns = ['title', 'path', 'default', 'hidden', 'section', 'id', 'space.id'];

export const listSiteSpaces = operation({
  id: 'sites.site-spaces.list',
  route: 'GET /orgs/:organizationId/sites/:siteId/site-spaces',
  summary: 'List the spaces that a site shows',
  description:
    'The spaces of the oldest section come first. In each section, they are listed in the order in which the site shows them.',
  access: 'site.read',
  query: {
    shareKey: ShareKey,
    default: Type.Optional(
      Type.Boolean({
        description: 'true: only the spaces that open first in their section; false: only the other spaces',
      }),
    ),
  },
  returns: listOf(SiteSpace),
  cli: { columns, examples: ['docsctl sites site-spaces list Docs'] },
});

export const addSiteSpace = operation({
  id: 'sites.site-spaces.add',
  route: 'POST /orgs/:organizationId/sites/:siteId/site-spaces',
  summary: 'Add a space to a site',
  description:
    'Without `sectionId`, the space goes to the default section. On a site without sections, it is added after the other spaces of the site. A section shows each space at most once. You also need the admin role on the space.',
  access: 'site.admin',
  body: closed({
    spaceId: Type.String({ ...Id, description: 'space to show' }),
    sectionId: Type.Optional(Type.String({ ...Id, description: 'section that will show the space' })),
    title: Type.Optional(
      nonBlank({
        minLength: 2,
        maxLength: 128,
        description: 'title to show (default: the title of the space)',
      }),
    ),
  }),
  returns: created(SiteSpace),
  cli: {
    columns,
    positional: ['spaceId'],
    examples: [
      'docsctl sites site-spaces add API --site Help',
      'docsctl sites site-spaces add "Old guide" --site Docs --section Guides --title v1',
    ],
  },
});

export const deleteSiteSpace = operation({
  id: 'sites.site-spaces.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId',
  summary: 'Remove a space from a site',
  description:
    'The space itself is kept. If it opened first on the site or in its section, the first remaining space becomes the default. To remove the last space of a section, delete the section. With `redirects`, a published site redirects the old paths of pages that it still shows elsewhere; `docsctl sites redirects list` shows these redirects.',
  access: 'site.admin',
  query: makeRedirectsField,
  returns: noContent(),
  cli: {
    examples: [
      'docsctl sites site-spaces delete old-guide --site Help --yes',
      'docsctl sites site-spaces delete old-guide --site Help --redirects --yes',
    ],
  },
});

export const updateSiteSpace = operation({
  id: 'sites.site-spaces.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId',
  summary: 'Change the path, condition or space of a site space, or hide it',
  description:
    'Only the given fields change. `condition: null` shows the space to everyone again. If pages of a published site move, the result lists the redirects that their old paths need. With `redirects`, docsctl creates these redirects.',
  access: 'site.admin',
  body: closed({
    ...optional({
      path: NewSitePath,
      condition: nullable(Condition),
      spaceId: Type.String({ ...Id, description: 'space to show instead, on which you need the admin role' }),
      hidden: Type.Boolean({
        description: 'whether the space is left out of the navigation; its address keeps working',
      }),
    }),
    ...makeRedirectsField,
  }),
  returns: ok(closed({ ...SiteSpace.properties, ...movedRedirects })),
  cli: {
    columns,
    examples: [
      'docsctl sites site-spaces update old-guide --site Help --hidden',
      'docsctl sites site-spaces update old-guide --site Help --path v1',
    ],
  },
});

/** Returns the body schema of a request that moves an item before or after a neighbor. */
export const moveBody = <T extends TSchema>(neighbor: T) =>
  closed({
    position: Type.Optional(
      closed(optional({ before: neighbor, after: neighbor }), {
        description: 'item next to the new position',
      }),
    ),
  });

/** Returns the flags that name the neighbor of a moved item. */
export const moveFlags = (word: string, neighbor: object) =>
  ['before', 'after'].map((name) => ({
    name,
    value: word.replace(' ', '-'),
    summary: `put it ${name} this ${word}, by path, title or ID`,
    template: { position: { [name]: neighbor } },
  }));

const Neighbor = closed({ type: Type.Literal('site-space'), siteSpace: Id });

export const duplicateSiteSpace = operation({
  id: 'sites.site-spaces.duplicate',
  route: 'POST /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/duplicate',
  summary: 'Copy a space of a site, and show the copy on the site',
  description:
    'Copies the space with its content and settings, like `docsctl spaces duplicate`. If the original is the only space of its section, the copy gets a new section at the end of the same level. Otherwise, the copy becomes another space of the same section or, without sections, of the site. You also need the admin role on the space, and the create role in its collection, or in the organization if it is at the top level.',
  access: 'site.admin',
  returns: created(SiteSpace),
  cli: { columns, examples: ['docsctl sites site-spaces duplicate guide --site Help'] },
});

export const moveSiteSpace = operation({
  id: 'sites.site-spaces.move',
  route: 'POST /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/move',
  summary: 'Move a site space before or after another one',
  description:
    'This command is deprecated: use `docsctl sites sort`. On a site with sections, both site spaces must be in the same section. `position: {}` moves the site space to the end.',
  access: 'site.admin',
  deprecated: true,
  body: moveBody(Neighbor),
  returns: ok(SiteSpace),
  cli: {
    columns,
    flags: moveFlags('site space', { type: 'site-space', siteSpace: '$' }),
    examples: ['docsctl sites site-spaces move old-guide --site Help --before guide'],
  },
});
