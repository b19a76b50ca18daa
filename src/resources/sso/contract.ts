import { ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Id, Type, Url } from '../../contract/schema.ts';

export const nounHelp: NounHelp = {
  description:
    'Single sign-on lets people sign in to an organization through its SAML providers. To set up a provider, use `docsctl saml create`. ' +
    'To sign in, run `docsctl login --sso START-URL`.',
  examples: ['docsctl sso list'],
};

const Login = closed({ id: Id, label: Type.String({ minLength: 1, maxLength: 30 }), startURL: Url });

export const listLogins = operation({
  id: 'sso.list',
  route: 'GET /orgs/:organizationId/sso',
  summary: 'List the start URLs where people sign in to an organization',
  description: 'Providers that are not set up completely are left out; `docsctl saml list` shows them.',
  access: 'org.member',
  signInOptional: true,
  returns: ok(closed({ items: Type.Array(Login) })),
  cli: { columns: ['label', 'startURL', 'id'], examples: ['docsctl sso list', 'docsctl sso list -o json'] },
});
