import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, nullable, oneOf, Type, Url } from '../../contract/schema.ts';
import { MergeRules, RoleOrGuest, User } from '../../contract/shapes.ts';

const Title = Type.String({ minLength: 2, maxLength: 255, pattern: '\\S.*\\S' });
const EmailDomains = Type.Array(
  Type.String({
    maxLength: 253,
    pattern: '^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9]$',
  }),
  {
    maxItems: 100,
    description: 'Who has an email of these domains may join',
  },
);

/** The subdomain under which the content of an organization is published. */
export const Hostname = Type.String({
  minLength: 3,
  maxLength: 32,
  pattern: '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$',
});
const DefaultContent = closed({ type: Type.Literal('site'), site: Id });

export const Organization = closed({
  object: Type.Literal('organization'),
  id: Id,
  title: Title,
  createdAt: DateTime,
  emailDomains: EmailDomains,
  hostname: Hostname,
  type: oneOf(['business', 'community']),
  defaultRole: RoleOrGuest,
  defaultContent: Type.Optional(DefaultContent),
  sso: Type.Boolean(),
  ai: Type.Boolean(),
  inviteLinks: Type.Boolean(),
  plan: oneOf(['free', 'plus', 'pro', 'internal']),
  mergeRules: MergeRules,
  urls: closed({ location: Url, app: Url, logo: Type.Optional(Url) }),
  trial: closed({
    status: oneOf(['notapplicable', 'none', 'active', 'ended', 'expired']),
    count: Type.Integer({ minimum: 0 }),
  }),
  permissions: closed({
    view: Type.Boolean(),
    admin: Type.Boolean(),
    ownTeam: Type.Boolean(),
    createContent: Type.Boolean(),
    createOpenAPISpec: Type.Boolean(),
    ingestConversations: Type.Boolean(),
    viewBilling: Type.Boolean(),
    listMembers: Type.Boolean(),
    listTeams: Type.Boolean(),
    listIntegrations: Type.Boolean(),
    listInstallations: Type.Boolean(),
    installIntegration: Type.Boolean(),
  }),
});

const columns = ['title', 'hostname', 'createdAt', 'id'];

export const listOrganizations = operation({
  id: 'orgs.list',
  route: 'GET /orgs',
  summary: 'List your organizations',
  access: 'user.caller',
  returns: listOf(Organization),
  cli: { columns },
});

export const getOrganization = operation({
  id: 'orgs.get',
  route: 'GET /orgs/:organizationId',
  summary: 'Show an organization',
  access: 'org.member',
  returns: ok(Organization),
  cli: { positional: ['organizationId'], columns, examples: ['docsctl orgs get Acme'] },
});

export const createOrganization = operation({
  id: 'orgs.create',
  route: 'POST /orgs',
  summary: 'Create an organization that you administer',
  description: 'A token that is good for one organization only cannot do this.',
  access: 'user.caller',
  body: closed({ title: Title, emailDomains: Type.Optional(EmailDomains) }),
  returns: created(Organization),
  cli: { composite: true, columns },
});

/** Creates an organization with its administrator and a first token in one step. Not in the published API. */
export const provision = operation({
  id: 'orgs.provision',
  route: 'POST /provision',
  summary: 'Create an organization with its administrator and a token',
  description:
    'The token is shown this once. Only the operator of the server makes organizations for others than themselves.',
  access: 'user.caller',
  secret: true,
  body: closed({
    title: Title,
    email: Type.String({ format: 'email', description: 'Email of the administrator' }),
    displayName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Name of the administrator, when they are new',
      }),
    ),
    emailDomains: Type.Optional(EmailDomains),
  }),
  returns: created(closed({ organization: Organization, user: User, token: Type.String() })),
  cli: {
    columns: ['organization.title', 'user.email', 'token', 'organization.id'],
    examples: ['docsctl orgs provision --title Acme --email ana@acme.test'],
  },
});

export const updateOrganization = operation({
  id: 'orgs.update',
  route: 'PATCH /orgs/:organizationId',
  summary: 'Change the settings of an organization',
  access: 'org.admin',
  body: closed({
    title: Type.Optional(Title),
    emailDomains: Type.Optional(EmailDomains),
    hostname: Type.Optional(Hostname),
    defaultRole: Type.Optional(RoleOrGuest),
    defaultContent: Type.Optional(nullable(DefaultContent)),
    logo: Type.Optional(nullable(Url)),
    sso: Type.Optional(Type.Boolean({ description: 'Single sign-on for everybody' })),
    ai: Type.Optional(Type.Boolean()),
    inviteLinks: Type.Optional(Type.Boolean({ description: 'Whether links can invite' })),
    mergeRules: Type.Optional(MergeRules),
  }),
  returns: ok(Organization),
  cli: {
    positional: ['organizationId'],
    columns,
    examples: [
      'docsctl orgs update Acme --default-role read --email-domains acme.test',
      'docsctl orgs update Acme --default-site site_01J… --unset logo',
    ],
    flags: [
      {
        name: 'default-site',
        value: 'ID',
        summary: 'site that opens by default',
        template: { defaultContent: { type: 'site', site: '$' } },
      },
    ],
  },
});

export const joinOrganization = operation({
  id: 'orgs.join',
  route: 'POST /orgs/:organizationId/join',
  summary: 'Join an organization that your email domain allows',
  access: 'user.caller',
  returns: noContent(),
  cli: { positional: ['organizationId'] },
});

export const pingOrganization = operation({
  id: 'orgs.ping',
  route: 'POST /orgs/:organizationId/ping',
  summary: 'Say that you are here: sets when you were last seen',
  access: 'org.member',
  returns: ok(closed({ serviceVisitorClaims: Type.Optional(Type.String()) })),
  cli: { positional: ['organizationId'] },
});
