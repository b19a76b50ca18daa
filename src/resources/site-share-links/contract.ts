import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, Type } from '../../contract/schema.ts';
import { PublishedUrls } from '../site-spaces/contract.ts';

const Name = Type.String({ maxLength: 50 });

/** A secret address of a site with visibility share-link. */
export const ShareLink = closed({
  object: Type.Literal('share-link'),
  id: Id,
  createdAt: DateTime,
  name: Name,
  active: Type.Boolean(),
  urls: PublishedUrls,
});

const columns = ['name', 'active', 'createdAt', 'urls.published', 'id'];

export const listShareLinks = operation({
  id: 'sites.share-links.list',
  route: 'GET /orgs/:organizationId/sites/:siteId/share-links',
  summary: 'List the share links of a site, oldest first',
  description: 'Their addresses hold the keys, so this asks for the role create.',
  access: 'site.create',
  query: {
    search: Type.Optional(Type.String({ maxLength: 50, description: 'Only names that contain this' })),
  },
  returns: listOf(ShareLink),
  cli: { columns, examples: ['docsctl sites share-links list Docs'] },
});

export const createShareLink = operation({
  id: 'sites.share-links.create',
  route: 'POST /orgs/:organizationId/sites/:siteId/share-links',
  summary: 'Create a share link of a site',
  description:
    'It opens the site while the site is published with visibility share-link and the link is active.',
  access: 'site.admin',
  body: closed({ name: Name }),
  returns: created(ShareLink),
  cli: { columns, positional: ['name'], examples: ['docsctl sites share-links create Partners --site Docs'] },
});

export const deleteShareLink = operation({
  id: 'sites.share-links.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId/share-links/:shareLinkId',
  summary: 'Delete a share link; its address stops working',
  access: 'site.admin',
  returns: noContent(),
});

export const updateShareLink = operation({
  id: 'sites.share-links.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/share-links/:shareLinkId',
  summary: 'Rename a share link, or turn it on or off',
  access: 'site.admin',
  body: closed({ active: Type.Optional(Type.Boolean()), name: Type.Optional(Name) }),
  returns: ok(ShareLink),
  cli: { columns, examples: ['docsctl sites share-links update Partners --site Docs --no-active'] },
});
