import type { ImportPlan } from '../../../content-sync/plan-import.ts';
import { countChanges } from '../../../content-sync/send-import.ts';
import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { noteBrokenRedirects } from '../../results/broken-redirects.ts';
import { readLinkImpact, type LinkImpact } from '../../results/link-impact.ts';
import { withStep } from '../../output/progress.ts';
import type { Session } from '../../session/session.ts';

/**
 * Maximum number of changes of an import whose links are checked. With more, links are indexed after publishing, and a check
 * would take longer than the import.
 */
const maxChecked = 500;

/** Finds the links that the merge of an import breaks, or returns a sentence on why they are not checked. */
export async function findBrokenByMerge(
  session: Session,
  plan: ImportPlan,
  {
    organization,
    spaceId,
    changeRequestId,
  }: { organization: string; spaceId: string; changeRequestId: string },
): Promise<LinkImpact | string> {
  const count = countChanges(plan);
  if (count > maxChecked)
    return `They are checked after an import of up to ${maxChecked} changes, and this import made ${count}.`;
  const api = await session.api();
  const planned = { spaces: [{ space: spaceId, changeRequest: changeRequestId }] };
  try {
    const found = await withStep(session, 'checking links', () =>
      readLinkImpact(api, organization, planned, session.runtime.signal),
    );
    return found ?? 'The server cannot check links, or your role does not allow this check.';
  } catch (error) {
    // The import does not depend on the check.
    if (error instanceof Problem && error.reason !== 'interrupted') return error.message;
    throw error;
  }
}

/** Notes how many links and redirects a merged import broke, with the command that lists them. */
export function noteBroken(session: Session, spaceId: string, links: LinkImpact | string): void {
  const list = (where: string) => `run \`docsctl spaces links ${where} --status broken\`.`;
  if (typeof links === 'string')
    return session.note(
      `The links were not checked. ${links} To list the broken links of the space, ${list(spaceId)}`,
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
