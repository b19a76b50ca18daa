import { defined } from '../../contract/values.ts';
import { addSection, deleteSection, updateSection } from '../../resources/site-sections/contract.ts';
import { updateSite } from '../../resources/sites/contract.ts';
import { kind } from '../kind.ts';
import { conditionField } from './condition.ts';
import { callFor, onlyTrue, reference, referenceOrNone, remove } from './fields.ts';
import { placeInStructure, readStructure, type SectionBody } from './structure.ts';

const body = updateSection.body.properties;

/** A tab of a site, in the order of the list. `space` is a shorthand for one site space. */
export const section = kind<SectionBody>({
  name: 'section',
  description:
    'A tab of a site. The site shows its sections in the order of this list. Use `space` instead of `siteSpaces` if the section shows one space.',
  example: `
spaces:
  guide: { title: Guide }
  api: { title: API }
sites:
  docs:
    title: Acme Docs
    sections:
      - { path: guide, title: Guide, space: !ref space.guide, default: true }
      - { path: api, title: API, icon: code, space: !ref space.api }
`,
  slots: [{ within: 'site', field: 'sections', as: 'list' }],
  nameField: 'path',
  keys: [['path']],
  fields: {
    path: { schema: body.path, unique: true },
    title: {
      schema: { ...body.title, description: 'title of the section (default: the title of its space)' },
      create: 'also',
    },
    icon: { schema: body.icon, create: 'also', default: null },
    description: { schema: body.description, default: null },
    group: {
      schema: referenceOrNone(
        'group that contains the section, by the name of its block in the same site; null: none',
      ),
      refersTo: 'section-group',
      localName: true,
      create: 'also',
      default: null,
      read: ({ sectionGroup }) => sectionGroup ?? null,
    },
    condition: conditionField(body.condition),
    default: {
      schema: onlyTrue('true: visitors see this section first'),
      call: 'default',
      default: false,
      exclusive: true,
    },
  },
  shorthands: { space: { inside: 'siteSpaces', schema: reference('the only space of the section') } },
  check: (stated, fault) => {
    if (stated.has('space') && stated.has('siteSpaces'))
      fault('space', 'a section cannot have both "space" and "siteSpaces"; remove "space"');
    const inside = stated.get('siteSpaces');
    if (Array.isArray(inside) && inside.length === 0)
      fault('siteSpaces', 'a section needs at least one space');
  },
  atCreation: ([first], fault) => {
    if (first === undefined) {
      fault('a new section needs "space" or "siteSpaces"');
      return {};
    }
    if (first.fields['title'] !== undefined)
      fault(
        'the first site space of a new section takes the title of its space; remove the title of that site space, or put another one first',
      );
    return { space: first.fields['space'] };
  },
  ordered: {
    part: 'group',
    place: placeInStructure,
    parts: async (backend, site) => (await readStructure(backend, site)).parts,
  },
  list: async (backend, site) => (await readStructure(backend, site)).sections,
  create: async (backend, site, { space, group, ...fields }) => {
    const made = await callFor(backend, addSection, site, {
      ...fields,
      spaceId: space,
      ...defined({ siteSectionGroupId: group }),
    });
    await backend.once(`born ${made.id}`, () => Promise.resolve(made.siteSpaces[0]));
    return made;
  },
  calls: {
    update: {
      send: (backend, at, { group, ...fields }) =>
        callFor(backend, updateSection, at, { ...fields, ...defined({ siteSectionGroupId: group }) }),
    },
    default: {
      send: async (backend, at) =>
        void (await callFor(backend, updateSite, at, { defaultSiteSection: at.id })),
    },
  },
  remove: remove(deleteSection),
});
