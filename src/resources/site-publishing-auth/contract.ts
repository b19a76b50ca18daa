import { ok, operation } from '../../contract/operation.ts';
import { closed, Type } from '../../contract/schema.ts';

/** How visitors of a site prove who they are: by tokens that the backend of the site signs with a key. */
export const PublishingAuth = closed({
  object: Type.Literal('publishing-auth'),
  backend: Type.Literal('custom'),
  privateKey: Type.String({ description: 'Key of HS256; the bytes of this text sign' }),
});

const columns = ['backend', 'privateKey'];
const description =
  'The answer holds the key, so this asks for the role admin. Whoever has the key can say who a visitor is: give it to the backend of the site alone.';

export const getPublishingAuth = operation({
  id: 'sites.publishing-auth.get',
  route: 'GET /orgs/:organizationId/sites/:siteId/publishing/auth',
  summary: 'Show how visitor tokens of a site are signed',
  description,
  access: 'site.admin',
  returns: ok(PublishingAuth),
  cli: { columns, examples: ['docsctl sites publishing-auth get Docs'] },
});

export const regeneratePublishingAuth = operation({
  id: 'sites.publishing-auth.regenerate',
  route: 'POST /orgs/:organizationId/sites/:siteId/publishing/auth/regenerate',
  summary: 'Make a new key for visitor tokens; tokens signed with the old one are refused at once',
  description,
  access: 'site.admin',
  secret: true,
  returns: ok(PublishingAuth),
  cli: {
    columns,
    destructive: true,
    examples: ['docsctl sites publishing-auth regenerate Docs --yes -o json > publishing-auth.json'],
  },
});
