import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, nullable, oneOf, Type, Url } from '../../contract/schema.ts';
import { RoleOrGuest } from '../../contract/shapes.ts';
import { Team } from '../teams/contract.ts';

const Label = Type.String({ minLength: 1, maxLength: 30 });
const EntityId = Type.String({ maxLength: 1024, description: 'Entity id of the identity provider' });
const SsoUrl = Type.String({
  format: 'uri',
  maxLength: 2048,
  description: 'Address of the identity provider for signing in',
});
const Certificate = Type.String({
  maxLength: 10_000,
  description:
    'Signing certificate of the identity provider, as PEM or bare base64; several one after the other, as PEM',
});

/**
 * A provider that signs people in through another directory. It is pending while ssoURL, entityID or certificate is
 * missing or no certificate is valid. A missing address is about:blank.
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

const settings = {
  entityID: Type.Optional(EntityId),
  certificate: Type.Optional(Certificate),
  ssoURL: Type.Optional(SsoUrl),
  defaultTeam: Type.Optional(nullable(Id)),
  defaultRole: Type.Optional(RoleOrGuest),
};
const columns = ['label', 'status', 'defaultRole', 'ssoURL', 'id'];

export const listProviders = operation({
  id: 'saml.list',
  route: 'GET /orgs/:organizationId/saml',
  summary: 'List the SAML providers of an organization',
  access: 'org.admin',
  returns: listOf(SAMLProvider),
  cli: { columns },
});

export const createProvider = operation({
  id: 'saml.create',
  route: 'POST /orgs/:organizationId/saml',
  summary: 'Add a SAML provider',
  description:
    'People whom it lets in become members with defaultRole (null: guests) in defaultTeam. An entity id is of one provider of an organization. It is pending until ssoURL, entityID and a certificate in force are there.',
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
  access: 'org.admin',
  body: closed({ label: Type.Optional(Label), ...settings }),
  returns: ok(SAMLProvider),
  cli: { columns },
});

export const deleteProvider = operation({
  id: 'saml.delete',
  route: 'DELETE /orgs/:organizationId/saml/:samlProviderId',
  summary: 'Delete a SAML provider',
  access: 'org.admin',
  returns: noContent(),
});
