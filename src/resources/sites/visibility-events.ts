import type { ChangeContext, ResourceScope } from '../../core/handler.ts';
import { installations } from '../../core/rows/integrations.ts';
import { siteSpaces } from '../../core/rows/site-spaces.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { collectRows, getExisting, type ReadTransaction } from '../../core/store.ts';
import { recordVisibilityUpdate } from '../integration-events/record.ts';
import { visibilityOf, type Publication } from './publication.ts';

/** Changes a site, and records an event for each of the given spaces whose visibility changes. */
export async function withVisibilityEvents<T>(
  context: ChangeContext & { organization: Pick<ResourceScope['organization'], 'id'> },
  spaceIds: Iterable<string>,
  change: () => Promise<T>,
): Promise<T> {
  const { tx, organization } = context;
  if ((await tx.count(installations, 'byOrganization', [organization.id])) === 0) return change();
  const before = new Map<string, Publication['visibility']>();
  for (const id of spaceIds) before.set(id, await visibilityOf(tx, id));
  const result = await change();
  for (const [id, previous] of before) {
    const visibility = await visibilityOf(tx, id);
    if (visibility !== previous)
      await recordVisibilityUpdate(context, await getExisting(tx, spaces, id), previous, visibility);
  }
  return result;
}

/** Returns the spaces of a site. */
export async function spacesOfSite(view: ReadTransaction, site: string): Promise<string[]> {
  return (await collectRows(view, siteSpaces, 'bySite', [site])).map(({ space }) => space);
}
