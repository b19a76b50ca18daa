import { ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, optional, Type } from '../../contract/schema.ts';

const Claims = Type.Optional(
  Type.String({
    maxLength: 8192,
    description:
      'claims of the visitor as JSON, such as {"plan": "pro"}; unsigned claims, such as those in a query, go into "unsigned"; {} stands for a visitor without claims; required for a site with adaptive content',
  }),
);
const Address = Type.Optional(
  Type.String({
    maxLength: 1024,
    pattern: '^https?://[^\\s?#]+$',
    description: 'URL where the site is shown; absolute links start with it (default: links start with "/")',
  }),
);
const Version = Type.String({
  description: 'short text that differs if any answer of the site may differ',
});
const Path = Type.String({ maxLength: 4096, description: 'path below the address of the site, encoded' });

/** Maximum number of paths in one request. */
export const maxPaths = 64;

/** The content of a site at one path. */
export const SitePath = closed({
  path: Path,
  kind: Type.Union(
    (['page', 'branch', 'file', 'asset', 'redirect', 'text'] as const).map((kind) => Type.Literal(kind)),
  ),
  key: Type.String({ description: 'short text that differs if the answer may differ' }),
  ...optional({
    title: Type.String(),
    file: Type.String({ description: 'file in a repository that the page was imported from' }),
    space: Type.String({ description: 'title of the space of the page' }),
    section: Type.String({ description: 'title of the section that the space is in' }),
    sectionPath: Type.String({ description: 'path of the section below the address of the site, encoded' }),
    spacePath: Type.String({ description: 'path of the space below the address of the site, encoded' }),
    language: Type.String({ description: 'language of the space' }),
    hidden: Type.Boolean({ description: 'whether the table of contents leaves the page out' }),
    noIndex: Type.Boolean({ description: 'whether searches leave the page out' }),
    coveredBy: Type.String({
      description:
        'for a page that visitors cannot open: the path of the other page or space that they get, encoded',
    }),
    size: Type.Integer({ minimum: 0, description: 'size of the file in bytes' }),
  }),
});

/** The answer of a site at a path. */
export const SitePathAnswer = closed({
  path: Path,
  status: Type.Integer(),
  ...optional({
    contentType: Type.String(),
    location: Type.String({
      description: 'where a redirect leads: a path from the root of the host, or a URL',
    }),
    text: Type.String({ description: 'answer as text' }),
    base64: Type.String({ description: 'answer that is not text, in Base64' }),
  }),
});

export const nounHelp: NounHelp = {
  description: `
The paths of a site lead to its pages, their files, and everything else that its visitors can get, such as \`sitemap.xml\`. Members with the edit role can read the paths as a visitor would, even before the site is published. \`docsctl sites build\` and \`docsctl sites check\` do so.`,
  examples: ['docsctl sites paths list Help', `docsctl sites paths read Help --paths '["index.md"]' -o json`],
};

const route = '/orgs/:organizationId/sites/:siteId/paths';

export const listSitePaths = operation({
  id: 'sites.paths.list',
  route: `GET ${route}`,
  summary: 'List the paths that visitors of a site can open',
  description:
    'Includes the paths of files and other resources. The table shows only the number of paths. The site does not have to be published. If the site is not published or has adaptive content, the list leaves out spaces that you cannot open. The command fails if the site requires a share link or a visitor token.',
  access: 'site.edit',
  query: { claims: Claims, address: Address },
  cli: {
    examples: [
      'docsctl sites paths list Help',
      `docsctl sites paths list Help --claims '{"plan":"pro"}' --query "paths[].path"`,
    ],
  },
  returns: ok(
    closed({
      object: Type.Literal('site-paths'),
      version: Version,
      base: Type.String({ description: 'path of the address; the links of answers start with it' }),
      paths: Type.Array(SitePath),
      leftOut: Type.Optional(
        Type.Array(closed({ title: Type.String(), space: Type.String() }), {
          description:
            'sources whose pages integrations compute, with the titles of their spaces; no path shows them',
        }),
      ),
    }),
  ),
});

export const readSitePaths = operation({
  id: 'sites.paths.read',
  route: `GET ${route}/answers`,
  summary: 'Get what a site returns at several paths',
  description: `Returns what visitors get at up to ${maxPaths} paths; the table shows only the number of paths. All results of one request come from the same version of the site. The command fails if the site requires a share link or a visitor token.`,
  access: 'site.edit',
  query: {
    claims: Claims,
    address: Address,
    paths: Type.String({
      maxLength: 16_384,
      description: 'paths below the address of the site, as a JSON array',
    }),
  },
  cli: { examples: [`docsctl sites paths read Help --paths '["index.md", "robots.txt"]' -o json`] },
  returns: ok(
    closed({
      object: Type.Literal('site-path-answers'),
      version: Version,
      answers: Type.Array(SitePathAnswer),
    }),
  ),
});
