import type { Static } from '../../contract/schema.ts';
import {
  createSite,
  deleteSite,
  listSites,
  publishSite,
  unpublishSite,
  updateSite,
  type Site,
} from '../../resources/sites/contract.ts';
import { kind, type Backend, type Fields, type Located } from '../kind.ts';
import { adaptiveCall, adaptiveField } from './adaptive.ts';
import { bodyOf } from './fields.ts';

const body = bodyOf(updateSite);

/** A documentation site. Who may see it is settled last, when all of it is there. */
export const site = kind<Static<typeof Site>>({
  name: 'site',
  slots: [{ field: 'sites', as: 'map' }],
  keys: [['basename'], ['title']],
  fields: {
    title: { shape: body.title, create: 'also', default: 'Untitled site' },
    type: { shape: bodyOf(createSite).type, create: 'only', default: 'basic' },
    basename: { shape: body.basename, unique: true },
    agentsContext: { shape: body.agentsContext, default: 'included' },
    proxy: { shape: body.proxy, default: null, read: ({ proxy }) => proxy?.origin ?? null },
    adaptive: adaptiveField,
    visibility: { shape: body.visibility, default: 'public', call: 'visibility' },
    published: { shape: { kind: 'scalar', types: ['boolean'] }, default: false, call: 'publish' },
  },
  check: (stated, fault) => {
    if (hasSome(stated.get('sections')) && hasSome(stated.get('siteSpaces')))
      fault(
        'siteSpaces',
        'a site has sections, or site spaces at its root, not both; move them into a section',
      );
  },
  list: (backend) => backend.all(listSites, { params: { organizationId: backend.organization } }),
  create: (backend, _, fields) =>
    backend.call(createSite, { params: { organizationId: backend.organization }, body: fields }),
  calls: {
    update: { send: change },
    adaptive: adaptiveCall,
    visibility: { late: true, send: change },
    publish: {
      late: true,
      send: (backend, { id }, { published }) =>
        backend.call(published === true ? publishSite : unpublishSite, {
          params: { organizationId: backend.organization, siteId: id },
        }),
    },
  },
  remove: (backend, { id }) =>
    backend.call(deleteSite, { params: { organizationId: backend.organization, siteId: id } }),
});

function change(backend: Backend, { id }: Located, fields: Fields): Promise<Static<typeof Site>> {
  return backend.call(updateSite, {
    params: { organizationId: backend.organization, siteId: id },
    body: fields,
  });
}

function hasSome(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
