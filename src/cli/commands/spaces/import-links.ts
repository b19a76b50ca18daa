import type { ImportPlan } from '../../../content-sync/plan-import.ts';
import { countChanges } from '../../../content-sync/send-import.ts';
import { plural } from '../../../contract/values.ts';
import { isProblem, Problem } from '../../../errors/problem.ts';
import { noteBrokenRedirects } from '../../broken-redirects.ts';
import { readLinkImpact, type LinkImpact } from '../../link-impact.ts';
import { withStep } from '../../output/progress.ts';
import type { Session } from '../../session.ts';

/** The most changes whose links an import checks. Publishing indexes the links of more later, and a check would take longer than the import. */
const maxChecked = 500;

/** Finds the links that the merge of an import breaks; undefined where they are too many to check, or cannot be checked. */
export async function findBrokenByMerge(
  session: Session,
  plan: ImportPlan,
  {
    organization,
    spaceId,
    changeRequestId,
  }: { readonly organization: string; readonly spaceId: string; readonly changeRequestId: string },
): Promise<LinkImpact | undefined> {
  if (countChanges(plan) > maxChecked) return undefined;
  const api = await session.api();
  const planned = { spaces: [{ space: spaceId, changeRequest: changeRequestId }] };
  try {
    return await withStep(session, 'checking links', () =>
      readLinkImpact(api, organization, planned, session.runtime.signal),
    );
  } catch (error) {
    // The import does not depend on the check.
    if (error instanceof Problem && !isProblem(error, 'interrupted')) return undefined;
    throw error;
  }
}

/** Notes how many links a merged import broke, with the command that lists them, and the redirects that it broke. */
export function noteBroken(session: Session, spaceId: string, links: LinkImpact | undefined): void {
  const list = (where: string): string => `run \`docsctl spaces links ${where} --status broken\`.`;
  if (links === undefined)
    return session.note(
      `The links were not checked. To list the broken links of the space, ${list(spaceId)}`,
    );
  const { count, brokenNew, brokenLinks, brokenRedirects } = links;
  noteBrokenRedirects(session, brokenRedirects);
  if (count === 0) return;
  const isElsewhere = brokenLinks.some(({ space }) => space.id !== spaceId);
  session.note(
    `warning: ${describeBroken(count - brokenNew, brokenNew)} To list all broken links, ${list(isElsewhere ? '--all-spaces' : spaceId)}`,
  );
}

function describeBroken(broken: number, added: number): string {
  const lost =
    broken === 0
      ? ''
      : `${plural(broken, 'link no longer leads', 'links no longer lead')} to a page or anchor`;
  if (added === 0) return `${lost}.`;
  const fresh = plural(added, 'new link leads', 'new links lead');
  return lost === '' ? `${fresh} to no page or anchor.` : `${lost}, and ${fresh} to none.`;
}
