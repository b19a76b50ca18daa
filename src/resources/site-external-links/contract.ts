import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Id, nonBlank, nullable, optional, Type, Url } from '../../contract/schema.ts';
import { Icon } from '../../contract/shapes.ts';
import { conditionOf } from '../site-spaces/contract.ts';

const Title = nonBlank({ minLength: 2, maxLength: 128, description: 'title of the link' });
const Description = Type.String({
  maxLength: 256,
  description: 'short text that describes the link in menus',
});
const Address = { ...Url, description: 'http or https address that the link leads to' };
const Condition = conditionOf('link');
const Draft = Type.Boolean({ description: 'keep the link as a draft, which visitors do not see' });

/** A link to another address in the navigation of a site. */
export const SiteExternalLink = closed({
  object: Type.Literal('site-external-link'),
  id: Id,
  title: Title,
  description: Type.Optional(Description),
  icon: Type.Optional(Icon),
  url: Url,
  sectionGroup: Type.Optional(Id),
  draft: Type.Boolean(),
  condition: Type.Optional(Condition),
});

export const nounHelp: NounHelp = {
  description: `
An external link appears among the sections of a site and leads to another address. It is either at the top
level or in a section group. Only a site with sections can have external links. To change their order, use
\`docsctl sites sort\`. In a manifest, the field \`externalLinks\` of a site lists them.`,
  examples: [
    'docsctl sites external-links add Status --site Docs --url https://status.example.com',
    'docsctl sites sort Docs --external-link Status --before-section Reference',
  ],
};

const columns = ['title', 'url', 'draft', 'sectionGroup', 'id'];

export const listExternalLinks = operation({
  id: 'sites.external-links.list',
  route: 'GET /orgs/:organizationId/sites/:siteId/external-links',
  summary: 'List the external links of a site',
  description:
    'The links at the top level come first, then the links in each group. This operation is not in the official API of GitBook.',
  access: 'site.read',
  returns: listOf(SiteExternalLink),
  cli: { columns, examples: ['docsctl sites external-links list Docs'] },
});

export const addExternalLink = operation({
  id: 'sites.external-links.add',
  route: 'POST /orgs/:organizationId/sites/:siteId/external-links',
  summary: 'Add an external link to the navigation of a site',
  description:
    'The site must have sections. The link goes to the end of the top level, or of the group given with `parent`.',
  access: 'site.admin',
  body: closed({
    title: Title,
    url: Address,
    ...optional({
      description: nullable(Description),
      icon: nullable(Icon),
      parent: Type.String({ ...Id, description: 'section group that will hold the link' }),
      draft: { ...Draft, description: `${Draft.description} (default: false)` },
      condition: nullable(Condition),
    }),
  }),
  returns: created(SiteExternalLink),
  cli: {
    columns,
    positional: ['title'],
    examples: [
      'docsctl sites external-links add Blog --site Docs --url https://blog.example.com',
      'docsctl sites external-links add Forum --site Docs --url https://forum.example.com --parent Products --draft',
    ],
  },
});

export const updateExternalLink = operation({
  id: 'sites.external-links.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/external-links/:siteExternalLinkId',
  summary: 'Change the title, address, group or condition of an external link',
  description:
    'Only the given fields change. If you give another group, the link goes to the end of that group. `parent: null` moves the link to the end of the top level. `draft: false` shows a draft to visitors.',
  access: 'site.admin',
  body: closed(
    optional({
      title: Title,
      url: Address,
      description: nullable(Description),
      icon: nullable(Icon),
      parent: nullable(Type.String({ ...Id, description: 'section group that will hold the link' })),
      draft: Draft,
      condition: nullable(Condition),
    }),
  ),
  returns: ok(SiteExternalLink),
  cli: {
    columns,
    examples: ['docsctl sites external-links update Status --site Docs --parent Products'],
  },
});

export const deleteExternalLink = operation({
  id: 'sites.external-links.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId/external-links/:siteExternalLinkId',
  summary: 'Delete an external link of a site',
  access: 'site.admin',
  returns: noContent(),
  cli: { examples: ['docsctl sites external-links delete Status --site Docs --yes'] },
});
