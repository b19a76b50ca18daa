import { created, listOf, noContent, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, nonBlank, nullable, oneOf, optional, Type } from '../../contract/schema.ts';
import { roles, User } from '../../contract/shapes.ts';

export const nounHelp: NounHelp = {
  description:
    'A token lets a program or a person use docsctl and the HTTP API as one user of an organization. ' +
    'If the role of the token and the role of its user differ, the lower one applies. The secret of a token is shown once, when the token is created.\n\n' +
    'Give a token to docsctl through `docsctl login`, DOCSCTL_TOKEN or --token-file. The token that `docsctl init` printed works for every organization of its user.',
  examples: [
    'docsctl tokens create --role edit --name ci',
    'docsctl tokens list',
    'docsctl tokens rotate ci --yes',
    'docsctl tokens delete ci --yes',
  ],
};

const TokenRole = oneOf([...roles, 'guest'], {
  description: 'highest role that the token gives; its user may have a lower one',
});
const Name = nonBlank({
  maxLength: 100,
  description: 'name of the token, such as its purpose, up to 100 characters',
});

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
  summary: 'List the tokens of an organization',
  description: 'The newest tokens come first. Their secrets are not shown.',
  access: 'org.admin',
  query: {
    mine: Type.Optional(
      Type.Boolean({
        description:
          'only your own tokens, including those for all of your organizations, which are not listed otherwise',
      }),
    ),
  },
  returns: listOf(Token),
  cli: { columns, examples: ['docsctl tokens list', 'docsctl tokens list --mine'] },
});

export const createToken = operation({
  id: 'tokens.create',
  route: 'POST /orgs/:organizationId/tokens',
  summary: 'Create a token for an organization',
  description:
    'The token is printed once and cannot be shown again. It is valid only for this organization, and stops working when its user leaves the organization. A token that is created in a session of single sign-on also stops working when the SAML provider of this session is deleted, gets another entity ID or sign-in address, or loses the certificate that signed the sign-in.',
  access: 'org.admin',
  secret: true,
  body: closed({
    role: TokenRole,
    ...optional({
      name: Name,
      user: Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'member that the token acts as (default: you)',
      }),
      expiresAt: {
        ...DateTime,
        description: 'when the token expires, such as 2030-01-31T09:00:00Z (default: never)',
      },
    }),
  }),
  returns: created(CreatedToken),
  cli: {
    columns: ['role', 'token', 'id'],
    examples: [
      'docsctl tokens create --role edit --name ci',
      'docsctl tokens create --role read --user ben@example.com --expires-at 90d',
      'docsctl tokens create --role read -o tsv --columns token --no-headers > token.txt',
    ],
  },
});

export const deleteToken = operation({
  id: 'tokens.delete',
  route: 'DELETE /orgs/:organizationId/tokens/:tokenId',
  summary: 'Delete a token, so that it no longer works',
  description: 'Requests with the token are refused immediately.',
  access: 'org.admin',
  returns: noContent(),
  cli: { examples: ['docsctl tokens delete ci --yes'] },
});
