import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, optional, Type } from '../../contract/schema.ts';
import { PublishedUrls } from '../site-spaces/contract.ts';

const Name = Type.String({ maxLength: 50, description: 'name of the link, at most 50 characters' });

/** A secret address of a site with visibility share-link. */
export const ShareLink = closed({
  object: Type.Literal('share-link'),
  id: Id,
  createdAt: DateTime,
  name: Name,
  active: Type.Boolean(),
  urls: PublishedUrls,
});

export const nounHelp: NounHelp = {
  description:
    'A share link is a secret address of a site with visibility share-link. Anyone who has the address can read the site while it is published and the link is active. Give each group of readers a link of its own, so that you can turn it off later.',
  examples: [
    'docsctl sites share-links create "Beta testers" --site Docs',
    'docsctl sites share-links update Partners --site Docs --no-active',
  ],
};

const columns = ['name', 'active', 'createdAt', 'urls.published', 'id'];

export const listShareLinks = operation({
  id: 'sites.share-links.list',
  route: 'GET /orgs/:organizationId/sites/:siteId/share-links',
  summary: 'List the share links of a site, oldest first',
  description:
    'The addresses contain the keys of the links, so only members with at least the create role can list them.',
  access: 'site.create',
  query: {
    search: Type.Optional(
      Type.String({ maxLength: 50, description: 'only links whose name contains this text' }),
    ),
  },
  returns: listOf(ShareLink),
  cli: { columns, examples: ['docsctl sites share-links list Docs'] },
});

export const createShareLink = operation({
  id: 'sites.share-links.create',
  route: 'POST /orgs/:organizationId/sites/:siteId/share-links',
  summary: 'Create a share link for a site',
  description:
    'The link opens the site while the site is published with visibility share-link and the link is active.',
  access: 'site.admin',
  body: closed({ name: Name }),
  returns: created(ShareLink),
  cli: {
    columns,
    positional: ['name'],
    examples: ['docsctl sites share-links create "Beta testers" --site Docs'],
  },
});

export const deleteShareLink = operation({
  id: 'sites.share-links.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId/share-links/:shareLinkId',
  summary: 'Delete a share link',
  description:
    'Its address stops working immediately. To turn a link off for a while, use `docsctl sites share-links update Partners --site Docs --no-active`.',
  access: 'site.admin',
  returns: noContent(),
  cli: { examples: ['docsctl sites share-links delete Partners --site Docs --yes'] },
});

export const updateShareLink = operation({
  id: 'sites.share-links.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/share-links/:shareLinkId',
  summary: 'Rename a share link, or turn it on or off',
  access: 'site.admin',
  body: closed(
    optional({
      active: Type.Boolean({ description: 'whether the link opens the site' }),
      name: Name,
    }),
  ),
  returns: ok(ShareLink),
  cli: { columns, examples: ['docsctl sites share-links update Partners --site Docs --no-active'] },
});
