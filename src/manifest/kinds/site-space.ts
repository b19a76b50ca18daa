import { defined } from '../../contract/values.ts';
import { updateSection } from '../../resources/site-sections/contract.ts';
import { addSiteSpace, deleteSiteSpace, updateSiteSpace } from '../../resources/site-spaces/contract.ts';
import { updateSite } from '../../resources/sites/contract.ts';
import { kind, type Backend, type Located } from '../kind.ts';
import { conditionField } from './condition.ts';
import { siteSpaceCustomizationCall, siteSpaceCustomizationField } from './customization.ts';
import { callFor, onlyTrue, reference, remove } from './fields.ts';
import { placeInStructure, readStructure, type SiteSpaceBody } from './structure.ts';

const body = updateSiteSpace.body.properties;

/** A space in a site: a variant of a section, or at the root of a site without sections. */
export const siteSpace = kind<SiteSpaceBody>({
  name: 'site-space',
  description:
    'A space on a site: a variant of a section, such as a version or a language, or a part of a site without sections. The site shows its spaces in the order of this list.',
  example: `
spaces:
  v2: { title: Version 2 }
  v1: { title: Version 1 }
sites:
  docs:
    title: Acme Docs
    siteSpaces:
      - { path: v2, space: !ref space.v2, default: true }
      - { path: v1, space: !ref space.v1, hidden: true }
`,
  slots: [
    { within: 'site', field: 'siteSpaces', as: 'list' },
    { within: 'section', field: 'siteSpaces', as: 'list', needsItem: true },
  ],
  nameField: 'path',
  keys: [['space', 'path'], ['space'], ['path']],
  fields: {
    path: { schema: body.path, unique: true },
    space: {
      schema: reference('space that is shown'),
      refersTo: 'space',
      create: 'also',
      required: true,
      unique: true,
      read: ({ space }) => space.id,
    },
    title: {
      schema: {
        ...addSiteSpace.body.properties.title,
        description:
          'title to show (default: the title of the space); the first site space of a new section cannot have one',
      },
      create: 'only',
    },
    hidden: { schema: body.hidden, default: false },
    condition: conditionField(body.condition),
    customization: siteSpaceCustomizationField(),
    default: {
      schema: onlyTrue('true: visitors see this space first'),
      call: 'default',
      default: false,
      exclusive: true,
    },
  },
  ordered: {
    place: placeInStructure,
    parts: async (backend, parent) =>
      new Map([
        ['', (await liveIn(backend, parent)).map(({ id }) => ({ kind: 'site-space', id, within: parent }))],
      ]),
  },
  list: liveIn,
  create: async (backend, parent, { space, ...fields }) => {
    // A section is created with its first site space, and can show a space only once. So this site space is used instead of a new
    // one.
    const born = await backend.once<SiteSpaceBody | undefined>(`born ${parent?.id}`, () =>
      Promise.resolve(undefined),
    );
    if (born?.space.id === space) return born as SiteSpaceBody;
    const sectionId = parent?.kind === 'section' ? parent.id : undefined;
    return callFor(backend, addSiteSpace, parent, { ...fields, ...defined({ sectionId }), spaceId: space });
  },
  calls: {
    update: {
      send: (backend, at, { space, ...fields }) =>
        callFor(backend, updateSiteSpace, at, { ...fields, ...defined({ spaceId: space }) }),
    },
    customization: siteSpaceCustomizationCall,
    default: {
      send: async (backend, at) => {
        if (at.within?.kind === 'section')
          await callFor(backend, updateSection, at.within, { defaultSiteSpace: at.id });
        else await callFor(backend, updateSite, at, { defaultSiteSpace: at.id });
      },
    },
  },
  remove: remove(deleteSiteSpace),
});

async function liveIn(backend: Backend, parent: Located | undefined): Promise<readonly SiteSpaceBody[]> {
  const { sections, siteSpaces } = await readStructure(backend, parent);
  if (parent?.kind !== 'section') return siteSpaces;
  return sections.find(({ id }) => id === parent.id)?.siteSpaces ?? [];
}
