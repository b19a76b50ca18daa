import type { MergeRulesValue } from '../../contract/shapes.ts';
import type { ChangeContext } from '../../core/handler.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { memberId, members } from '../../core/rows/organizations.ts';
import { sites } from '../../core/rows/sites.ts';
import { eachRow, type ReadTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { takeAllOffSpace } from '../integrations/removal.ts';
import { siteSpaces } from '../site-spaces/rows.ts';

/** Gives a space and its change requests to another organization; refuses one that a site shows. */
export async function moveSpaceToOrganization(
  { tx, now }: ChangeContext,
  space: SpaceRow,
  organization: string,
  place: { parent: string | null; position: string },
): Promise<SpaceRow> {
  const shown = await sitesThatShow(tx, space);
  if (shown.length > 0) {
    throw new Problem(
      'precondition-failed',
      `The space "${space.title}" is shown by ${nameSites(shown)}, which would stay behind.`,
      {
        hint: `Take it off first: docsctl sites site-spaces delete --site ${shown[0]!.id}`,
      },
    );
  }
  const ids: string[] = [];
  for await (const row of eachRow(tx, changeRequests, 'bySpace', [space.id])) ids.push(row.id);
  for (const id of ids) await tx.update(changeRequests, id, { organization });
  await takeAllOffSpace({ tx, now }, space.id);
  return tx.update(spaces, space.id, { organization, ...place });
}

/** Refuses to delete a space that a site shows: the site would have a hole where its readers look. */
export async function checkNotShown(view: ReadTransaction, space: SpaceRow): Promise<void> {
  const shown = await sitesThatShow(view, space);
  if (shown.length === 0) return;
  throw new Problem('conflict', `The space "${space.title}" is shown by ${nameSites(shown)}.`, {
    hint: `Take it off first: docsctl sites site-spaces delete --site ${shown[0]!.id}`,
  });
}

async function sitesThatShow(
  view: ReadTransaction,
  space: SpaceRow,
): Promise<{ id: string; title: string }[]> {
  const found = new Map<string, { id: string; title: string }>();
  for (const row of await view.find(siteSpaces, { index: 'bySpace', equals: [space.id], limit: 20 })) {
    const site = await view.get(sites, row.site);
    if (site !== undefined) found.set(site.id, { id: site.id, title: site.title });
  }
  return [...found.values()];
}

function nameSites(shown: readonly { id: string; title: string }[]): string {
  const names = shown.slice(0, 3).map((site) => `"${site.title}" (${site.id})`);
  const more = shown.length > 3 ? ` and ${shown.length - 3} more` : '';
  return `the site${shown.length === 1 ? '' : 's'} ${names.join(', ')}${more}`;
}

/** Refuses merge rules that name somebody who is no member of the organization. */
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
