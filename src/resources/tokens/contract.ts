import { created, listOf, noContent, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, nullable, oneOf, Type } from '../../contract/schema.ts';
import { roles, User } from '../../contract/shapes.ts';

const TokenRole = oneOf([...roles, 'guest'], { description: 'The most it may do; never more than its user' });
const Name = Type.String({ minLength: 1, maxLength: 100 });

const fields = {
  object: Type.Literal('token'),
  id: Id,
  role: TokenRole,
  name: nullable(Name),
  user: User,
  organization: nullable(Id),
  createdAt: DateTime,
  expiresAt: nullable(DateTime),
};

/** A token without its secret. Not in the published API. */
export const Token = closed(fields);
/** A new token: its secret is shown only once. */
export const CreatedToken = closed({ ...fields, token: Type.String() });

const columns = ['name', 'role', 'user.email', 'createdAt', 'expiresAt', 'id'];

export const listTokens = operation({
  id: 'tokens.list',
  route: 'GET /orgs/:organizationId/tokens',
  summary: 'List the tokens of an organization, newest first',
  access: 'org.admin',
  query: {
    mine: Type.Optional(
      Type.Boolean({ description: 'Only your own, also those good for every organization' }),
    ),
  },
  returns: listOf(Token),
  cli: { columns },
});

export const createToken = operation({
  id: 'tokens.create',
  route: 'POST /orgs/:organizationId/tokens',
  summary: 'Create a token for one organization',
  description: 'The token is shown this once.',
  access: 'org.admin',
  secret: true,
  body: closed({
    role: TokenRole,
    name: Type.Optional(Name),
    user: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Email or id of the member it belongs to; you when left out',
      }),
    ),
    expiresAt: Type.Optional(DateTime),
  }),
  returns: created(CreatedToken),
  cli: {
    columns: ['role', 'token', 'id'],
    examples: [
      'docsctl tokens create --role edit --name ci',
      'docsctl tokens create --role read --user ana@acme.test --expires-at 2030-01-01T00:00:00Z',
    ],
  },
});

export const deleteToken = operation({
  id: 'tokens.delete',
  route: 'DELETE /orgs/:organizationId/tokens/:tokenId',
  summary: 'Revoke a token',
  access: 'org.admin',
  returns: noContent(),
});
