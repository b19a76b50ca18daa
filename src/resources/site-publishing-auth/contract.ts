import { ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, nullable, optional, Type, Url } from '../../contract/schema.ts';

/** The authentication of visitors of a site: with tokens that the backend of the site signs with a key. */
export const PublishingAuth = closed({
  object: Type.Literal('publishing-auth'),
  backend: Type.Literal('custom'),
  privateKey: Type.String({ description: 'key for HS256 signatures; the bytes of this text are the key' }),
  fallbackURL: Type.Optional(Url),
  logoutURL: Type.Optional(Url),
});

const columns = ['backend', 'privateKey', 'fallbackURL', 'logoutURL'];
export const nounHelp: NounHelp = {
  description:
    'A site with visibility visitor-auth admits visitors with a token that your backend signs with the private key of the site. Anyone who has the key can admit visitors, so keep it in your backend only.',
  examples: ['docsctl sites publishing-auth get Docs', 'docsctl sites publishing-auth regenerate Docs --yes'],
};

const description =
  'Your backend signs the tokens of visitors with the key. Anyone who has the key can admit visitors, so keep it in your backend only.';

export const getPublishingAuth = operation({
  id: 'sites.publishing-auth.get',
  route: 'GET /orgs/:organizationId/sites/:siteId/publishing/auth',
  summary: 'Show the key that signs the visitor tokens of a site',
  description: `To create the first key, use \`docsctl sites publishing-auth regenerate\`.\n\n${description}`,
  access: 'site.admin',
  returns: ok(PublishingAuth),
  cli: { columns, examples: ['docsctl sites publishing-auth get Docs'] },
});

export const updatePublishingAuth = operation({
  id: 'sites.publishing-auth.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/publishing/auth',
  summary: 'Set the addresses where visitors sign in and out',
  description:
    'Visitors without a valid token are sent to the fallback URL, where your backend signs them in and sends them back with a token. The query parameter `location` holds the path that they asked for. The address `~gitbook/auth/logout` of the site makes the browser of a visitor forget the token, and leads to the logout URL, where your backend signs the visitor out. The pages of the site show a link to this address while the browser keeps a token. Only the given fields change. `fallbackURL: null` and `logoutURL: null` remove the addresses. If the site has no key, one is created.',
  access: 'site.admin',
  secret: true,
  body: closed(
    optional({
      backend: Type.Literal('custom', { description: 'always "custom": your own backend signs the tokens' }),
      fallbackURL: nullable(Url, { description: 'address where visitors sign in' }),
      logoutURL: nullable(Url, { description: 'address where visitors sign out' }),
    }),
  ),
  returns: ok(PublishingAuth),
  cli: {
    columns,
    examples: ['docsctl sites publishing-auth update Docs --fallback-url https://example.com/login'],
  },
});

export const regeneratePublishingAuth = operation({
  id: 'sites.publishing-auth.regenerate',
  route: 'POST /orgs/:organizationId/sites/:siteId/publishing/auth/regenerate',
  summary: 'Replace the key that signs the visitor tokens of a site',
  description: `The previous key, if there is one, stops working immediately: tokens signed with it are refused.\n\n${description}`,
  access: 'site.admin',
  secret: true,
  returns: ok(PublishingAuth),
  cli: {
    columns,
    destructive:
      'The current key will stop working immediately. Visitors who need a visitor token cannot open the site until your backend uses the new key.',
    examples: ['docsctl sites publishing-auth regenerate Docs --yes -o json > publishing-auth.json'],
  },
});
