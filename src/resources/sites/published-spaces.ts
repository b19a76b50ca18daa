import type { ResourceScope, UrlContext } from '../../core/handler.ts';
import { sites } from '../../core/rows/sites.ts';
import { collectRows, eachRow, type ReadTransaction } from '../../core/store.ts';
import { siteSections, type SiteSectionRow } from '../site-sections/rows.ts';
import { siteSpaces } from '../../core/rows/site-spaces.ts';
import { siteSpaceAddress, takenSegments } from '../site-structure/address.ts';
import { segmentOf } from '../site-structure/paths.ts';
import { readerAddress } from './address.ts';

export interface PublishedSpace {
  /** Ends with a slash. */
  readonly address: string;
  readonly space: string;
}

/** A change of a site, a section or a site space: it gets another path, or is deleted. */
export interface StructureChange {
  readonly id: string;
  readonly path?: string;
  readonly deleted?: true;
  /** Set if it becomes the default section or site space. */
  readonly default?: true;
}

type SitesContext = UrlContext & Pick<ResourceScope, 'organization'> & { readonly tx: ReadTransaction };

/**
 * Lists the spaces of the published sites of an organization, with their addresses after changes of the structure. Leaves out
 * sites that need a share link, because their addresses are secret.
 */
export async function listPublishedSpaces(
  context: SitesContext,
  changes: ReadonlyMap<string, StructureChange> = new Map(),
): Promise<PublishedSpace[]> {
  const { tx, organization } = context;
  const isGone = (id: string) => changes.get(id)?.deleted === true;
  const segment = ({ id, path }: { id: string; path: string }) => segmentOf(changes.get(id)?.path ?? path);
  const found: PublishedSpace[] = [];
  for await (const site of eachRow(tx, sites, 'byOrganization', [organization.id])) {
    if (!site.published || site.visibility === 'share-link' || isGone(site.id)) continue;
    const root = readerAddress(context, site);
    const sections = new Map<string, SiteSectionRow>();
    for (const row of await collectRows(tx, siteSections, 'bySite', [site.id])) sections.set(row.id, row);
    const remaining = [...sections.values()].filter(({ id }) => !isGone(id));
    const taken = takenSegments(remaining, site, segment);
    for (const row of await collectRows(tx, siteSpaces, 'bySite', [site.id])) {
      const section = row.section === null ? undefined : sections.get(row.section);
      if (isGone(row.id) || (section !== undefined && isGone(section.id))) continue;
      const address = siteSpaceAddress(root, site, section, row, taken, segment);
      found.push({ address, space: row.space });
    }
  }
  // Longer addresses come first, because the longest match counts.
  return found.sort((one, other) => other.address.length - one.address.length);
}
