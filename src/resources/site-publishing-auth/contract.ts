import { ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Type } from '../../contract/schema.ts';

/** How visitors of a site prove who they are: by tokens that the backend of the site signs with a key. */
export const PublishingAuth = closed({
  object: Type.Literal('publishing-auth'),
  backend: Type.Literal('custom'),
  privateKey: Type.String({ description: 'key for HS256 signatures; the bytes of this text are the key' }),
});

const columns = ['backend', 'privateKey'];
export const nounHelp: NounHelp = {
  description:
    'A site with visibility visitor-auth admits visitors with a token that your backend signs with the private key of the site. Anyone who has the key can admit visitors, so keep it in your backend only.',
  examples: ['docsctl sites publishing-auth get Docs', 'docsctl sites publishing-auth regenerate Docs --yes'],
};

const description =
  'Your backend signs the tokens of visitors with this key. Anyone who has the key can admit visitors, so keep it in your backend only.';

export const getPublishingAuth = operation({
  id: 'sites.publishing-auth.get',
  route: 'GET /orgs/:organizationId/sites/:siteId/publishing/auth',
  summary: 'Show the key that signs the visitor tokens of a site',
  description,
  access: 'site.admin',
  returns: ok(PublishingAuth),
  cli: { columns, examples: ['docsctl sites publishing-auth get Docs'] },
});

export const regeneratePublishingAuth = operation({
  id: 'sites.publishing-auth.regenerate',
  route: 'POST /orgs/:organizationId/sites/:siteId/publishing/auth/regenerate',
  summary: 'Replace the key that signs the visitor tokens of a site',
  description: `The previous key stops working immediately: tokens signed with it are refused.\n\n${description}`,
  access: 'site.admin',
  secret: true,
  returns: ok(PublishingAuth),
  cli: {
    columns,
    destructive: true,
    examples: ['docsctl sites publishing-auth regenerate Docs --yes -o json > publishing-auth.json'],
  },
});
