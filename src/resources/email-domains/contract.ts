import { ok, operation } from '../../contract/operation.ts';
import { closed, Type } from '../../contract/schema.ts';
import { Organization } from '../organizations/contract.ts';

export const listOrganizationsOfDomain = operation({
  id: 'email-domains.orgs',
  route: 'GET /email-domains/:emailDomain/orgs',
  summary: 'List the organizations of an email domain that you are in or may join',
  access: 'user.caller',
  returns: ok(closed({ organizations: Type.Array(Organization) })),
  cli: { examples: ['docsctl email-domains orgs acme.test -o json'] },
});
