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
} from '../../contract/schema.ts';
import { RoleOrGuest } from '../../contract/shapes.ts';
import { Team } from '../teams/contract.ts';

export const nounHelp: NounHelp = {
  description:
    'A SAML provider connects an organization to an identity provider such as Okta or Microsoft Entra ID, so that people can sign in with their company account. ' +
    'People who are not members yet become members, with the default role and team of the provider.\n\n' +
    'A provider is pending until it has an entity ID, a sign-in address and a valid certificate. The metadata of the identity provider has all three: pass it with --metadata. ' +
    'People then sign in with `docsctl login --sso START-URL`; `docsctl sso list` shows the start URL.',
  examples: [
    'docsctl saml create --label Google --metadata idp.xml --default-role read',
    'docsctl saml list',
    'docsctl saml update Okta --certificate @okta.pem',
  ],
};

const Label = nonBlank({
  maxLength: 30,
  description: 'name that people see when they sign in, up to 30 characters',
});
const EntityId = Type.String({
  maxLength: 1024,
  description: 'entity ID of the identity provider; only one provider of an organization can have it',
});
const SsoUrl = Type.String({
  format: 'uri',
  maxLength: 2048,
  description: 'address at which the identity provider signs people in',
});
const Certificate = Type.String({
  maxLength: 10_000,
  description:
    'signing certificate of the identity provider, as PEM or base64; PEM can contain several; @FILE reads a file',
});

/**
 * An identity provider. It is pending while ssoURL, entityID or certificate is missing, or no certificate is valid. A missing
 * address is about:blank.
 */
export const SAMLProvider = closed({
  object: Type.Literal('saml-provider'),
  id: Id,
  label: Label,
  ssoURL: SsoUrl,
  entityID: EntityId,
  certificate: Certificate,
  defaultTeam: Type.Optional(Team),
  defaultRole: RoleOrGuest,
  createdAt: DateTime,
  status: oneOf(['active', 'pending']),
  service: closed({ acsURL: Url, startURL: Url, entityID: Type.String({ maxLength: 1024 }) }),
  urls: closed({ location: Url }),
});

const settings = optional({
  entityID: EntityId,
  certificate: Certificate,
  ssoURL: SsoUrl,
  defaultTeam: nullable({
    ...Id,
    description: 'team to which people who join through the provider are added',
  }),
  defaultRole: {
    ...RoleOrGuest,
    description: 'role of people who join through the provider; null: no role',
  },
});
const columns = ['label', 'status', 'defaultRole', 'ssoURL', 'id'];

export const listProviders = operation({
  id: 'saml.list',
  route: 'GET /orgs/:organizationId/saml',
  summary: 'List the SAML providers of an organization',
  access: 'org.admin',
  returns: listOf(SAMLProvider),
  cli: { columns, examples: ['docsctl saml list'] },
});

export const createProvider = operation({
  id: 'saml.create',
  route: 'POST /orgs/:organizationId/saml',
  summary: 'Add a SAML provider',
  description:
    'People who sign in through the provider become members with defaultRole and join defaultTeam. The provider is pending until ssoURL, entityID and a valid certificate are set. An entity ID can be used by only one provider per organization.',
  access: 'org.admin',
  body: closed({ label: Label, ...settings }),
  returns: created(SAMLProvider),
  cli: {
    columns,
    examples: [
      'docsctl saml create --label Okta --entity-id https://idp.example.com/x --sso-url https://idp.example.com/sso --certificate @okta.pem',
    ],
  },
});

export const getProvider = operation({
  id: 'saml.get',
  route: 'GET /orgs/:organizationId/saml/:samlProviderId',
  summary: 'Show a SAML provider',
  access: 'org.admin',
  returns: ok(SAMLProvider),
  cli: { columns },
});

export const updateProvider = operation({
  id: 'saml.update',
  route: 'PATCH /orgs/:organizationId/saml/:samlProviderId',
  summary: 'Change a SAML provider',
  description:
    'Fields that are not given keep their values. A new entity ID or sign-in address ends all sessions of people who signed in through the provider. Removing or replacing a certificate ends the sessions that started with it. Other changes apply to the next sign-in.',
  access: 'org.admin',
  body: closed({ label: Type.Optional(Label), ...settings }),
  returns: ok(SAMLProvider),
  cli: { columns },
});

export const deleteProvider = operation({
  id: 'saml.delete',
  route: 'DELETE /orgs/:organizationId/saml/:samlProviderId',
  summary: 'Delete a SAML provider',
  description:
    'Nobody can sign in through the provider anymore. Sessions that were started through it end immediately: their tokens are deleted. People who joined through it remain members.',
  access: 'org.admin',
  returns: noContent(),
  cli: { examples: ['docsctl saml delete Okta --yes'] },
});
