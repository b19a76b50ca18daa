import { normalizeDomain } from '../../core/emails.ts';
import { closed, nullable, type Static } from '../../contract/schema.ts';
import {
  getOrganization,
  updateOrganization,
  type Organization,
} from '../../resources/organizations/contract.ts';
import { kind } from '../kind.ts';
import { callFor, defaultRoleField, reference, update } from './fields.ts';
import { mergeRulesField } from './merge-rules.ts';

const body = updateOrganization.body.properties;

/** The settings of the organization. There is always one. */
export const organization = kind<Static<typeof Organization>>({
  name: 'org',
  description:
    'The settings of the organization itself. They always exist, so a manifest changes them but cannot create or delete them.',
  example: `
sites:
  docs: { title: Acme Docs }
org:
  settings:
    title: Acme
    defaultRole: read
    defaultContent: { site: !ref site.docs }
    inviteLinks: false
`,
  slots: [{ field: 'org.settings', as: 'one' }],
  keys: [],
  fields: {
    title: { schema: body.title, belongsToOne: true, isAlwaysSet: true },
    emailDomains: {
      schema: body.emailDomains,
      belongsToOne: true,
      equals: 'set',
      default: [],
      normalize: (value) => [...new Set((value as string[]).map(normalizeDomain))],
    },
    hostname: { schema: body.hostname, belongsToOne: true, isAlwaysSet: true },
    defaultRole: defaultRoleField(
      'role of people who join or are invited without a role; guest or null makes them guests',
    ),
    defaultContent: {
      schema: nullable(closed({ site: reference('site that readers see at this address') }), {
        description:
          'what readers see at the address of the organization on the server of sites; null: nothing',
      }),
      refersTo: 'site',
      default: null,
      read: ({ defaultContent }) => (defaultContent === undefined ? null : { site: defaultContent.site }),
      write: (value) => (value === null ? null : { type: 'site', ...(value as { site: string }) }),
    },
    logo: { schema: body.logo, default: null, belongsToOne: true, read: ({ urls }) => urls.logo ?? null },
    sso: { schema: body.sso, default: false },
    ai: { schema: body.ai, default: true },
    inviteLinks: { schema: body.inviteLinks, default: true },
    mergeRules: mergeRulesField('none'),
  },
  list: async (backend) => [await callFor(backend, getOrganization)],
  calls: { update: update(updateOrganization, getOrganization) },
});
