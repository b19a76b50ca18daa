import type { Static } from '../../contract/schema.ts';
import {
  createShareLink,
  deleteShareLink,
  listShareLinks,
  updateShareLink,
  type ShareLink,
} from '../../resources/site-share-links/contract.ts';
import { kind } from '../kind.ts';
import { create, listAll, remove, update } from './fields.ts';

const body = updateShareLink.body.properties;

/** A secret address of a site. The address itself is never part of a manifest, a plan or a state file. */
export const shareLink = kind<Static<typeof ShareLink>>({
  name: 'share-link',
  description:
    'A secret address of a site. The address is never part of a manifest, a plan or a state file; `docsctl sites share-links list` shows it.',
  example: `
sites:
  docs:
    title: Acme Docs
    visibility: share-link
    shareLinks:
      partners: { name: Partners }
      trial: { name: Trial, active: false }
`,
  slots: [{ within: 'site', field: 'shareLinks', as: 'map' }],
  keys: [['name']],
  fields: {
    name: { schema: body.name, create: 'also', required: true },
    active: { schema: body.active, default: true },
  },
  list: listAll(listShareLinks),
  create: create(createShareLink),
  calls: { update: update(updateShareLink) },
  remove: remove(deleteShareLink),
});
