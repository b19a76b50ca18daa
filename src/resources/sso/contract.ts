import { ok, operation } from '../../contract/operation.ts';
import { closed, Id, Type, Url } from '../../contract/schema.ts';

const Login = closed({ id: Id, label: Type.String({ minLength: 1, maxLength: 30 }), startURL: Url });

export const listLogins = operation({
  id: 'sso.list',
  route: 'GET /orgs/:organizationId/sso',
  summary: 'List the ways to sign in to an organization',
  access: 'org.member',
  returns: ok(closed({ items: Type.Array(Login) })),
  cli: { columns: ['label', 'startURL', 'id'] },
});
