import type { Static } from '../../contract/schema.ts';
import type { SiteExternalLink } from '../../resources/site-external-links/contract.ts';
import { listSectionGroups, type SiteSectionGroup } from '../../resources/site-section-groups/contract.ts';
import type { SiteSection } from '../../resources/site-sections/contract.ts';
import type { SiteSpace } from '../../resources/site-spaces/contract.ts';
import { getSiteStructure, sortSiteStructure } from '../../resources/sites/contract.ts';
import { siteOf, type Backend, type Located, type Ordered } from '../kind.ts';
import { callFor, listAll } from './fields.ts';

export type GroupBody = Static<typeof SiteSectionGroup>;
export type LinkBody = Static<typeof SiteExternalLink>;
export type SectionBody = Static<typeof SiteSection>;
export type SiteSpaceBody = Static<typeof SiteSpace>;

export type LevelItem = SectionBody | GroupBody | LinkBody;

export interface Structure {
  readonly groups: readonly GroupBody[];
  readonly sections: readonly SectionBody[];
  /** The site spaces at the root of a site without sections. */
  readonly siteSpaces: readonly SiteSpaceBody[];
  /** Sections and groups in their order, by the id of their group; empty for the root. */
  readonly parts: ReadonlyMap<string, readonly Located[]>;
  /** The same as `parts`, including the external links. */
  readonly levels: ReadonlyMap<string, readonly LevelItem[]>;
}

/** Reads the structure of the site that contains a resource. Repeated calls share one request. */
export function readStructure(backend: Backend, at: Located | undefined): Promise<Structure> {
  const site: Located = { kind: 'site', id: siteOf(at) };
  return backend.once(`structure ${site.id}`, () => callStructure(backend, site));
}

/** Reads the current structure of a site. */
export async function callStructure(backend: Backend, site: Located): Promise<Structure> {
  const live = await callFor(backend, getSiteStructure, site);
  // The groups of a site with spaces at its root are empty, and not part of its structure.
  if (live.type === 'siteSpaces')
    return {
      groups: await listAll(listSectionGroups)(backend, site),
      sections: [],
      siteSpaces: live.structure,
      parts: new Map(),
      levels: new Map(),
    };
  const groups: GroupBody[] = [];
  const sections: SectionBody[] = [];
  const parts = new Map<string, Located[]>();
  const levels = new Map<string, readonly LevelItem[]>();
  const take = (all: readonly LevelItem[], part: string): void => {
    levels.set(part, all);
    // External links are a field of the site. Their place is stated as the section before them.
    const items = all.filter((item) => item.object !== 'site-external-link');
    const located = items.map(({ object, id }) => ({ kind: object.replace('site-', ''), id, within: site }));
    parts.set(part, located);
    for (const item of items) {
      if (item.object === 'site-section') sections.push(item);
      else {
        groups.push(item);
        take(item.children, item.id);
      }
    }
  };
  take(live.structure, '');
  return { groups, sections, siteSpaces: [], parts, levels };
}

/** Moves a part of a site next to another one. */
export const placeInStructure: Ordered['place'] = async (backend, at, beside) => {
  const position =
    'before' in beside ? { before: pointerTo(beside.before) } : { after: pointerTo(beside.after) };
  await callFor(backend, sortSiteStructure, at, { item: pointerTo(at), position });
};

function pointerTo({ kind, id }: Located) {
  return { type: kind === 'site-space' ? kind : `site-${kind}`, id };
}
