import { ok, operation } from '../../contract/operation.ts';
import { User } from '../../contract/shapes.ts';

export const me = operation({
  id: 'users.me',
  route: 'GET /user',
  summary: 'Show the user that you are signed in as',
  access: 'user.caller',
  returns: ok(User),
  cli: { composite: true, columns: ['displayName', 'email', 'id'] },
});
