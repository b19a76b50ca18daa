import {
  getOrganization,
  updateOrganization,
  type Organization,
} from '../../resources/organizations/contract.ts';
import type { Static } from '../../contract/schema.ts';
import { kind } from '../kind.ts';
import { bodyOf, reference } from './fields.ts';
import { mergeRulesField } from './merge-rules.ts';

const body = bodyOf(updateOrganization);

/** The settings of the organization itself: there is always one. */
export const organization = kind<Static<typeof Organization>>({
  name: 'org',
  slots: [{ field: 'org.settings', as: 'one' }],
  keys: [],
  fields: {
    title: { shape: body.title },
    emailDomains: {
      shape: body.emailDomains,
      equals: 'set',
      default: [],
      normalize: (value) => [...new Set((value as string[]).map((domain) => domain.toLowerCase()))],
    },
    hostname: { shape: body.hostname },
    defaultRole: { shape: body.defaultRole, default: null },
    defaultContent: {
      shape: { kind: 'map', fields: { site: reference }, required: ['site'], nullable: true },
      refersTo: 'site',
      default: null,
      read: ({ defaultContent }) => (defaultContent === undefined ? null : { site: defaultContent.site }),
      write: (value) => (value === null ? null : { type: 'site', ...(value as { site: string }) }),
    },
    logo: { shape: body.logo, default: null, read: ({ urls }) => urls.logo ?? null },
    sso: { shape: body.sso, default: false },
    ai: { shape: body.ai, default: true },
    inviteLinks: { shape: body.inviteLinks, default: true },
    mergeRules: mergeRulesField('none'),
  },
  list: async (backend) => [
    await backend.call(getOrganization, { params: { organizationId: backend.organization } }),
  ],
  calls: {
    update: {
      send: (backend, { id }, fields) =>
        backend.call(updateOrganization, { params: { organizationId: id }, body: fields }),
    },
  },
});
