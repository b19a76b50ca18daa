import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, Id, nullable, Type } from '../../contract/schema.ts';
import { Icon } from '../../contract/shapes.ts';
import {
  Condition,
  moveFlags,
  PublishedUrls,
  ShareKey,
  SitePath,
  SiteSpace,
} from '../site-spaces/contract.ts';

const SectionTitle = Type.String({ minLength: 2, maxLength: 128 });
const Description = Type.String({ maxLength: 256 });

/** A tab of a site, with one or more spaces as its variants. */
export const SiteSection = closed({
  object: Type.Literal('site-section'),
  id: Id,
  title: SectionTitle,
  description: Type.Optional(Description),
  default: Type.Boolean(),
  path: SitePath,
  condition: Type.Optional(Condition),
  sectionGroup: Type.Optional(Id),
  icon: Type.Optional(Icon),
  siteSpaces: Type.Array(SiteSpace),
  urls: PublishedUrls,
});

const columns = ['title', 'path', 'default', 'sectionGroup', 'id'];

export const listSiteSections = operation({
  id: 'sites.sections.list',
  route: 'GET /orgs/:organizationId/sites/:siteId/sections',
  summary: 'List the sections of a site: those at its root, then group by group',
  access: 'site.read',
  query: { shareKey: ShareKey },
  returns: listOf(SiteSection),
  cli: { columns, examples: ['docsctl sites sections list Docs'] },
});

export const addSection = operation({
  id: 'sites.sections.add',
  route: 'POST /orgs/:organizationId/sites/:siteId/sections',
  summary: 'Add a section to a site, with a space as its first variant',
  description:
    'The first section of a site becomes its default. Where the site had spaces at its root, they become a section of their own first, titled like the default one of them, and stay the default. Asks for the role admin, as all that changes a site.',
  access: 'site.admin',
  body: closed({
    spaceId: Id,
    title: Type.Optional(nullable(SectionTitle)),
    icon: Type.Optional(nullable(Icon)),
    siteSectionGroupId: Type.Optional(Id),
  }),
  returns: created(SiteSection),
  cli: {
    columns,
    positional: ['spaceId'],
    examples: ['docsctl sites sections add spc_1 --site Docs --title Guides'],
  },
});

export const deleteSection = operation({
  id: 'sites.sections.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId/sections/:siteSectionId',
  summary: 'Delete a section of a site; its spaces stay',
  description: 'Where it was the default section, the first one left becomes it.',
  access: 'site.admin',
  returns: noContent(),
});

export const updateSection = operation({
  id: 'sites.sections.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/sections/:siteSectionId',
  summary: 'Change a section of a site',
  access: 'site.admin',
  body: closed({
    title: Type.Optional(SectionTitle),
    path: Type.Optional(SitePath),
    defaultSiteSpace: Type.Optional(Id),
    condition: Type.Optional(nullable(Condition)),
    icon: Type.Optional(nullable(Icon)),
    description: Type.Optional(nullable(Description)),
    siteSectionGroupId: Type.Optional(nullable(Id)),
  }),
  returns: ok(SiteSection),
  cli: { columns, examples: ['docsctl sites sections update Guides --site Docs --path guides'] },
});

const Neighbour = closed({ type: Type.Literal('site-section'), siteSection: Id });

export const moveSection = operation({
  id: 'sites.sections.move',
  route: 'POST /orgs/:organizationId/sites/:siteId/sections/:siteSectionId/move',
  summary: 'Move a section among its neighbours; use `sites sort` instead',
  description:
    'Without a position it goes to the end. The neighbour has to be of the same group, or of the root.',
  access: 'site.admin',
  deprecated: true,
  body: closed({
    position: Type.Optional(closed({ before: Type.Optional(Neighbour), after: Type.Optional(Neighbour) })),
  }),
  returns: ok(SiteSection),
  cli: {
    columns,
    flags: moveFlags('SECTION', { type: 'site-section', siteSection: '$' }),
  },
});
