import {
  addSectionGroup,
  deleteSectionGroup,
  updateSectionGroup,
} from '../../resources/site-section-groups/contract.ts';
import { idOf, kind, type Backend, type Located } from '../kind.ts';
import { bodyOf, referenceOrNone } from './fields.ts';
import { placeInStructure, readStructure, type GroupBody } from './structure.ts';

const body = bodyOf(updateSectionGroup);

/** A drop-down of a site. It stands where the first of its sections stands in the list of sections. */
export const sectionGroup = kind<GroupBody>({
  name: 'section-group',
  slots: [{ within: 'site', field: 'groups', as: 'map' }],
  keys: [['title', 'parent']],
  fields: {
    title: { shape: body.title, create: 'also', required: true },
    icon: { shape: body.icon, create: 'also', default: null },
    parent: {
      shape: referenceOrNone,
      refersTo: 'section-group',
      localName: true,
      create: 'also',
      default: null,
      read: ({ sectionGroup: parent }) => parent ?? null,
    },
  },
  ordered: { part: 'parent', place: placeInStructure },
  list: async (backend, site) => (await readStructure(backend, site!)).groups,
  create: (backend, parent, fields) =>
    backend.call(addSectionGroup, { params: paramsOf(backend, parent), body: fields as never }),
  calls: {
    update: {
      send: (backend, at, { parent, ...fields }) =>
        backend.call(updateSectionGroup, {
          params: { ...paramsOf(backend, at), siteSectionGroupId: at.id },
          body: {
            ...fields,
            ...(parent === undefined ? {} : { parentSectionGroupId: parent as string | null }),
          },
        }),
    },
  },
  remove: (backend, at) =>
    backend.call(deleteSectionGroup, { params: { ...paramsOf(backend, at), siteSectionGroupId: at.id } }),
});

function paramsOf(backend: Backend, at: Located | undefined) {
  return { organizationId: backend.organization, siteId: idOf(at, 'site') };
}
