import { defined } from '../../contract/values.ts';
import type { Handler } from '../../core/handler.ts';
import { requestRemoval } from '../../core/removal.ts';
import { siteSpaces } from '../../core/rows/site-spaces.ts';
import { spaces, type FormerSite } from '../../core/rows/spaces.ts';
import { collectRows, type ReadTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { keepDenials } from '../permissions/rules.ts';
import { siteSections } from '../site-sections/rows.ts';
import { removeFromSites } from '../site-structure/removal.ts';
import { withVisibilityEvents } from '../sites/visibility-events.ts';
import type * as contract from './contract.ts';
import { isBeyondRestore } from './rules.ts';

/** Returns the sites and sections that show a space. */
async function findSites(tx: ReadTransaction, space: string): Promise<FormerSite[]> {
  const found: FormerSite[] = [];
  for (const { site, section } of await collectRows(tx, siteSpaces, 'bySpace', [space])) {
    const row = section === null ? undefined : await tx.get(siteSections, section);
    found.push({ site, section, ...defined({ title: row?.title, group: row?.parent }) });
  }
  return found;
}

export const deleteSpace: Handler<typeof contract.deleteSpace> = async (context, { query }) => {
  const { tx, space, now } = context;
  const isDeleted = space.state === 'deleted';
  if (isDeleted && isBeyondRestore(space, now)) throw notFound('space', space.id);
  if (isDeleted && query.now !== true)
    throw new Problem('not-found', `The space "${space.title}" is already deleted.`, {
      hint: `Remove it for good with \`docsctl spaces delete ${space.id} --now\`, or restore it with \`docsctl spaces restore ${space.id}\`.`,
    });
  const formerSites = isDeleted ? space.formerSites : await findSites(tx, space.id);
  if (!isDeleted) {
    // A restored space is on no site, and has to be hidden from the same people as before.
    await keepDenials(tx, space);
    await withVisibilityEvents(context, [space.id], () => removeFromSites(tx, space.id));
  }
  const state = query.now === true ? 'removed' : 'deleted';
  await tx.update(spaces, space.id, { state, deletedAt: space.deletedAt ?? now, formerSites });
  if (query.now === true) await requestRemoval(tx, now, now);
};
