import type { MergeRulesValue } from '../../contract/shapes.ts';
import type { ChangeContext } from '../../core/handler.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { memberId, members } from '../../core/rows/organizations.ts';
import { sites } from '../../core/rows/sites.ts';
import { collectRows, type ReadTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { uninstallAllFromSpace } from '../integrations/removal.ts';
import { listSome } from '../../contract/values.ts';
import { siteSpaces } from '../site-spaces/rows.ts';

/**
 * Moves a space with its change requests to another organization, and uninstalls its integrations.
 * @throws Problem(precondition-failed) where a site shows it.
 */
export async function moveSpaceToOrganization(
  { tx, now }: ChangeContext,
  space: SpaceRow,
  organization: string,
  place: { parent: string | null; position: string },
): Promise<SpaceRow> {
  await checkNotShown(tx, space, 'precondition-failed', ', so it cannot be transferred');
  for (const { id } of await collectRows(tx, changeRequests, 'bySpace', [space.id]))
    await tx.update(changeRequests, id, { organization });
  await uninstallAllFromSpace({ tx, now }, space.id);
  return tx.update(spaces, space.id, { organization, ...place });
}

/**
 * Refuses to take away a space that a site shows, because the site would lose a part of its content.
 * @throws Problem(reason)
 */
export async function checkNotShown(
  view: ReadTransaction,
  space: SpaceRow,
  reason: 'conflict' | 'precondition-failed',
  consequence = '',
): Promise<void> {
  const names = new Map<string, string>();
  for (const row of await view.find(siteSpaces, { index: 'bySpace', equals: [space.id], limit: 20 })) {
    const site = await view.get(sites, row.site);
    if (site !== undefined) names.set(site.id, `"${site.title}" (${site.id})`);
  }
  const [site] = names.keys();
  if (site === undefined) return;
  const shownBy = `the site${names.size === 1 ? '' : 's'} ${listSome([...names.values()], 3, ' and ')}`;
  throw new Problem(reason, `The space "${space.title}" is shown by ${shownBy}${consequence}.`, {
    hint: `Remove it from each site first: \`docsctl sites site-spaces delete SITE-SPACE --site ${site}\`.`,
  });
}

/**
 * Checks that merge rules name only members of the organization.
 * @throws Problem(not-found)
 */
export async function checkMergeRules(
  view: ReadTransaction,
  organization: string,
  mergeRules: MergeRulesValue,
): Promise<void> {
  if (mergeRules.type !== 'rules') return;
  for (const user of new Set(mergeRules.rules.flatMap((rule) => rule.users ?? []))) {
    if ((await view.get(members, memberId(organization, user))) === undefined) throw notFound('member', user);
  }
}
