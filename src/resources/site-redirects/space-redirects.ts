import { comparable } from '../../core/redirect-paths.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { readSpaceRedirects } from '../../content/folder-text.ts';
import { readContent } from '../../content/revisions.ts';
import { readPlaces } from './moves/site-places.ts';

/** Finds the redirect for a path of a site in .gitbook.yaml of the space whose path on the site is the longest match. */
export async function findSpaceRedirect(
  view: ReadTransaction,
  site: SiteRow,
  path: string,
): Promise<{ space: SpaceRow; to: string } | undefined> {
  const key = `${comparable(path).replace(/\/$/, '')}/`;
  const [place] = (await readPlaces(view, site))
    .filter(({ base }) => key.startsWith(comparable(base)))
    .sort((one, other) => other.base.length - one.base.length);
  const space = place && (await view.get(spaces, place.space));
  if (place === undefined || space === undefined) return undefined;
  const entries = await readContent(view, place.revision);
  const redirects = await readSpaceRedirects(
    view,
    entries.filter((entry) => entry.kind === 'text'),
  );
  const found = redirects.get(key.slice(comparable(place.base).length).replace(/\/$/, ''));
  return found && { space, to: found.to };
}
