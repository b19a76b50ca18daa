import { updateSection } from '../../resources/site-sections/contract.ts';
import { addSiteSpace, deleteSiteSpace, updateSiteSpace } from '../../resources/site-spaces/contract.ts';
import { updateSite } from '../../resources/sites/contract.ts';
import { idOf, kind, type Backend, type Located } from '../kind.ts';
import { conditionField } from './condition.ts';
import { bodyOf, onlyTrue, reference } from './fields.ts';
import { placeInStructure, readStructure, type SiteSpaceBody } from './structure.ts';

const body = bodyOf(updateSiteSpace);

/** A space as a site shows it: a variant of a section, or at the root of a site without sections. */
export const siteSpace = kind<SiteSpaceBody>({
  name: 'site-space',
  slots: [
    { within: 'site', field: 'siteSpaces', as: 'list' },
    { within: 'section', field: 'siteSpaces', as: 'list' },
  ],
  nameField: 'path',
  keys: [['space', 'path'], ['space'], ['path']],
  fields: {
    path: { shape: body.path, unique: true },
    space: {
      shape: reference,
      refersTo: 'space',
      create: 'also',
      required: true,
      unique: true,
      read: ({ space }) => space.id,
    },
    title: { shape: bodyOf(addSiteSpace).title, create: 'only' },
    hidden: { shape: body.hidden, default: false },
    condition: conditionField(body.condition),
    default: { shape: onlyTrue, call: 'default', default: false, exclusive: true },
  },
  ordered: {
    place: placeInStructure,
    parts: async (backend, parent) =>
      new Map([
        ['', (await liveIn(backend, parent)).map(({ id }) => ({ kind: 'site-space', id, within: parent }))],
      ]),
  },
  list: (backend, parent) => liveIn(backend, parent!),
  create: async (backend, parent, { space, ...fields }) => {
    // A section is made with its first site space: that one is taken over, as a section shows a space once.
    const born = await backend.once<SiteSpaceBody | undefined>(`born ${parent!.id}`, () =>
      Promise.resolve(undefined),
    );
    if (born?.space.id === space) return born!;
    const section = parent!.kind === 'section' ? { sectionId: parent!.id } : {};
    return backend.call(addSiteSpace, {
      params: paramsOf(backend, parent),
      body: { ...fields, ...section, spaceId: space as string },
    });
  },
  calls: {
    update: {
      send: (backend, at, { space, ...fields }) =>
        backend.call(updateSiteSpace, {
          params: { ...paramsOf(backend, at), siteSpaceId: at.id },
          body: { ...fields, ...(space === undefined ? {} : { spaceId: space as string }) },
        }),
    },
    default: {
      send: async (backend, at) => {
        const params = paramsOf(backend, at);
        if (at.within?.kind === 'section')
          await backend.call(updateSection, {
            params: { ...params, siteSectionId: at.within.id },
            body: { defaultSiteSpace: at.id },
          });
        else await backend.call(updateSite, { params, body: { defaultSiteSpace: at.id } });
      },
    },
  },
  remove: (backend, at) =>
    backend.call(deleteSiteSpace, { params: { ...paramsOf(backend, at), siteSpaceId: at.id } }),
});

async function liveIn(backend: Backend, parent: Located): Promise<readonly SiteSpaceBody[]> {
  if (parent.kind === 'site') return (await readStructure(backend, parent)).siteSpaces;
  const { sections } = await readStructure(backend, parent.within!);
  return sections.find(({ id }) => id === parent.id)?.siteSpaces ?? [];
}

function paramsOf(backend: Backend, at: Located | undefined) {
  return { organizationId: backend.organization, siteId: idOf(at, 'site') };
}
