import type { Static } from '../../../contract/schema.ts';
import type { SiteRow } from '../../../core/rows/sites.ts';
import { siteSpaces } from '../../../core/rows/site-spaces.ts';
import { spaces } from '../../../core/rows/spaces.ts';
import { collectRows, getExisting, type ReadTransaction } from '../../../core/store.ts';
import { siteSections } from '../../site-sections/rows.ts';
import type { RedirectDestination } from '../rows.ts';
import { siteRedirects } from '../rows.ts';
import type { BrokenRedirect } from '../schemas.ts';
import { addressReader } from './page-addresses.ts';
import { leadsSomewhere, type SitePlace } from './site-places.ts';

export interface ChangedPlaces {
  readonly before: readonly SitePlace[];
  readonly after: readonly SitePlace[];
}

/** Finds the redirects of a site, including drafts, whose destination a change removes. */
export async function findBrokenRedirects(
  view: ReadTransaction,
  site: SiteRow,
  { before, after }: ChangedPlaces,
): Promise<Static<typeof BrokenRedirect>[]> {
  const found: Static<typeof BrokenRedirect>[] = [];
  const read = addressReader(view);
  for (const row of await collectRows(view, siteRedirects, 'bySite', [site.id])) {
    const { id, source, state, destination } = row;
    if (await leadsSomewhere(destination, after, read)) continue;
    if (!(await leadsSomewhere(destination, before, read))) continue;
    found.push({
      object: 'broken-redirect',
      site: { id: site.id, title: site.title },
      id,
      source,
      draft: state === 'draft',
      destination,
      message: await explain(view, { before, after }, destination),
    });
  }
  return found.sort((one, other) => (one.source < other.source ? -1 : 1));
}

/** Returns one sentence about the change of a destination. */
async function explain(
  view: ReadTransaction,
  { before, after }: ChangedPlaces,
  destination: RedirectDestination,
): Promise<string> {
  if (destination.kind === 'site-section')
    return `The section "${(await getExisting(view, siteSections, destination.siteSectionId)).title}" is deleted.`;
  if (destination.kind === 'external') return '';
  const { space } = await getExisting(view, siteSpaces, destination.siteSpaceId);
  const { title } = await getExisting(view, spaces, space);
  const [old, now] = [before, after].map((places) => places.find(({ id }) => id === destination.siteSpaceId));
  if (now === undefined || old === undefined || destination.kind === 'site-space')
    return `The site no longer shows the space "${title}".`;
  const page = (await addressReader(view)(old.revision)).byId.get(destination.pageId);
  return `The page "${page?.path ?? destination.pageId}" of the space "${title}" is deleted.`;
}
