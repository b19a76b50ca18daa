import { eachItem } from '../../contract/each-page.ts';
import type { Operation, OutputOf, PathParams } from '../../contract/operation.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { joinAnd, listSome } from '../../contract/values.ts';
import { orUndefined } from '../../errors/problem.ts';
import { listSites } from '../../resources/sites/contract.ts';
import { getSpace, type restoreSpace } from '../../resources/spaces/contract.ts';
import type { Session } from '../session/session.ts';

const takesSpaceAway = new Set(['spaces.delete', 'spaces.transfer']);

/**
 * Describes the loss when an operation deletes or transfers spaces: which sites no longer show them, and that a permanent removal
 * cannot be undone. Returns '' for other operations.
 */
export async function describeLoss(
  session: Session,
  operation: Operation,
  calls: readonly { params: PathParams }[],
  query: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const sites = await warnOfSites(session, operation, calls);
  if (operation.id !== 'spaces.delete' || query['now'] !== true) return sites;
  const whose = calls.length === 1 ? 'The' : `The ${calls.length} spaces with their`;
  const loss = `${whose} pages, files, change requests, comments and revisions are removed now and cannot be restored.`;
  return sites === undefined ? loss : `${sites} ${loss}`;
}

/**
 * Describes which sites will no longer show the spaces that an operation removes. Returns '' for other operations, and if no site
 * shows the spaces.
 */
async function warnOfSites(
  session: Session,
  operation: Operation,
  calls: readonly { params: PathParams }[],
): Promise<string | undefined> {
  if (!takesSpaceAway.has(operation.id)) return undefined;
  const titles = new Map<string, string>();
  for (const { params } of calls) {
    const spaceId = params['spaceId'] ?? '';
    const space = await orUndefined(session.call(getSpace, { params: { spaceId } }), 'not-found');
    // No site shows a space that is already deleted.
    if (space === undefined) continue;
    const showing = { params: { organizationId: space.organization }, query: { space: spaceId } };
    for await (const { id, title } of eachItem(session, listSites, showing)) titles.set(id, `"${title}"`);
  }
  if (titles.size === 0) return undefined;
  const sites = `site${titles.size === 1 ? '' : 's'} ${titles.size > 3 ? listSome([...titles.values()], 3) : joinAnd([...titles.values()])}`;
  const spaces = calls.length === 1 ? 'the space' : 'some of the spaces';
  return `The ${sites} will no longer show ${spaces}.`;
}

/** Notes which sites showed restored spaces before their deletion, and how to add the spaces to them again. */
export function noteFormerSites(session: Session, spaces: readonly OutputOf<typeof restoreSpace>[]): void {
  for (const { id, title, formerSites = [] } of spaces)
    for (const site of formerSites) {
      const { section, sectionTitle = title, sectionGroup } = site;
      const noun = section === null ? 'sections' : 'site-spaces';
      const named = sectionTitle === title ? '' : ` --title ${shellWord(sectionTitle)}`;
      const grouped = sectionGroup === undefined ? '' : ` --group ${sectionGroup}`;
      const into = typeof section === 'string' ? ` --section ${section}` : `${named}${grouped}`;
      session.note(
        `The site "${site.title}" showed the space "${title}" before its deletion. To add the space again, run \`docsctl sites ${noun} add ${id} --site ${site.id}${into}\`.`,
      );
    }
}
