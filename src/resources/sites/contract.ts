import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import {
  closed,
  DateTime,
  Id,
  nonBlank,
  nullable,
  oneOf,
  optional,
  Type,
  Url,
  type Static,
} from '../../contract/schema.ts';
import { siteVisibilities } from '../../contract/shapes.ts';
import { makeRedirectsField, movedRedirects } from '../site-redirects/schemas.ts';
import { ShareKey } from '../site-spaces/contract.ts';
import { addressPart, addressPartForm } from '../site-structure/schemas.ts';
import { SiteCustomization } from '../site-customization/schemas.ts';
import {
  SiteScript,
  SiteStructure,
  SiteStructureItem,
  StructurePointer,
} from '../site-structure/contract.ts';

const Title = nonBlank({
  minLength: 2,
  maxLength: 128,
  description: 'title of the site, 2 to 128 characters',
});
const Basename = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'last part of the address of the site, unique in the organization',
});
const NewBasename = Type.String({
  ...Basename,
  pattern: addressPart,
  description: `last part of the address of the site, unique in the organization: ${addressPartForm}`,
});
const ProxyOrigin = Type.String({
  maxLength: 512,
  pattern: '^([\\w-]+\\.)*[\\w-]+\\.[a-zA-Z]{2,}(\\/[\\w-]+)+$',
  description: 'host and path that show the site through your own proxy, such as example.com/docs',
});
const siteTypes = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
const SiteType = oneOf(siteTypes, { description: 'plan of the site, which changes nothing in docsctl' });
const whoCanOpen =
  'who can open the published site. public: everyone; unlisted: everyone, but search engines do not list it; share-link: people with a share link; visitor-auth: visitors that your backend signs in';
const SiteVisibility = oneOf(siteVisibilities, { description: whoCanOpen });
const AgentsContext = oneOf(['included', 'excluded'], {
  description:
    'whether AI agents may use the site: with excluded, robots.txt disallows them, and llms.txt and the MCP server are off',
});
const AdaptiveContent = closed(
  { enabled: Type.Boolean() },
  { description: 'whether the site uses the claims of its visitors' },
);

const VisitorToken = Type.Optional(
  Type.String({ maxLength: 8192, description: 'signed token of a visitor: show what that visitor sees' }),
);
const Claims = Type.Optional(
  Type.String({
    maxLength: 8192,
    description: 'claims of a visitor as JSON, unsigned ones under "unsigned": show what that visitor sees',
  }),
);

/** A feature that a site uses, and the lowest plan that includes it. */
export const SiteFeature = closed({
  id: oneOf([
    'sites-adaptive-content',
    'sites-advanced-customization',
    'sites-ai-assistant',
    'sites-ai-search',
    'sites-custom-domain',
    'sites-custom-subdirectory',
    'sites-page-feedback',
    'sites-pdf-export',
    'sites-sections',
    'sites-share-links',
    'sites-unlisted-visibility',
    'sites-visitor-authentication',
  ]),
  plan: SiteType,
  frozen: Type.Boolean(),
  customizations: Type.Optional(
    Type.Array(
      oneOf([
        'header-logo',
        'header-primary-link',
        'theme-preset',
        'premium-fonts',
        'custom-icons',
        'footer-logo',
        'footer-links',
        'footer-copyright',
        'semantic-colors',
      ]),
    ),
  ),
});

/** A published documentation site. */
export const Site = closed({
  object: Type.Literal('site'),
  id: Id,
  type: SiteType,
  title: Title,
  ...optional({
    icon: Type.Union([closed({ icon: closed({ light: Url, dark: Url }) }), closed({ emoji: Type.String() })]),
    hostname: Type.String({ maxLength: 512 }),
    basename: Basename,
    proxy: closed({ origin: ProxyOrigin, target: Url }),
  }),
  visibility: SiteVisibility,
  published: Type.Boolean(),
  siteSpaces: Type.Integer({ minimum: 0 }),
  createdAt: DateTime,
  adaptiveContent: AdaptiveContent,
  agentsContext: AgentsContext,
  features: Type.Array(SiteFeature),
  urls: closed({ location: Url, app: Url, published: Type.Optional(Url) }),
});

export const nounHelp: NounHelp = {
  description: `
A site shows spaces to its readers at an address of its own. Its spaces are either directly on the site or in sections, which readers see as tabs. Sections can be put into groups.

Create a site, add spaces or sections, then publish it. \`docsctl sites structure\` draws what a site consists of, and \`docsctl sites audience\` shows who sees which part.`,
  examples: [
    'docsctl sites create --title Handbook --spaces Guide',
    'docsctl sites publish Help',
    'docsctl sites structure Docs',
  ],
};

const columns = ['title', 'basename', 'visibility', 'published', 'siteSpaces', 'id'];
/** The columns for a single site also include its address. */
const columnsOfOne = [...columns, 'urls.published=address'];

export const listSites = operation({
  id: 'sites.list',
  route: 'GET /orgs/:organizationId/sites',
  summary: 'List the sites of an organization',
  description: 'Lists the sites that you can open. A guest sees only sites that they have a permission on.',
  access: 'org.member',
  query: optional({
    space: Type.String({ maxLength: 255, description: 'only sites that show this space' }),
    title: Type.String({ maxLength: 128, description: 'only sites whose title contains this text' }),
    published: Type.Boolean({ description: 'true: only published sites; false: only unpublished sites' }),
    type: Type.Array(oneOf(siteTypes), { maxItems: 100, description: 'only sites of these plans' }),
  }),
  returns: listOf(Site),
  cli: { columns, examples: ['docsctl sites list', 'docsctl sites list --published --space Guide'] },
});

export const createSite = operation({
  id: 'sites.create',
  route: 'POST /orgs/:organizationId/sites',
  summary: 'Create a site, optionally with spaces',
  description:
    'The new site is not published yet: add spaces or sections, then run `docsctl sites publish`. The first of the given spaces becomes the default space, which opens first. Changing the site later requires the admin role.',
  access: 'org.create',
  body: closed(
    optional({
      type: SiteType,
      title: { ...Title, description: `${Title.description} (default: Untitled site)` },
      visibility: { ...SiteVisibility, description: `${whoCanOpen} (default: public)` },
      spaces: Type.Array(Id, {
        maxItems: 1000,
        uniqueItems: true,
        description: 'spaces to show, in this order',
      }),
    }),
  ),
  returns: created(Site),
  cli: {
    columns,
    positional: ['title'],
    examples: [
      'docsctl sites create --title Handbook --spaces Guide,API',
      'docsctl sites create --title Partners --visibility share-link',
    ],
  },
});

export const getSite = operation({
  id: 'sites.get',
  route: 'GET /orgs/:organizationId/sites/:siteId',
  summary: 'Show a site',
  access: 'site.read',
  returns: ok(Site),
  cli: {
    columns: columnsOfOne,
    examples: ['docsctl sites get Docs', 'docsctl sites get Docs --query urls.published -o json'],
  },
});

export const deleteSite = operation({
  id: 'sites.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId',
  summary: 'Delete a site with its sections, share links and redirects',
  description:
    'The address of the site stops working immediately. The spaces of the site are kept. A deleted site cannot be restored.',
  access: 'site.admin',
  returns: noContent(),
  cli: { examples: ['docsctl sites delete Help --yes'] },
});

export const updateSite = operation({
  id: 'sites.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId',
  summary: 'Change the title, address, visibility or defaults of a site',
  description:
    'Only the given fields change. To turn adaptive content on or off on a published site, or to change its visibility from share-link or visitor-auth, you must be able to open all its spaces. The default site space opens first. In a site with sections, the default site space must belong to the default section. The default section has no path of its own, so the pages of the old and the new default section move when you choose another default. If the site is published, the result lists the redirects that the old paths need. With `redirects`, docsctl creates these redirects.',
  access: 'site.admin',
  body: closed({
    ...optional({
      title: Title,
      visibility: SiteVisibility,
      basename: NewBasename,
      adaptiveContent: AdaptiveContent,
      agentsContext: AgentsContext,
      defaultSiteSpace: Type.String({
        ...Id,
        description: 'site space (a space on the site) that opens first',
      }),
      defaultSiteSection: Type.String({ ...Id, description: 'section that opens first' }),
      proxy: nullable(ProxyOrigin),
    }),
    ...makeRedirectsField,
  }),
  returns: ok(closed({ ...Site.properties, ...movedRedirects })),
  cli: {
    columns,
    examples: [
      'docsctl sites update Docs --visibility unlisted',
      'docsctl sites update Docs --default-site-section Reference --redirects',
      'docsctl sites update Docs --proxy example.com/docs',
    ],
  },
});

export const publishSite = operation({
  id: 'sites.publish',
  route: 'POST /orgs/:organizationId/sites/:siteId/publish',
  summary: 'Publish a site',
  description:
    'The visibility of the site decides who can open it. If the site is already published, nothing changes. You cannot publish a site without spaces, or a site with spaces that you cannot open.\n\nIf a server shows sites, the output includes the address of the site. To show sites, start a server with `docsctl serve --sites-port 8081`.',
  access: 'site.admin',
  returns: ok(Site),
  cli: { columns: columnsOfOne, examples: ['docsctl sites publish Docs'] },
});

export const unpublishSite = operation({
  id: 'sites.unpublish',
  route: 'POST /orgs/:organizationId/sites/:siteId/unpublish',
  summary: 'Take a site offline',
  description:
    'Readers can no longer open the site. Its structure and share links are kept; `docsctl sites publish` brings it back.',
  access: 'site.admin',
  returns: ok(Site),
  cli: {
    columns,
    destructive: 'Visitors will no longer be able to open the site.',
    examples: ['docsctl sites unpublish Docs --yes'],
  },
});

export const getPublishedSite = operation({
  id: 'sites.published',
  route: 'GET /orgs/:organizationId/sites/:siteId/published',
  summary: 'Show a published site, or what one visitor sees of it',
  description:
    'Returns 404 while the site is not published. With claims or a visitor token, the structure contains only the sections and spaces that this visitor sees on the site. While adaptive content is disabled, the site knows only the signed claims of visitors who sign in (visibility visitor-auth), and everything whose condition needs other claims is hidden from everyone. A visitor with a share link has unsigned claims only. Without claims or token it contains everything, with the condition of each item. On a site with visibility share-link, a shareKey must be the key of an active share link.',
  access: 'site.read',
  query: { shareKey: ShareKey, visitorToken: VisitorToken, claims: Claims },
  returns: ok(
    closed({
      object: Type.Literal('published-content-site'),
      site: Site,
      structure: SiteStructure,
      customizations: closed({ site: SiteCustomization, siteSpaces: Type.Record(Id, SiteCustomization) }),
      scripts: Type.Array(SiteScript),
    }),
  ),
  cli: { columns: ['site.title', 'site.urls.published', 'structure.type'] },
});

export const getSiteStructure = operation({
  id: 'sites.structure',
  route: 'GET /orgs/:organizationId/sites/:siteId/structure',
  summary: 'Show the structure of a site',
  access: 'site.read',
  query: { shareKey: ShareKey },
  returns: ok(SiteStructure),
  cli: { examples: ['docsctl sites structure Docs'] },
});

const things = {
  'site-space': 'site space',
  'site-section': 'section',
  'site-section-group': 'section group',
  'site-external-link': 'external link',
} as const;
const namesOf: Readonly<Record<string, string>> = {
  'site-space': 'path, title or ID',
  'site-section': 'path, title or ID',
  'site-section-group': 'title or ID',
  'site-external-link': 'title or ID',
};
const pointerFlags = Object.entries(things).flatMap(([type, name]) => {
  const word = name.replace(' ', '-');
  return [
    {
      name: word,
      value: word,
      summary: `${name} to move, by ${namesOf[type]}`,
      template: { item: { type, id: '$' } },
    },
    {
      name: `before-${word}`,
      value: word,
      summary: `put it before this ${name}`,
      template: { position: { before: { type, id: '$' } } },
    },
    {
      name: `after-${word}`,
      value: word,
      summary: `put it after this ${name}`,
      template: { position: { after: { type, id: '$' } } },
    },
  ];
});

export const sortSiteStructure = operation({
  id: 'sites.sort',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/structure/sort',
  summary: 'Change the order of sections, groups, links or spaces on a site',
  description:
    'Moves one item (section, group, external link or space) before or after another item at the same level. Sections, groups and external links move within their group, or at the top level. Spaces move within their section. `position: {}` moves the item to the end.',
  access: 'site.admin',
  body: closed({
    item: Type.Unsafe<Static<typeof StructurePointer>>({ ...StructurePointer, description: 'item to move' }),
    position: closed(optional({ before: StructurePointer, after: StructurePointer }), {
      description: 'item next to the new position, with the same fields as `item`',
    }),
  }),
  returns: ok(SiteStructureItem),
  cli: {
    flags: pointerFlags,
    examples: ['docsctl sites sort Docs --section Reference --before-section Guides'],
  },
});
