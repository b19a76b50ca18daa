import { ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Type } from '../../contract/schema.ts';
import { Organization } from '../organizations/contract.ts';

export const nounHelp: NounHelp = {
  description:
    'An organization can list email domains whose users may join it by themselves: `docsctl orgs update --email-domains example.com`.',
  examples: ['docsctl email-domains orgs example.com', 'docsctl orgs join Acme'],
};

export const listOrganizationsOfDomain = operation({
  id: 'email-domains.orgs',
  route: 'GET /email-domains/:emailDomain/orgs',
  summary: 'List the organizations that accept an email domain',
  description:
    'Shows only organizations that you are a member of. For the domain of your own email address, also shows the organizations that you may join with `docsctl orgs join`.',
  access: 'user.caller',
  returns: ok(closed({ organizations: Type.Array(Organization) })),
  cli: {
    columns: ['title', 'hostname', 'defaultRole', 'id'],
    examples: ['docsctl email-domains orgs example.com', 'docsctl email-domains orgs example.com -o json'],
  },
});
