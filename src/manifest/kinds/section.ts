import { addSection, deleteSection, updateSection } from '../../resources/site-sections/contract.ts';
import { updateSite } from '../../resources/sites/contract.ts';
import { idOf, kind, type Backend, type Located } from '../kind.ts';
import { conditionField } from './condition.ts';
import { bodyOf, onlyTrue, reference, referenceOrNone } from './fields.ts';
import { placeInStructure, readStructure, type SectionBody } from './structure.ts';

const body = bodyOf(updateSection);

/** A tab of a site. `space` is short for one site space; the order of the list is that of the site. */
export const section = kind<SectionBody>({
  name: 'section',
  slots: [{ within: 'site', field: 'sections', as: 'list' }],
  nameField: 'path',
  keys: [['path']],
  fields: {
    path: { shape: body.path, unique: true },
    title: { shape: body.title, create: 'also' },
    icon: { shape: body.icon, create: 'also', default: null },
    description: { shape: body.description, default: null },
    group: {
      shape: referenceOrNone,
      refersTo: 'section-group',
      localName: true,
      create: 'also',
      default: null,
      read: ({ sectionGroup }) => sectionGroup ?? null,
    },
    condition: conditionField(body.condition),
    default: { shape: onlyTrue, call: 'default', default: false, exclusive: true },
  },
  shorthands: { space: { inside: 'siteSpaces', shape: reference } },
  check: (stated, fault) => {
    if (stated.has('space') && stated.has('siteSpaces'))
      fault('space', '"space" is short for a section with one site space; leave it out beside "siteSpaces"');
    const inside = stated.get('siteSpaces');
    if (Array.isArray(inside) && inside.length === 0)
      fault('siteSpaces', 'a section shows at least one space');
  },
  atCreation: ([first], fault) => {
    if (first === undefined) fault('a new section shows a space: state "space" or "siteSpaces"');
    if (first === undefined) return {};
    if (first.fields['title'] !== undefined)
      fault(
        'the first site space of a new section shows the title of its space; leave its title out, or put another one first',
      );
    return { space: first.fields['space'] };
  },
  ordered: {
    part: 'group',
    place: placeInStructure,
    parts: async (backend, site) => (await readStructure(backend, site)).parts,
  },
  list: async (backend, site) => (await readStructure(backend, site!)).sections,
  create: async (backend, parent, { space, group, ...fields }) => {
    const made = await backend.call(addSection, {
      params: paramsOf(backend, parent),
      body: {
        ...fields,
        spaceId: space as string,
        ...(group === undefined ? {} : { siteSectionGroupId: group as string }),
      },
    });
    await backend.once(`born ${made.id}`, () => Promise.resolve(made.siteSpaces[0]));
    return made;
  },
  calls: {
    update: {
      send: (backend, at, { group, ...fields }) =>
        backend.call(updateSection, {
          params: { ...paramsOf(backend, at), siteSectionId: at.id },
          body: { ...fields, ...(group === undefined ? {} : { siteSectionGroupId: group as string | null }) },
        }),
    },
    default: {
      send: async (backend, at) =>
        void (await backend.call(updateSite, {
          params: paramsOf(backend, at),
          body: { defaultSiteSection: at.id },
        })),
    },
  },
  remove: (backend, at) =>
    backend.call(deleteSection, { params: { ...paramsOf(backend, at), siteSectionId: at.id } }),
});

function paramsOf(backend: Backend, at: Located | undefined) {
  return { organizationId: backend.organization, siteId: idOf(at, 'site') };
}
