import { defined } from '../../contract/values.ts';
import {
  addSectionGroup,
  deleteSectionGroup,
  updateSectionGroup,
} from '../../resources/site-section-groups/contract.ts';
import { kind } from '../kind.ts';
import { callFor, create, referenceOrNone, remove } from './fields.ts';
import { placeInStructure, readStructure, type GroupBody } from './structure.ts';

const body = updateSectionGroup.body.properties;

/** A drop-down of a site, at the place of its first section. */
export const sectionGroup = kind<GroupBody>({
  name: 'section-group',
  description: 'A drop-down menu of a site. The menu has the position of the first section in it.',
  example: `
spaces:
  guide: { title: Guide }
sites:
  docs:
    title: Acme Docs
    groups:
      developers: { title: Developers, icon: code }
    sections:
      - { path: guide, title: Guide, group: developers, space: !ref space.guide }
`,
  slots: [{ within: 'site', field: 'groups', as: 'map' }],
  keys: [['title', 'parent'], ['title']],
  fields: {
    title: { schema: body.title, create: 'also', required: true },
    icon: { schema: body.icon, create: 'also', default: null },
    parent: {
      schema: referenceOrNone(
        'group that contains this one, by the name of its block in the same site; null: none',
      ),
      refersTo: 'section-group',
      localName: true,
      create: 'also',
      default: null,
      read: ({ sectionGroup: parent }) => parent ?? null,
    },
  },
  ordered: { part: 'parent', place: placeInStructure },
  list: async (backend, site) => (await readStructure(backend, site)).groups,
  create: create(addSectionGroup),
  calls: {
    update: {
      send: (backend, at, { parent, ...fields }) =>
        callFor(backend, updateSectionGroup, at, { ...fields, ...defined({ parentSectionGroupId: parent }) }),
    },
  },
  remove: remove(deleteSectionGroup),
});
