import { created, ok, operation, type NounHelp } from '../../contract/operation.ts';
import {
  closed,
  DateTime,
  Id,
  nonBlank,
  nullable,
  optional,
  Type,
  Url,
  WebUrl,
} from '../../contract/schema.ts';
import { User } from '../../contract/shapes.ts';

export const nounHelp: NounHelp = {
  description:
    'A user is a person, who may be a member of several organizations. `docsctl whoami` shows your own user. `docsctl members list` lists the members of an organization.',
  examples: ['docsctl users get usr_1', 'docsctl users update me --display-name "Ana Lima"'],
};

export const me = operation({
  id: 'users.me',
  route: 'GET /user',
  summary: 'Show who you are',
  access: 'user.caller',
  returns: ok(User),
  cli: { composite: true, columns: ['id', 'displayName', 'email'] },
});

export const getUser = operation({
  id: 'users.get',
  route: 'GET /users/:userId',
  summary: 'Show a user',
  description:
    'You can see yourself and, unless you are a guest, the members of your organizations. `docsctl members list` lists the members of an organization.',
  access: 'user.caller',
  returns: ok(User),
  cli: { columns: ['displayName', 'email', 'photoURL', 'id'], examples: ['docsctl users get usr_1'] },
});

export const updateUser = operation({
  id: 'users.update',
  route: 'PATCH /users/:userId',
  summary: 'Change your name or picture',
  description:
    'You can change only yourself (`me`). On a server, you need a token that has the admin role and is valid for all of your organizations, such as the one that `docsctl init` printed. The new name appears in all organizations immediately. `photoURL: null` removes the picture.',
  access: 'user.caller',
  body: closed(
    optional({
      displayName: nonBlank({ maxLength: 64, description: 'full name' }),
      photoURL: nullable(WebUrl, { description: 'address of a picture, which other members see' }),
    }),
  ),
  returns: ok(User),
  cli: {
    columns: ['displayName', 'email', 'photoURL', 'id'],
    examples: ['docsctl users update me --display-name "Ana Lima"'],
  },
});

/** Returns the role, the organization and the expiry of the token of the request. Not in the official API. */
export const myToken = operation({
  id: 'users.token',
  route: 'GET /user/token',
  summary: 'Show the token of this request, without its secret',
  access: 'user.caller',
  returns: ok(
    closed({
      object: Type.Literal('token'),
      id: Id,
      role: Type.String({ description: 'highest role that the token gives' }),
      organization: nullable(Id),
      expiresAt: nullable(DateTime),
    }),
  ),
  cli: { composite: true },
});

/** Creates a link with which a browser signs in to the app. Not in the official API. */
export const createSignInLink = operation({
  id: 'users.sign-in-links',
  route: 'POST /user/sign-in-links',
  summary: 'Create a link that opens a page of the server in a browser',
  description:
    'The link works once, within 2 minutes. It starts a session of 8 hours at most, which can read what the token of the request can read, and changes nothing. The session ends with the token. This operation is not in the official API of GitBook.',
  access: 'user.caller',
  secret: true,
  body: closed({ url: { ...Url, description: 'the address `urls.app` of what to open' } }),
  returns: created(closed({ object: Type.Literal('sign-in-link'), url: Url, expiresAt: DateTime })),
  cli: { composite: true },
});
