import { ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, nullable, Type } from '../../contract/schema.ts';
import { User } from '../../contract/shapes.ts';

export const me = operation({
  id: 'users.me',
  route: 'GET /user',
  summary: 'Show who you are',
  access: 'user.caller',
  returns: ok(User),
  cli: { composite: true, columns: ['id', 'displayName', 'email'] },
});

/** Describes the token of the request: its role, its organization and its expiry. Not in the official API. */
export const myToken = operation({
  id: 'users.token',
  route: 'GET /user/token',
  summary: 'Show the token of this request, without its secret',
  access: 'user.caller',
  returns: ok(
    closed({
      object: Type.Literal('token'),
      id: Id,
      role: Type.String({ description: 'the most that the token may do' }),
      organization: nullable(Id),
      expiresAt: nullable(DateTime),
    }),
  ),
  cli: { composite: true },
});
