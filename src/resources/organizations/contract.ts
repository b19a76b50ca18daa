import { BrokenRedirect, movedRedirects } from '../site-redirects/schemas.ts';
import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import {
  closed,
  DateTime,
  Id,
  nonBlank,
  nullable,
  oneOf,
  optional,
  Type,
  Url,
  WebUrl,
} from '../../contract/schema.ts';
import { Change } from '../../content/changes.ts';
import { BrokenLink } from '../content/links/schemas.ts';
import {
  MergeRules,
  organizationTypes,
  plans,
  RoleOrGuest,
  trialStatuses,
  User,
} from '../../contract/shapes.ts';

export const nounHelp: NounHelp = {
  description:
    'An organization owns collections, spaces, sites, teams and integrations. Its members have a role in it, from read to admin. ' +
    'A store holds one organization or many; commands work on the one that --org, DOCSCTL_ORG, a .docsctl.yaml or the profile names.\n\n' +
    '`docsctl orgs create` creates an organization together with a token for it. Organizations cannot be deleted.',
  examples: [
    'docsctl orgs list',
    'docsctl orgs create --title "Acme Europe" --email ana@example.com',
    'docsctl orgs update Acme --default-role read',
  ],
};

const Title = Type.String({
  minLength: 2,
  maxLength: 255,
  pattern: '\\S.*\\S',
  description: 'title of the organization, 2 to 255 characters',
});
const letter = 'a-zA-Z0-9\\u0080-\\uffff';
const EmailDomains = Type.Array(
  Type.String({
    maxLength: 253,
    pattern: `^([${letter}]([${letter}-]{0,61}[${letter}])?\\.)+[${letter}][${letter}-]{0,61}[${letter}]$`,
    description: 'domain of email addresses, such as example.com',
  }),
  {
    maxItems: 100,
    description: 'email domains whose users may join without an invite, such as example.com',
  },
);

/** The subdomain under which the content of an organization is published. */
export const Hostname = Type.String({
  minLength: 3,
  maxLength: 32,
  pattern: '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$',
  description: 'subdomain of the organization: 3 to 32 lower-case letters, digits and hyphens',
});
const DefaultContent = closed(
  { type: Type.Literal('site'), site: Id },
  { description: 'site that the address of the organization leads to' },
);

const operatorOnly = 'only the operator of the server can set it';
const OrganizationType = oneOf(organizationTypes, {
  description: `kind of the organization; ${operatorOnly}`,
});
const Plan = oneOf(plans, { description: `plan of the organization; ${operatorOnly}` });
const Trial = closed(
  {
    status: oneOf(trialStatuses),
    count: Type.Integer({ minimum: 0 }),
    endDate: Type.Optional(DateTime),
    decision: Type.Optional(oneOf(['downgrade'])),
  },
  { description: `trial of a plan; ${operatorOnly}` },
);

export const Organization = closed({
  object: Type.Literal('organization'),
  id: Id,
  title: Title,
  createdAt: DateTime,
  emailDomains: EmailDomains,
  hostname: Hostname,
  type: OrganizationType,
  defaultRole: RoleOrGuest,
  defaultContent: Type.Optional(DefaultContent),
  sso: Type.Boolean(),
  ai: Type.Boolean(),
  inviteLinks: Type.Boolean(),
  plan: Plan,
  mergeRules: MergeRules,
  urls: closed({ location: Url, app: Url, logo: Type.Optional(Url) }),
  trial: Trial,
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
  description:
    'Commands on an embedded store list all organizations in it. With a token for one organization, the command lists only that organization.',
  access: 'user.caller',
  returns: listOf(Organization),
  cli: { columns, examples: ['docsctl orgs list', 'docsctl orgs list --all -o json'] },
});

export const getOrganization = operation({
  id: 'orgs.get',
  route: 'GET /orgs/:organizationId',
  summary: 'Show an organization',
  access: 'org.member',
  returns: ok(Organization),
  cli: {
    positional: ['organizationId'],
    columns,
    examples: ['docsctl orgs get Acme', 'docsctl orgs get "Acme Labs" -o yaml'],
  },
});

export const createOrganization = operation({
  id: 'orgs.create',
  route: 'POST /orgs',
  summary: 'Create an organization and become its administrator',
  description: 'A token for one organization cannot create others.',
  access: 'user.caller',
  body: closed({ title: Title, emailDomains: Type.Optional(EmailDomains) }),
  returns: created(Organization),
  cli: { composite: true, columns },
});

/** Creates an organization with its administrator and a first token in one step. Not in the published API. */
export const provision = operation({
  id: 'orgs.provision',
  route: 'POST /provision',
  summary: 'Create an organization for a given administrator',
  description:
    'Creates the organization, adds the administrator as a user if the email is new, and prints a token for the organization. The token cannot be shown again.\n\n' +
    'On a server, you need a token for all organizations, such as the one that `docsctl init` printed. Only the operator of the server can create an organization for someone else. `docsctl orgs create` does the same and uses your own email by default.',
  access: 'user.caller',
  secret: true,
  body: closed({
    title: Title,
    email: Type.String({ format: 'email', description: 'email address of the administrator' }),
    displayName: Type.Optional(
      nonBlank({
        maxLength: 128,
        description:
          'name of the administrator, used if the email is new (default: the part of the email before @)',
      }),
    ),
    emailDomains: Type.Optional(EmailDomains),
  }),
  returns: created(closed({ organization: Organization, user: User, token: Type.String() })),
  cli: {
    columns: ['organization.title', 'user.email', 'token', 'organization.id'],
    examples: [
      'docsctl orgs provision --title "Acme Europe" --email ana@example.com',
      'docsctl orgs provision --title "Acme Asia" --email dan@example.com --display-name "Dan Lee" -o json',
    ],
  },
});

export const updateOrganization = operation({
  id: 'orgs.update',
  route: 'PATCH /orgs/:organizationId',
  summary: 'Change the settings of an organization',
  description:
    'Fields that are not given keep their values. A new list of email domains replaces the old one; members who have already joined stay.\n\n' +
    'To see the current settings, run `docsctl orgs get`.\n\n' +
    'Only the operator of the server can set the type, the plan and the trial, to record what was agreed with the organization. These fields turn no feature on or off. The operator is whoever opens the store, or has the token that `docsctl init` printed.',
  access: 'org.admin',
  body: closed(
    optional({
      title: Title,
      emailDomains: EmailDomains,
      hostname: Hostname,
      defaultRole: {
        ...RoleOrGuest,
        description: 'role of people who join or are invited without a role; null: no role',
      },
      defaultContent: nullable(DefaultContent),
      logo: nullable({ ...WebUrl, description: 'address of the logo, which members see' }),
      sso: Type.Boolean({
        description:
          'whether single sign-on is required of all members except administrators; new people then join only by single sign-on, or when an administrator adds them',
      }),
      ai: Type.Boolean({
        description:
          'whether AI features are on; false: no text is sent to language models or translation services',
      }),
      inviteLinks: Type.Boolean({ description: 'whether people can join through invite links' }),
      mergeRules: {
        ...MergeRules,
        examples: [{ type: 'none' }],
        description:
          'what a change request needs before it can be merged; the type "inherit" is only for spaces; `docsctl explain orgs.mergeRules` lists the rules, such as {"rule": "require_author_to_merge"}',
      },
      type: OrganizationType,
      plan: Plan,
      trial: Trial,
    }),
  ),
  returns: ok(Organization),
  cli: {
    positional: ['organizationId'],
    columns,
    examples: [
      'docsctl orgs update Acme --default-role read --email-domains example.com,example.org',
      'docsctl orgs update Acme --default-site Docs --unset logo',
      'docsctl orgs update Acme --no-invite-links',
    ],
    flags: [
      {
        name: 'default-site',
        value: 'SITE',
        summary: 'the same as --default-content, with the title or ID of the site',
        template: { defaultContent: { type: 'site', site: '$' } },
      },
    ],
  },
});

/** The planned change of one space: new content from changes, from a change request, or both; or its deletion. */
const PlannedSpace = closed({
  space: Id,
  ...optional({
    changeRequest: Id,
    changes: Type.Array(Change, { maxItems: 10_000 }),
    deleted: Type.Literal(true),
    /** An earlier revision of the space. Redirects are also listed for pages that have moved since then. */
    since: Id,
  }),
});

export const findBrokenLinks = operation({
  id: 'orgs.broken-links',
  route: 'POST /orgs/:organizationId/broken-links',
  summary: 'List the links that changes to spaces and sites would break',
  description:
    'Takes planned changes to spaces and sites, and lists the links that they would break, in all spaces that you may read. A link breaks if its page, file, anchor, space or published address would be deleted or moved. New links that lead to no page or anchor come last. With -o json, they have `new: true`, `brokenNew` counts them, and `brokenBefore` counts the links that are already broken.\n\nWith -o json, `redirects` lists the redirects that old paths of published sites would need, and `brokenRedirects` lists the existing redirects that would lead nowhere. Nothing is changed. `docsctl plan`, `docsctl spaces import --dry-run` and `docsctl change-requests diff` show the same for their changes. This operation is not in the official API of GitBook.',
  access: 'org.read',
  safe: true,
  body: closed({
    spaces: Type.Array(PlannedSpace, {
      maxItems: 1000,
      description:
        'spaces that change, by ID. changeRequest: ID of a change request; changes: edits as in `docsctl change-requests content batch`; since: earlier revision, to also list the redirects for pages that have moved since then',
    }),
    links: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'whether to check links (default: true); false: list only redirects',
      }),
    ),
    structure: Type.Optional(
      Type.Array(
        closed({
          id: Id,
          ...optional({
            path: Type.String({ minLength: 1, maxLength: 255 }),
            deleted: Type.Literal(true),
            default: Type.Literal(true),
          }),
        }),
        {
          maxItems: 1000,
          description:
            'sites, sections and site spaces, by ID, that get another path, become the default or are deleted',
        },
      ),
    ),
  }),
  returns: listOf(BrokenLink, {
    brokenNew: Type.Integer({ minimum: 0 }),
    brokenBefore: Type.Integer({ minimum: 0 }),
    ...movedRedirects,
    brokenRedirects: Type.Optional(Type.Array(BrokenRedirect)),
  }),
  cli: {
    columns: ['space.title=space', 'source.path=path', 'line', 'href', 'message'],
    flags: [
      {
        name: 'without',
        value: 'space-id',
        summary: 'space that would be deleted, by ID; the same as --spaces with deleted',
        template: { spaces: [{ space: '$', deleted: true }] },
        repeatable: true,
      },
    ],
    examples: ['docsctl orgs broken-links --without spc_1'],
  },
});

export const joinOrganization = operation({
  id: 'orgs.join',
  route: 'POST /orgs/:organizationId/join',
  summary: 'Join an organization that accepts your email domain',
  description:
    'You become a member with the default role of the organization. If you are already a member, nothing changes.\n\n' +
    'To see the organizations that accept your email domain, run `docsctl email-domains orgs DOMAIN`. Give the ID, because titles work only for organizations that you belong to. On a server, you need a token for all organizations, such as the one that `docsctl init` printed.',
  access: 'user.caller',
  returns: noContent(),
  cli: { positional: ['organizationId'], examples: ['docsctl orgs join org_2'] },
});

export const pingOrganization = operation({
  id: 'orgs.ping',
  route: 'POST /orgs/:organizationId/ping',
  summary: 'Record that you were active in an organization just now',
  description: 'Sets the time that `docsctl members list` shows as lastSeenAt.',
  access: 'org.member',
  returns: ok(closed({ serviceVisitorClaims: Type.Optional(Type.String()) })),
  cli: { positional: ['organizationId'], examples: ['docsctl orgs ping Acme'] },
});
