import { listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type, Url } from '../../contract/schema.ts';

const description =
  'hostname with at least three parts, such as docs.example.com; upper case is changed to lower case';
const Hostname = Type.String({
  maxLength: 253,
  pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$',
});
const InputHostname = Type.String({
  maxLength: 253,
  pattern: '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?[.]){2,}[A-Za-z0-9][A-Za-z0-9-]{0,61}[A-Za-z0-9]$',
  description,
});
const states = ['pending', 'active', 'failed'] as const;
const statuses = ['dns_passed', 'dns_wrong_cname', 'dns_no_cname'] as const;

/** A hostname of its own that a site has, and what the name servers say about it. */
export const CustomHostname = closed({
  object: Type.Literal('custom-hostname'),
  hostname: Hostname,
  target: closed({ type: Type.Literal('site'), site: Id }),
  isActive: Type.Boolean(),
  state: oneOf(states),
  status: Type.Optional(oneOf(statuses)),
  proof: closed({
    type: Type.Literal('TXT'),
    name: Type.String(),
    value: Type.String(),
    status: Type.Optional(oneOf(['missing', 'found', 'trusted'])),
  }),
  problem: Type.Optional(Type.String()),
  dns: Type.Optional(
    closed({
      checkedAt: DateTime,
      expected: Type.String(),
      cname: Type.Array(Type.String()),
      addresses: Type.Array(Type.String()),
      isPrivate: Type.Optional(Type.Literal(true)),
      error: Type.Optional(Type.String()),
    }),
  ),
  urls: closed({ location: Url }),
});

export const nounHelp: NounHelp = {
  description: `
A custom hostname is a name of your own, such as docs.example.com, under which a site is published. Set it here, and add two records at your DNS provider: a CNAME record that points to the host at which the server shows sites, and the TXT record that \`docsctl custom-hostnames get\` shows as \`proof\`. The TXT record proves that the hostname belongs to your organization. A server with a single organization does not ask for it, and its operator can decide otherwise with DOCSCTL_TRUST_HOSTNAMES.

A job looks for the records: soon after the hostname is set, on request, and then once a day if all were found, or once an hour if not. Jobs are run by \`docsctl serve\`, and on an embedded store by \`docsctl jobs run\`. The hostname is active once both records are found. In place of the CNAME record, the same IP addresses as those of the server are enough. From then on, the site has its address there. Before that, the site keeps its address on the server. docsctl issues no certificates: a proxy in front of the server has to answer HTTPS for the hostname.

Several organizations of a server can ask for the same hostname. The one that proves that it owns the hostname gets it. Hostnames that became active with an older docsctl, which asked for no TXT record, stay active without one, until another organization proves that it owns them.`,
  examples: [
    'docsctl custom-hostnames set docs.example.com --site Docs',
    'docsctl custom-hostnames get docs.example.com',
  ],
};

const columns = ['hostname', 'target.site=site', 'isActive', 'status', 'dns.checkedAt=checkedAt'];
const details = ['state', 'proof.name=proofName', 'proof.value=proofValue', 'problem'];

export const listCustomHostnames = operation({
  id: 'custom-hostnames.list',
  route: 'GET /orgs/:organizationId/custom-hostnames',
  summary: 'List the custom hostnames of an organization',
  access: 'org.admin',
  returns: listOf(CustomHostname),
  cli: { columns, examples: ['docsctl custom-hostnames list'] },
});

export const setCustomHostname = operation({
  id: 'custom-hostnames.set',
  route: 'PUT /orgs/:organizationId/sites/:siteId/custom-hostname',
  summary: 'Give a site a custom hostname',
  description:
    'A site has one hostname: the previous one of the site is removed. A hostname of another site of the organization is refused. If another organization has the hostname, the site gets it once your TXT record is found and the TXT record of the other organization is gone. Setting the same hostname again changes nothing. Requests a check of the DNS records.',
  access: 'site.admin',
  body: closed({ hostname: InputHostname }),
  returns: ok(CustomHostname),
  cli: {
    columns: [...columns, ...details],
    positional: ['hostname'],
    examples: ['docsctl custom-hostnames set docs.example.com --site Docs'],
  },
});

export const getCustomHostname = operation({
  id: 'custom-hostnames.get',
  route: 'GET /custom-hostnames/:hostname',
  summary: 'Show a custom hostname and the last check of its DNS records',
  description:
    'The state is `active`, `failed` (`problem` names what is missing), or `pending` (before the first check). `proof` is the TXT record that proves that the hostname belongs to your organization. `proof.status` says whether it was `found` or is `missing`; `trusted` means that the hostname became active without the record. The status is `dns_passed`, `dns_wrong_cname` (the CNAME record has another target) or `dns_no_cname` (there is no CNAME record, and the hostname has other IP addresses than the server). It is absent until the first check. `dns` has the records that were found, the time of the check, and the host that they should point to. If the name servers did not answer, `dns.error` says why, and the status does not change. For a hostname with a private address, `dns.isPrivate` is shown instead of the records, unless DOCSCTL_ALLOW_PRIVATE allows the address.',
  access: 'hostname.read',
  returns: ok(CustomHostname),
  cli: {
    columns: [...columns, 'dns.expected=expected', 'dns.cname=cname', 'dns.error=error', ...details],
    examples: [
      'docsctl custom-hostnames get docs.example.com',
      'docsctl custom-hostnames get docs.example.com -o json',
    ],
  },
});

export const revalidateCustomHostname = operation({
  id: 'custom-hostnames.revalidate',
  route: 'PATCH /custom-hostnames/:hostname',
  summary: 'Check the DNS records of a custom hostname again',
  description:
    'The check is a job: a server runs it at once; on an embedded store, run `docsctl jobs run`. `docsctl custom-hostnames get` shows the result. `docsctl custom-hostnames verify` waits for it.',
  access: 'hostname.admin',
  returns: noContent(),
  cli: { examples: ['docsctl custom-hostnames revalidate docs.example.com'] },
});

export const deleteCustomHostname = operation({
  id: 'custom-hostnames.delete',
  route: 'DELETE /custom-hostnames/:hostname',
  summary: 'Remove a custom hostname from its site',
  description:
    'The site returns to its address on the server. From then on, other sites can use the hostname.',
  access: 'hostname.admin',
  returns: noContent(),
  cli: { examples: ['docsctl custom-hostnames delete docs.example.com --yes'] },
});
