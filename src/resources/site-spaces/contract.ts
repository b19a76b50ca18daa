import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, Id, nullable, Type, Url } from '../../contract/schema.ts';
import { Space } from '../spaces/contract.ts';

/** The condition on which a visitor sees an item of a site, as the text of an expression over `visitor`. */
export const Condition = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Expression over the visitor, such as visitor.claims.beta == true',
});
export const SitePath = Type.String({ minLength: 1, maxLength: 100 });
/** The key of a share link, which reveals the addresses of a share-link site. */
export const ShareKey = Type.Optional(
  Type.String({ maxLength: 255, description: 'Key of an active share link, to resolve published URLs' }),
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

const columns = ['title', 'path', 'default', 'hidden', 'section', 'id', 'space.id'];

export const listSiteSpaces = operation({
  id: 'sites.site-spaces.list',
  route: 'GET /orgs/:organizationId/sites/:siteId/site-spaces',
  summary: 'List the spaces of a site, section by section in their order',
  access: 'site.read',
  query: {
    shareKey: ShareKey,
    default: Type.Optional(
      Type.Boolean({ description: 'true: only those that open by default; false: only the others' }),
    ),
  },
  returns: listOf(SiteSpace),
  cli: { columns, examples: ['docsctl sites site-spaces list Docs'] },
});

export const addSiteSpace = operation({
  id: 'sites.site-spaces.add',
  route: 'POST /orgs/:organizationId/sites/:siteId/site-spaces',
  summary: 'Add a space to a site, or to one of its sections',
  description:
    'Without a section it goes to the default section, or to the root of a site that has no sections. A section holds a space at most once. Asks for the role admin, as all that changes a site.',
  access: 'site.admin',
  body: closed({
    spaceId: Id,
    sectionId: Type.Optional(Id),
    title: Type.Optional(
      Type.String({ minLength: 2, maxLength: 128, description: 'Shown instead of the title of the space' }),
    ),
  }),
  returns: created(SiteSpace),
  cli: { columns, positional: ['spaceId'], examples: ['docsctl sites site-spaces add spc_1 --site Docs'] },
});

export const deleteSiteSpace = operation({
  id: 'sites.site-spaces.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId',
  summary: 'Take a space out of a site; the space itself stays',
  description:
    'Where it was the default, the first one left becomes it. The last one of a section can only go with the section.',
  access: 'site.admin',
  returns: noContent(),
});

export const updateSiteSpace = operation({
  id: 'sites.site-spaces.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId',
  summary: 'Change the path, condition, space or visibility in navigation of a site space',
  access: 'site.admin',
  body: closed({
    path: Type.Optional(SitePath),
    condition: Type.Optional(nullable(Condition)),
    spaceId: Type.Optional(Id),
    hidden: Type.Optional(Type.Boolean()),
  }),
  returns: ok(SiteSpace),
  cli: { columns, examples: ['docsctl sites site-spaces update sitesp_1 --site Docs --hidden'] },
});

/** The flags that name the neighbor of an item that moves. */
export const moveFlags = (value: string, neighbor: object) =>
  ['before', 'after'].map((name) => ({
    name,
    value,
    summary: `Put it ${name} this one`,
    template: { position: { [name]: neighbor } },
  }));

const Neighbour = closed({ type: Type.Literal('site-space'), siteSpace: Id });

export const moveSiteSpace = operation({
  id: 'sites.site-spaces.move',
  route: 'POST /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/move',
  summary: 'Move a site space among those of its section; use `sites sort` instead',
  description: 'Without a position it goes to the end. The neighbour has to be of the same section.',
  access: 'site.admin',
  deprecated: true,
  body: closed({
    position: Type.Optional(closed({ before: Type.Optional(Neighbour), after: Type.Optional(Neighbour) })),
  }),
  returns: ok(SiteSpace),
  cli: {
    columns,
    flags: moveFlags('SITE-SPACE', { type: 'site-space', siteSpace: '$' }),
  },
});
