import type { Static } from '../../contract/schema.ts';
import {
  createShareLink,
  deleteShareLink,
  listShareLinks,
  updateShareLink,
  type ShareLink,
} from '../../resources/site-share-links/contract.ts';
import { idOf, kind, type Backend, type Located } from '../kind.ts';
import { bodyOf } from './fields.ts';

const body = bodyOf(updateShareLink);

/** A secret address of a site. The address itself is nowhere in a manifest, a plan or a lock. */
export const shareLink = kind<Static<typeof ShareLink>>({
  name: 'share-link',
  slots: [{ within: 'site', field: 'shareLinks', as: 'map' }],
  keys: [['name']],
  fields: {
    name: { shape: body.name, create: 'also', required: true },
    active: { shape: body.active, default: true },
  },
  list: (backend, site) => backend.all(listShareLinks, { params: paramsOf(backend, site) }),
  create: (backend, site, fields) =>
    backend.call(createShareLink, { params: paramsOf(backend, site), body: fields as never }),
  calls: {
    update: {
      send: (backend, at, fields) =>
        backend.call(updateShareLink, {
          params: { ...paramsOf(backend, at), shareLinkId: at.id },
          body: fields,
        }),
    },
  },
  remove: (backend, at) =>
    backend.call(deleteShareLink, { params: { ...paramsOf(backend, at), shareLinkId: at.id } }),
});

function paramsOf(backend: Backend, at: Located | undefined) {
  return { organizationId: backend.organization, siteId: idOf(at, 'site') };
}
