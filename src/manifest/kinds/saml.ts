import { X509Certificate } from 'node:crypto';
import type { Static } from '../../contract/schema.ts';
import {
  createProvider,
  deleteProvider,
  listProviders,
  updateProvider,
  type SAMLProvider,
  getProvider,
} from '../../resources/saml/contract.ts';
import { kind } from '../kind.ts';
import { create, listAll, referenceOrNone, remove, update, defaultRoleField } from './fields.ts';

const body = updateProvider.body.properties;

/** A sign-in through the directory of another organization. Its certificate is public, and the API shows it. */
export const saml = kind<Static<typeof SAMLProvider>>({
  name: 'saml',
  description: 'A way to sign in through the identity provider of a company.',
  example: `
teams:
  staff: { title: Staff }
saml:
  okta:
    label: Okta
    entityID: https://idp.example.com/metadata
    ssoURL: https://idp.example.com/sso
    certificate: !file okta.pem
    defaultTeam: !ref team.staff
    defaultRole: read
`,
  slots: [{ field: 'saml', as: 'map' }],
  keys: [['label']],
  fields: {
    label: { schema: body.label, create: 'also', required: true },
    entityID: { schema: body.entityID, create: 'also', distinct: true },
    ssoURL: { schema: body.ssoURL, create: 'also' },
    certificate: {
      schema: {
        ...body.certificate,
        description:
          'signing certificate of the identity provider, as PEM or base64; !file reads it from a file',
      },
      create: 'also',
      equals: 'text',
      check: (value, _, fault) => checkCertificates(String(value), fault),
    },
    defaultTeam: {
      schema: referenceOrNone('team that people join when they first sign in; null: none'),
      refersTo: 'team',
      create: 'also',
      read: ({ defaultTeam }) => defaultTeam?.id ?? null,
    },
    defaultRole: {
      ...defaultRoleField('role of people who join through the provider; guest or null makes them guests'),
      create: 'also',
    },
  },
  list: listAll(listProviders),
  create: create(createProvider),
  calls: { update: update(updateProvider, getProvider) },
  remove: remove(deleteProvider),
});

/**
 * Checks one certificate as PEM or bare base64, or several as PEM. An empty text means none. Fault messages do not contain the
 * text.
 */
function checkCertificates(text: string, fault: (message: string) => void): void {
  if (text.trim() === '') return;
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/g)];
  const bodies = blocks.length === 0 ? [text] : blocks.map(([, , base64 = '']) => base64);
  if (blocks.some(([, label]) => label !== 'CERTIFICATE'))
    fault('contains something other than certificates, such as a key');
  else if (!bodies.every(isCertificate))
    fault(
      'is not an X.509 certificate; use the signing certificate of the identity provider, as PEM or as the base64 text in its metadata',
    );
}

function isCertificate(text: string): boolean {
  const base64 = text.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return false;
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).raw.length > 0;
  } catch {
    return false;
  }
}
