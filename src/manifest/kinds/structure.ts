import type { Static } from '../../contract/schema.ts';
import { listSectionGroups, type SiteSectionGroup } from '../../resources/site-section-groups/contract.ts';
import type { SiteSection } from '../../resources/site-sections/contract.ts';
import type { SiteSpace } from '../../resources/site-spaces/contract.ts';
import { getSiteStructure, sortSiteStructure } from '../../resources/sites/contract.ts';
import { idOf, type Backend, type Located, type Ordered } from '../kind.ts';

export type GroupBody = Static<typeof SiteSectionGroup>;
export type SectionBody = Static<typeof SiteSection>;
export type SiteSpaceBody = Static<typeof SiteSpace>;

/** All that a site is made of. */
export interface Structure {
  readonly groups: readonly GroupBody[];
  readonly sections: readonly SectionBody[];
  /** Those at the root of a site without sections. */
  readonly siteSpaces: readonly SiteSpaceBody[];
  /** Sections and groups in their order, by the id of their group; empty for the root. */
  readonly parts: ReadonlyMap<string, readonly Located[]>;
}

/** Reads a site with one call, however much of it the file manages. */
export function readStructure(backend: Backend, site: Located): Promise<Structure> {
  return backend.once(`structure ${site.id}`, () => callStructure(backend, site));
}

async function callStructure(backend: Backend, site: Located): Promise<Structure> {
  const params = { organizationId: backend.organization, siteId: site.id };
  const live = await backend.call(getSiteStructure, { params });
  // Groups of a site whose spaces lie at its root hold nothing, and are not part of its structure.
  if (live.type === 'siteSpaces')
    return {
      groups: await backend.all(listSectionGroups, { params }),
      sections: [],
      siteSpaces: live.structure,
      parts: new Map(),
    };
  const groups: GroupBody[] = [];
  const sections: SectionBody[] = [];
  const parts = new Map<string, Located[]>();
  const take = (items: readonly (SectionBody | GroupBody)[], part: string): void => {
    parts.set(
      part,
      items.map((item) => ({
        kind: item.object === 'site-section' ? 'section' : 'section-group',
        id: item.id,
        within: site,
      })),
    );
    for (const item of items) {
      if (item.object === 'site-section') sections.push(item);
      else groups.push(item);
      if (item.object === 'site-section-group') take(item.children, item.id);
    }
  };
  take(live.structure, '');
  return { groups, sections, siteSpaces: [], parts };
}

const types: Readonly<Record<string, string>> = {
  section: 'site-section',
  'section-group': 'site-section-group',
  'site-space': 'site-space',
};

/** Puts something of a site beside its neighbour. */
export const placeInStructure: Ordered['place'] = async (backend, at, beside) => {
  const position = 'before' in beside ? { before: pointer(beside.before) } : { after: pointer(beside.after) };
  await backend.call(sortSiteStructure, {
    params: { organizationId: backend.organization, siteId: idOf(at, 'site') },
    body: { item: pointer(at), position },
  });
};

function pointer({ kind, id }: Located) {
  return { type: types[kind], id } as { type: 'site-space'; id: string };
}
