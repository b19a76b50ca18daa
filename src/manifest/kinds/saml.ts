import type { Static } from '../../contract/schema.ts';
import {
  createProvider,
  deleteProvider,
  listProviders,
  updateProvider,
  type SAMLProvider,
} from '../../resources/saml/contract.ts';
import { kind } from '../kind.ts';
import { wrongWithCertificate } from './certificate.ts';
import { bodyOf, reference } from './fields.ts';

const body = bodyOf(updateProvider);

/** A way to sign in through another organization's directory. Its certificate is public, and shown by the API. */
export const saml = kind<Static<typeof SAMLProvider>>({
  name: 'saml',
  slots: [{ field: 'saml', as: 'map' }],
  keys: [['label']],
  fields: {
    label: { shape: body.label, create: 'also', required: true },
    entityID: { shape: body.entityID, create: 'also' },
    ssoURL: { shape: body.ssoURL, create: 'also' },
    certificate: {
      shape: body.certificate,
      create: 'also',
      equals: 'text',
      check: (value, _, fault) => {
        const wrong = wrongWithCertificate(String(value));
        if (wrong !== undefined) fault(wrong);
      },
    },
    defaultTeam: {
      shape: reference,
      refersTo: 'team',
      create: 'also',
      read: ({ defaultTeam }) => defaultTeam?.id ?? null,
    },
    defaultRole: { shape: body.defaultRole, create: 'also', default: null },
  },
  list: (backend) => backend.all(listProviders, { params: { organizationId: backend.organization } }),
  create: (backend, _, fields) =>
    backend.call(createProvider, { params: { organizationId: backend.organization }, body: fields as never }),
  calls: {
    update: {
      send: (backend, { id }, fields) =>
        backend.call(updateProvider, {
          params: { organizationId: backend.organization, samlProviderId: id },
          body: fields,
        }),
    },
  },
  remove: (backend, { id }) =>
    backend.call(deleteProvider, { params: { organizationId: backend.organization, samlProviderId: id } }),
});
