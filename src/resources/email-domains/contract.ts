import { listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, oneOf, Type } from '../../contract/schema.ts';
import { Organization } from '../organizations/contract.ts';

export const nounHelp: NounHelp = {
  description: `
An organization can list email domains whose users may join it without an invite:
\`docsctl orgs update --email-domains example.com\`. Users of a domain can join only after the organization has proven
that it owns the domain. To prove this, add the TXT record that \`docsctl email-domains get\` shows as \`proof\` at
your DNS provider. A server with a single organization does not require the record. The
operator of a server can change this with DOCSCTL_TRUST_HOSTNAMES: with yes, the record is never required; with no, it is
always required.

A job looks for the record soon after you list the domain, whenever you request a check, and once an hour until it has
found the record. \`docsctl serve\` runs this job; on an embedded store, run \`docsctl jobs run\`. Domains that
older versions activated without the TXT record stay active until another organization proves that it owns them.`,
  examples: [
    'docsctl orgs update Acme --email-domains example.com',
    'docsctl email-domains list',
    'docsctl email-domains orgs example.com',
  ],
};

/** An email domain of an organization, and its TXT record. Not in the published API. */
export const EmailDomain = closed({
  object: Type.Literal('email-domain'),
  domain: Type.String(),
  isActive: Type.Boolean(),
  proof: closed({
    type: Type.Literal('TXT'),
    name: Type.String(),
    value: Type.String(),
    status: Type.Optional(oneOf(['missing', 'found', 'trusted'])),
  }),
  checkedAt: Type.Optional(DateTime),
  problem: Type.Optional(Type.String()),
});

const columns = ['domain', 'isActive', 'checkedAt'];
const details = ['proof.name=proofName', 'proof.value=proofValue', 'problem'];

export const listEmailDomains = operation({
  id: 'email-domains.list',
  route: 'GET /orgs/:organizationId/email-domains',
  summary: 'List the email domains of an organization',
  access: 'org.admin',
  returns: listOf(EmailDomain),
  cli: { columns, examples: ['docsctl email-domains list'] },
});

export const getEmailDomain = operation({
  id: 'email-domains.get',
  route: 'GET /orgs/:organizationId/email-domains/:emailDomain',
  summary: 'Show an email domain of an organization and the record that proves who owns the domain',
  description:
    'People with an email address in the domain can join while `isActive` is true. `proof` is the TXT record that proves that the organization owns the domain. `proof.status` says whether the record was found; `trusted` means that the domain took effect without the record. `problem` says what is missing, or why the name servers gave no answer.',
  access: 'org.admin',
  returns: ok(EmailDomain),
  cli: {
    columns: [...columns, ...details],
    examples: ['docsctl email-domains get example.com || echo "not listed"'],
  },
});

export const revalidateEmailDomain = operation({
  id: 'email-domains.revalidate',
  route: 'PATCH /orgs/:organizationId/email-domains/:emailDomain',
  summary: 'Look for the DNS record of an email domain again',
  description:
    'The check is a job: a server runs it immediately; on an embedded store, run `docsctl jobs run`. `docsctl email-domains get` shows the result. `docsctl email-domains verify` checks and waits for the result.',
  access: 'org.admin',
  returns: noContent(),
  cli: { examples: ['docsctl email-domains revalidate example.com || echo "not listed"'] },
});

export const listOrganizationsOfDomain = operation({
  id: 'email-domains.orgs',
  route: 'GET /email-domains/:emailDomain/orgs',
  summary: 'List the organizations that accept an email domain',
  description:
    'Shows the organizations that list the domain and that you are a member of. For the domain of your own email address, also shows organizations that have proven that they own the domain. You can join these organizations with `docsctl orgs join`.',
  access: 'user.caller',
  returns: ok(closed({ organizations: Type.Array(Organization) })),
  cli: {
    columns: ['title', 'hostname', 'defaultRole', 'id'],
    examples: ['docsctl email-domains orgs example.com', 'docsctl email-domains orgs example.com -o json'],
  },
});
