import type { Watcher } from '../../contract/progress.ts';
import { plural } from '../../contract/values.ts';
import type { ResourceScope, UrlContext } from '../../core/handler.ts';
import type { ChangeRequestRow } from '../../core/rows/change-requests.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { findLinkImpact } from '../content/links/link-impact.ts';
import { describeSource } from '../content/links/describe-source.ts';
import { shapeBrokenLink } from '../content/links/shape-broken-link.ts';

/** Maximum number of broken links that an error lists. */
const maxNamed = 100;

interface MergeContext extends ResourceScope, UrlContext, Watcher {
  readonly tx: WriteTransaction;
  readonly space: SpaceRow;
  readonly changeRequest: ChangeRequestRow;
}

/** Checks that a merge breaks no links. @throws Problem(guard-refused) that lists the broken links */
export async function refuseBrokenLinks(context: MergeContext, revision: string): Promise<void> {
  const { tx, space, changeRequest } = context;
  const { broken, brokenNew, states } = await findLinkImpact(context, tx, { spaces: [{ space, revision }] });
  if (broken.length === 0) return;
  const violations = [];
  for (const one of broken.slice(0, maxNamed)) {
    const link = await shapeBrokenLink(states, one);
    violations.push({ path: describeSource(link, space.id), message: `${link.href}: ${link.message}` });
  }
  const more = broken.length > maxNamed ? ` The first ${maxNamed} follow.` : '';
  throw new Problem(
    'guard-refused',
    `Merging change request ${changeRequest.number} would ${describeBroken(broken.length, brokenNew)}. Nothing was merged.${more}`,
    { hint: 'Correct the links in the change request, or merge without --require-links.', violations },
  );
}

/** Describes the broken links of a merge: `break 2 links and add 1 that leads to no page or anchor`. */
function describeBroken(count: number, added: number): string {
  const broken = count - added;
  const leads = added === 1 ? 'leads' : 'lead';
  if (added === 0) return `break ${plural(broken, 'link')}`;
  if (broken === 0) return `add ${plural(added, 'link')} that ${leads} to no page or anchor`;
  return `break ${plural(broken, 'link')} and add ${added} that ${leads} to no page or anchor`;
}
