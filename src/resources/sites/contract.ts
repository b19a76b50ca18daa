import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, nullable, oneOf, Type, Url } from '../../contract/schema.ts';
import { siteVisibilities } from '../../contract/shapes.ts';
import { ShareKey } from '../site-spaces/contract.ts';
import {
  SiteCustomization,
  SiteScript,
  SiteStructure,
  SiteStructureItem,
  StructurePointer,
} from '../site-structure/contract.ts';

const Title = Type.String({ minLength: 2, maxLength: 128 });
const Basename = Type.String({ minLength: 1, maxLength: 100 });
const ProxyOrigin = Type.String({
  maxLength: 512,
  pattern: '^([\\w-]+\\.)*[\\w-]+\\.[a-zA-Z]{2,}(\\/[\\w-]+)+$',
  description: 'Host and path, such as example.com/docs',
});
const SiteType = oneOf(['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium']);
const AgentsContext = oneOf(['included', 'excluded']);
const AdaptiveContent = closed({ enabled: Type.Boolean() });

/** A visitor token, as the backend of the site signs it. */
const VisitorToken = Type.Optional(
  Type.String({ maxLength: 8192, description: 'Signed token of a visitor: show what that visitor sees' }),
);
const Claims = Type.Optional(
  Type.String({
    maxLength: 8192,
    description: 'Claims of a visitor as JSON, unsigned ones under "unsigned": show what such a visitor sees',
  }),
);

/** A published documentation site. */
export const Site = closed({
  object: Type.Literal('site'),
  id: Id,
  type: SiteType,
  title: Title,
  hostname: Type.Optional(Type.String({ maxLength: 512 })),
  basename: Type.Optional(Basename),
  proxy: Type.Optional(closed({ origin: ProxyOrigin, target: Url })),
  visibility: oneOf(siteVisibilities),
  published: Type.Boolean(),
  siteSpaces: Type.Integer({ minimum: 0 }),
  createdAt: DateTime,
  adaptiveContent: AdaptiveContent,
  agentsContext: AgentsContext,
  features: Type.Array(
    closed({
      id: Type.String(),
      plan: SiteType,
      frozen: Type.Boolean(),
      customizations: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  urls: closed({ location: Url, app: Url, published: Type.Optional(Url) }),
});

const columns = ['title', 'basename', 'visibility', 'published', 'siteSpaces', 'id'];

export const listSites = operation({
  id: 'sites.list',
  route: 'GET /orgs/:organizationId/sites',
  summary: 'List the sites of an organization',
  access: 'org.read',
  query: {
    space: Type.Optional(Type.String({ maxLength: 255, description: 'Only sites that show this space' })),
    title: Type.Optional(Type.String({ maxLength: 128, description: 'Only titles that contain this' })),
    published: Type.Optional(Type.Boolean()),
    type: Type.Optional(SiteType),
  },
  returns: listOf(Site),
  cli: { columns, examples: ['docsctl sites list --published'] },
});

export const createSite = operation({
  id: 'sites.create',
  route: 'POST /orgs/:organizationId/sites',
  summary: 'Create a site, with spaces if given; it is not published yet',
  description:
    'The first of the spaces is the one that opens. Changing the site later asks for the role admin.',
  access: 'org.create',
  body: closed({
    type: Type.Optional(SiteType),
    title: Type.Optional(Title),
    visibility: Type.Optional(oneOf(siteVisibilities)),
    spaces: Type.Optional(Type.Array(Id, { maxItems: 1000, uniqueItems: true })),
  }),
  returns: created(Site),
  cli: { columns, examples: ['docsctl sites create --title Docs --spaces spc_1'] },
});

export const getSite = operation({
  id: 'sites.get',
  route: 'GET /orgs/:organizationId/sites/:siteId',
  summary: 'Show a site',
  access: 'site.read',
  returns: ok(Site),
  cli: { columns },
});

export const deleteSite = operation({
  id: 'sites.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId',
  summary: 'Delete a site with its sections and share links; its spaces stay',
  access: 'site.admin',
  returns: noContent(),
});

export const updateSite = operation({
  id: 'sites.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId',
  summary: 'Change a site',
  description:
    'defaultSiteSpace is one at the root or, where the site has sections, one of its default section.',
  access: 'site.admin',
  body: closed({
    title: Type.Optional(Title),
    visibility: Type.Optional(oneOf(siteVisibilities)),
    basename: Type.Optional(Basename),
    adaptiveContent: Type.Optional(AdaptiveContent),
    agentsContext: Type.Optional(AgentsContext),
    defaultSiteSpace: Type.Optional(Id),
    defaultSiteSection: Type.Optional(Id),
    proxy: Type.Optional(nullable(ProxyOrigin)),
  }),
  returns: ok(Site),
  cli: {
    columns,
    examples: [
      'docsctl sites update Docs --visibility unlisted',
      'docsctl sites update Docs --proxy example.com/docs',
    ],
  },
});

export const publishSite = operation({
  id: 'sites.publish',
  route: 'POST /orgs/:organizationId/sites/:siteId/publish',
  summary: 'Publish a site to those its visibility names',
  description: 'A site without any space cannot be published.',
  access: 'site.admin',
  returns: ok(Site),
  cli: { columns, examples: ['docsctl sites publish Docs'] },
});

export const unpublishSite = operation({
  id: 'sites.unpublish',
  route: 'POST /orgs/:organizationId/sites/:siteId/unpublish',
  summary: 'Take a site off the web; nothing of it is lost',
  access: 'site.admin',
  returns: ok(Site),
  cli: { columns, destructive: true },
});

export const getPublishedSite = operation({
  id: 'sites.published',
  route: 'GET /orgs/:organizationId/sites/:siteId/published',
  summary: 'Show all that a published site is made of',
  description:
    'Not found while the site is not published. Where its visibility is share-link, a shareKey that is given has to be the key of an active link. With claims or a visitor token the structure is what that visitor sees: sections and spaces whose conditions hold; without them it is the whole, with the conditions of each.',
  access: 'site.read',
  query: { shareKey: ShareKey, visitorToken: VisitorToken, claims: Claims },
  returns: ok(
    closed({
      object: Type.Literal('published-content-site'),
      site: Site,
      structure: SiteStructure,
      customizations: closed({ site: SiteCustomization, siteSpaces: closed({}) }),
      scripts: Type.Array(SiteScript),
    }),
  ),
  cli: { columns: ['site.title', 'site.urls.published', 'structure.type'] },
});

export const getSiteStructure = operation({
  id: 'sites.structure',
  route: 'GET /orgs/:organizationId/sites/:siteId/structure',
  summary: 'Show the sections, groups and spaces of a site in their order',
  access: 'site.read',
  query: { shareKey: ShareKey },
  returns: ok(SiteStructure),
  cli: { examples: ['docsctl sites structure Docs'] },
});

const things = {
  'site-space': 'site space',
  'site-section': 'section',
  'site-section-group': 'section group',
} as const;
const pointerFlags = Object.entries(things).flatMap(([type, name]) => {
  const word = name.replace(' ', '-');
  return [
    { name: word, value: 'ID', summary: `The ${name} to move`, template: { item: { type, id: '$' } } },
    {
      name: `before-${word}`,
      value: 'ID',
      summary: `Put it before this ${name}`,
      template: { position: { before: { type, id: '$' } } },
    },
    {
      name: `after-${word}`,
      value: 'ID',
      summary: `Put it after this ${name}`,
      template: { position: { after: { type, id: '$' } } },
    },
  ];
});

export const sortSiteStructure = operation({
  id: 'sites.sort',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/structure/sort',
  summary: 'Move a section, group or space of a site among its neighbours',
  description:
    'The neighbour has to be of the same level: sections and groups of one group or of the root, spaces of one section. With neither before nor after it goes to the end.',
  access: 'site.admin',
  body: closed({
    item: StructurePointer,
    position: closed({ before: Type.Optional(StructurePointer), after: Type.Optional(StructurePointer) }),
  }),
  returns: ok(SiteStructureItem),
  cli: {
    flags: pointerFlags,
    examples: ['docsctl sites sort Docs --section sitesc_2 --before-section sitesc_1'],
  },
});
