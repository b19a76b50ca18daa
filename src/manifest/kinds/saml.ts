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
import { create, listAll, reference, remove, update } from './fields.ts';

const body = updateProvider.body.properties;

/** A way to sign in through another organization's directory. Its certificate is public, and shown by the API. */
export const saml = kind<Static<typeof SAMLProvider>>({
  name: 'saml',
  slots: [{ field: 'saml', as: 'map' }],
  keys: [['label']],
  fields: {
    label: { schema: body.label, create: 'also', required: true },
    entityID: { schema: body.entityID, create: 'also' },
    ssoURL: { schema: body.ssoURL, create: 'also' },
    certificate: {
      schema: body.certificate,
      create: 'also',
      equals: 'text',
      check: (value, _, fault) => {
        const wrong = wrongWithCertificate(String(value));
        if (wrong !== undefined) fault(wrong);
      },
    },
    defaultTeam: {
      schema: reference,
      refersTo: 'team',
      create: 'also',
      read: ({ defaultTeam }) => defaultTeam?.id ?? null,
    },
    defaultRole: { schema: body.defaultRole, create: 'also', default: null },
  },
  list: listAll(listProviders),
  create: create(createProvider),
  calls: { update: update(updateProvider) },
  remove: remove(deleteProvider),
});
