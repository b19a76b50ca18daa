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

/** The custom hostname of a site, and the result of the last DNS check. */
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

const query = {
  organization: Type.Optional({
    ...Id,
    description:
      'organization that has set the hostname (needed only if several of your organizations have set it)',
  }),
};

export const nounHelp: NounHelp = {
  description: `
A custom hostname is a name of your own, such as docs.example.com, under which a site is published. Set it with
\`docsctl custom-hostnames set\`, and add two records at your DNS provider: a CNAME record that points to the host at
which the server shows sites, and the TXT record that \`docsctl custom-hostnames get\` shows as \`proof\`. The TXT
record proves that the hostname belongs to your organization. A server with a single organization does not require the
TXT record. The operator of a server can change this with DOCSCTL_TRUST_HOSTNAMES: with yes, the
record is never required; with no, it is always required.

A job looks for the records soon after you set the hostname, and whenever you request a check. Later, it looks once an hour until it has found all records, and then once a day. \`docsctl serve\` runs this job; on an embedded store, run
\`docsctl jobs run\`. When the job has found the required records, the hostname is active, and becomes the address of the site.
Until then, the site keeps its address on the server. Instead of the CNAME record, the hostname can have the same IP
addresses as the server. docsctl issues no certificates, so a proxy in front of the server has to answer HTTPS
requests for the hostname.

If several organizations of a server set the same hostname, the hostname goes to the organization whose TXT record is
found. Hostnames that older versions activated without the TXT record stay active until another organization adds
its TXT record.`,
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
    'A site has one hostname, so the command removes the previous hostname of the site. A hostname of another site of the organization is refused. If another organization has the hostname, your site gets it when docsctl finds your TXT record and no longer finds the TXT record of the other organization. If the site already has the hostname, nothing changes. Otherwise, the command also requests a check of the DNS records, which `docsctl custom-hostnames --help` describes.',
  access: 'site.admin',
  body: closed({ hostname: InputHostname }),
  returns: ok(CustomHostname),
  cli: {
    columns: [...columns, ...details],
    positional: ['hostname'],
    several: false,
    examples: ['docsctl custom-hostnames set docs.example.com --site Docs'],
  },
});

export const getCustomHostname = operation({
  id: 'custom-hostnames.get',
  route: 'GET /custom-hostnames/:hostname',
  summary: 'Show a custom hostname and the last check of its DNS records',
  description:
    'The field `state` is `pending` until the name servers have answered a check. It is then `active` if the check found all records, or `failed` if not; `problem` says why.\n\n' +
    '`proof` is the TXT record that proves that the hostname belongs to your organization. `proof.status` is `found`, `missing`, or `trusted` if the hostname became active without the record.\n\n' +
    '`status` is `dns_passed` (the hostname leads to the server), `dns_wrong_cname` (the CNAME record has another target) or `dns_no_cname` (there is no CNAME record, and the hostname does not have the IP addresses of the server). `status` is absent until the name servers have answered a check. `dns` contains the time of the last check, the records that it found, and the host that they should point to. If the name servers did not answer, `dns.error` says why, and `status` does not change. If the hostname has a private address, `dns` contains `isPrivate` instead of the records, unless DOCSCTL_ALLOW_PRIVATE allows the address.',
  access: 'hostname.read',
  query,
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
    'The check is a job: a server runs it immediately; on an embedded store, run `docsctl jobs run`. `docsctl custom-hostnames get` shows the result. `docsctl custom-hostnames verify` waits for it.',
  access: 'hostname.admin',
  query,
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
  query,
  returns: noContent(),
  cli: { examples: ['docsctl custom-hostnames delete docs.example.com --yes'] },
});
