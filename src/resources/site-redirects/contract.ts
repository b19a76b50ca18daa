import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, nullable, oneOf, optional, Type, Url } from '../../contract/schema.ts';
import { destinations, RedirectDestination, Source } from './schemas.ts';
import { ShareKey } from '../site-spaces/contract.ts';

/** Maximum number of redirects in one request. */
export const maxBatch = 500;

const Path = closed({
  kind: Type.Literal('path'),
  spaceId: Id,
  path: Type.String({ maxLength: 2048, description: 'path of the page in the space' }),
});

const description =
  'where the redirect leads: a section, space or page of the site, or a URL ({"kind": "external", "url": "…"})';
const InputDestination = Type.Union([...destinations, Path], { description });

const Capture = Type.Boolean({
  description: 'add the part of the path that the star stands for to the end of the destination',
});
const Draft = Type.Boolean({ description: 'keep the redirect as a draft, which has no effect on visitors' });
const Permanent = Type.Boolean({
  description: 'answer with status 308, which browsers and search engines remember, instead of 307',
});
const offByDefault = (flag: typeof Draft) => ({
  ...flag,
  description: `${flag.description} (default: false)`,
});

/** A redirect from a path of a site. */
export const SiteRedirect = closed({
  object: Type.Literal('site-redirect'),
  id: Id,
  source: Source,
  draft: Type.Boolean(),
  captureWildcard: Type.Boolean(),
  permanent: Type.Boolean(),
  destination: RedirectDestination,
  createdAt: DateTime,
  updatedAt: Type.Optional(DateTime),
});

/** A created or changed redirect. `unused`: the site has a page at its source, so that it has no effect. */
const WrittenRedirect = closed({
  ...SiteRedirect.properties,
  unused: Type.Optional(Type.Literal(true)),
});

export const nounHelp: NounHelp = {
  description: `
A redirect sends visitors from an old path of a site, its source, to a section, space or page of the site, or to another
URL. It applies only where the site has no page. Paths are compared without regard to case. A source may end in a star: \`/old/*\` stands for all paths below \`/old\`, and \`/old*\` for all paths that start with \`/old\`. If several redirects match a path, the one without a star applies, or else the one with the longest source. A redirect can be a draft, which has no effect until it becomes live.`,
  examples: [
    'docsctl sites redirects create /old --site Docs --url https://example.com/new',
    'docsctl sites redirects resolve /start --site Docs',
  ],
};

const columns = ['source', 'destination', 'permanent', 'draft', 'id'];
const flags = [
  {
    name: 'url',
    value: 'URL',
    summary: 'lead to this URL',
    template: { destination: { kind: 'external', url: '$' } },
  },
  {
    name: 'section',
    value: 'section',
    summary: 'lead to this section, by path, title or ID',
    template: { destination: { kind: 'site-section', siteSectionId: '$' } },
  },
  {
    name: 'site-space',
    value: 'site-space',
    summary: 'lead to this space of the site, by path, title or ID',
    template: { destination: { kind: 'site-space', siteSpaceId: '$' } },
  },
  {
    name: 'space',
    value: 'space',
    summary: 'with --path: space of the page, by title or ID',
    template: { destination: { kind: 'path', spaceId: '$' } },
  },
  {
    name: 'path',
    value: 'path',
    summary: 'with --space: lead to the page at this path of the space',
    template: { destination: { kind: 'path', path: '$' } },
  },
];

export const listSiteRedirects = operation({
  id: 'sites.redirects.list',
  route: 'GET /orgs/:organizationId/sites/:siteId/redirects',
  summary: 'List the redirects of a site',
  access: 'site.read',
  query: optional({
    search: Type.String({ maxLength: 512, description: 'only redirects whose source contains this text' }),
    draft: Type.Boolean({
      default: false,
      description: 'list drafts, which have no effect yet, instead of live redirects (default: false)',
    }),
    orderBy: oneOf(['createdAt', 'updatedAt', 'source'], {
      default: 'createdAt',
      description: 'order: most recently created first (default), most recently changed first, or by source',
    }),
  }),
  returns: listOf(SiteRedirect),
  cli: {
    columns,
    examples: ['docsctl sites redirects list Docs', 'docsctl sites redirects list Docs --order-by source'],
  },
});

export const createSiteRedirect = operation({
  id: 'sites.redirects.create',
  route: 'POST /orgs/:organizationId/sites/:siteId/redirects',
  summary: 'Create a redirect from a path of a site',
  description:
    'A source can have one live redirect and one draft. A redirect that leads back to its own source is refused, even if it does so through a URL of the same site. If the site has a page at the source, visitors get the page, and docsctl prints a warning. To create or change many redirects at once, use `docsctl sites redirects upsert`.',
  access: 'site.admin',
  body: closed({
    source: Source,
    ...optional({
      captureWildcard: offByDefault(Capture),
      draft: offByDefault(Draft),
      permanent: offByDefault(Permanent),
    }),
    destination: InputDestination,
  }),
  returns: created(WrittenRedirect),
  cli: {
    columns,
    flags,
    positional: ['source'],
    examples: [
      'docsctl sites redirects create /install --site Docs --space Guide --path quickstart',
      'docsctl sites redirects create "/blog/*" --site Docs --url https://blog.example.com --capture-wildcard --permanent',
    ],
  },
});

export const upsertSiteRedirects = operation({
  id: 'sites.redirects.upsert',
  route: 'PUT /orgs/:organizationId/sites/:siteId/redirects',
  summary: 'Create, replace, delete or publish many redirects of a site',
  description: `Takes up to ${maxBatch} redirects. They are applied one by one, in the given order. If one is refused, its result has the status \`error\` and the reason, the others are still applied, and the command exits with 3. If a field is not valid or a title is not found, none is applied. A redirect is found by its source and \`intent\`: \`live\` (default) or \`draft\`. A \`destination\` of null deletes it; \`docsctl explain sites redirects upsert\` lists the other forms. The intent \`publish\` changes the given fields of a draft, makes the draft live and replaces the live redirect with the same source.`,
  access: 'site.admin',
  body: closed({
    redirects: Type.Array(
      closed({
        source: Source,
        ...optional({
          intent: oneOf(['live', 'draft', 'publish'], { default: 'live' }),
          captureWildcard: Capture,
          permanent: Permanent,
          destination: nullable(InputDestination),
        }),
      }),
      { minItems: 1, maxItems: maxBatch, description: 'redirects, in the order in which they are applied' },
    ),
  }),
  returns: ok(
    closed({
      results: Type.Array(
        closed({
          status: oneOf(['created', 'updated', 'deleted', 'published', 'error']),
          source: Source,
          draft: Type.Boolean(),
          ...optional({
            id: Id,
            unused: Type.Literal(true),
            error: Type.String(),
          }),
        }),
      ),
    }),
  ),
  cli: {
    columns: ['results.status', 'results.source', 'results.error'],
    examples: [
      'docsctl sites redirects upsert Docs --body redirects.yaml',
      `docsctl sites redirects upsert Docs --redirects '{"source": "/old", "destination": {"kind": "site-section", "siteSectionId": "Guides"}}'`,
    ],
  },
});

export const updateSiteRedirect = operation({
  id: 'sites.redirects.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId',
  summary: 'Change a redirect of a site',
  description:
    'Only the given fields change. `draft: false` makes a draft live, unless its source already has a live redirect. If a source has a live redirect and a draft, name the draft by its ID.',
  access: 'site.admin',
  body: closed(
    optional({
      source: Source,
      captureWildcard: Capture,
      draft: Draft,
      permanent: Permanent,
      destination: InputDestination,
    }),
  ),
  returns: ok(WrittenRedirect),
  cli: {
    columns,
    flags,
    examples: ['docsctl sites redirects update /start --site Docs --permanent'],
  },
});

export const deleteSiteRedirect = operation({
  id: 'sites.redirects.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId',
  summary: 'Delete a redirect of a site',
  access: 'site.admin',
  returns: noContent(),
  cli: {
    examples: [
      'docsctl sites redirects delete /start --site Docs --yes',
      'docsctl sites redirects list Docs -o id | docsctl sites redirects delete - --site Docs --yes',
    ],
  },
});

export const resolveSiteRedirect = operation({
  id: 'sites.redirects.resolve',
  route: 'GET /orgs/:organizationId/sites/:siteId/redirect',
  summary: 'Show where a path of a site is redirected to',
  description:
    'Finds the live redirect whose source matches the path, even if the site has a page there. Returns the redirect, and the URL that it leads to. Exits with 5 if no redirect applies, or if the destination of the redirect no longer exists or is in a space that you cannot open.',
  access: 'site.read',
  query: {
    shareKey: ShareKey,
    source: Type.Unsafe<string>({ ...Source, description: 'path on the site, such as /old/page' }),
  },
  returns: ok(closed({ redirect: SiteRedirect, target: Url })),
  cli: {
    columns: ['redirect.source', 'target', 'redirect.permanent', 'redirect.id'],
    positional: ['source'],
    examples: [
      'docsctl sites redirects resolve /start --site Docs',
      'docsctl sites redirects resolve - --site Docs < paths.txt',
    ],
  },
});
