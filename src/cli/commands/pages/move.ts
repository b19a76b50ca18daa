import { defined } from '../../../contract/values.ts';
import type { UpdatePageChange } from '../../../content/changes.ts';
import { Problem } from '../../../errors/problem.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { requireParam } from '../../names/choose-missing.ts';
import { noteMoved } from '../../results/moved-redirects.ts';
import { selfMoveProblem } from '../../confirm/refuse-no-change.ts';
import type { Session } from '../../session/session.ts';
import { addChangeRequestOptions, checkChangeRequestOptions } from '../change-requests/open.ts';
import { addPlaceOptions, checkPlaceOptions, readTree, resolveTarget } from './page-tree.ts';
import { addPageArguments, resolvePage } from './read-page.ts';
import { namePages, readPlace, sendChanges } from './send-changes.ts';
import type { TransferOptions } from './transfer.ts';
import { givenTogether } from '../../input/given-twice.ts';

export const help: CommandHelp = {
  description: `
Moves pages, with the pages below them, through a change request. Several pages keep the order in which they are given.
Links to the moved pages keep working. Give the new place with one of --under, --before, --after and --top.

With --to-space, the pages move to another space, where they get new IDs. Unless you give a place, they go to the end of its top level. A change request of the other space creates the pages and the files that they use. A second change request deletes the pages in their old space. With --merge, the command merges both change requests. Otherwise, merge the change request of the other space first. --change-request cannot be used with --to-space.

Links between the moved pages stay relative. Links between moved pages and pages that stay become addresses such as https://app.gitbook.com/s/SPACE/PAGE. A site that shows both spaces turns these addresses into links between its pages. With --merge --redirects, old addresses on published sites lead to the new pages. Comments are not moved. In all other spaces, links to pages that moved to another space break; \`docsctl change-requests diff\` lists these links.
`,
  examples: [
    'docsctl pages move Guide quickstart --before README',
    'docsctl pages move Guide guides/install guides/api-keys --under quickstart --merge',
    'docsctl pages move Guide guides/install --top --change-request 4',
    'docsctl pages move Guide guides/install --to-space API --merge --redirects',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addPageArguments(
    addPlaceOptions(addChangeRequestOptions(command)),
    '[pages...]',
    'paths, titles or IDs of the pages to move',
  )
    .option('--top', 'put the pages at the end of the top level')
    .option('--to-space <space>', 'title or ID of the space that gets the pages (default: the same space)')
    .action(inSession(movePages));
};

async function movePages(
  session: Session,
  space: string | undefined,
  names: readonly string[],
  options: TransferOptions,
): Promise<void> {
  checkChangeRequestOptions(options);
  checkPlaceOptions(options);
  const { under, before, after, top, toSpace } = options;
  if (toSpace !== undefined) return moveToSpace(session, [space, ...names], { ...options, toSpace });
  if ([under, before, after, top].every((option) => option === undefined))
    throw new Problem('usage', 'No new position of the page is given.', {
      hint: 'Give --under PAGE, --before PAGE, --after PAGE or --top.',
    });
  const named = await readPlace(session, [space, ...names], options, {
    example: 'docsctl pages move Guide guides/install --top',
  });
  const { pages, content } = named;
  const target = await resolveTarget(session, content, options);
  const tree = await readTree(session, content);
  let { sibling } = target;
  const changes: UpdatePageChange[] = [];
  for (const page of pages) {
    const id = await resolvePage(session, page, content);
    if (id === sibling || id === target.parent)
      throw selfMoveProblem(`"${page}"`, 'Name a different page with --under, --before or --after.');
    changes.push({
      operation: 'update_page',
      page: id,
      ...tree.put(id, { ...target, ...defined({ sibling }) }),
    });
    if (target.isAfter === true) sibling = id;
  }
  await sendChanges(session, named, { changes, title: `Move ${namePages(pages)}` }, options);
}

/** Moves pages to another space: copies them into it, and deletes them in their own. */
async function moveToSpace(
  session: Session,
  given: readonly (string | undefined)[],
  options: TransferOptions & { toSpace: string },
): Promise<void> {
  const { under, before, after, top, toSpace, changeRequest, redirects } = options;
  if (changeRequest !== undefined)
    throw givenTogether(
      ['--change-request', '--to-space'],
      'A move to another space needs a change request in both spaces. Remove --change-request.',
    );
  const example = 'docsctl pages move Guide guides/install --to-space API';
  const { pages, content, space } = await readPlace(session, given, options, { example });
  const hint = 'Give a space with --to-space.';
  const spaceId = await requireParam(session, ['spaceId', toSpace], { hint });
  if (spaceId === content.spaceId)
    throw new Problem('usage', `The pages are already in ${toSpace}.`, {
      hint: 'To move them within the space, remove --to-space and give --under, --before, --after or --top.',
    });
  const { movePagesTo, printTransferred } = await import('./transfer.ts');
  const to = { spaceId, space: toSpace };
  const what = namePages(pages);
  const place = defined({ under, before, after, top });
  const names: string[] = [];
  for (const page of pages) names.push(await resolvePage(session, page, content));
  const transfer = { source: content, to, names, place, title: `Move ${what} from ${space}` };
  const from = { spaceId: content.spaceId, space };
  const done = await movePagesTo(session, transfer, { from, title: `Move ${what} to ${toSpace}` }, options);
  if (done === undefined) return;
  const moved =
    redirects === true
      ? await (await import('./move-redirects.ts')).redirectMovedPages(session, done.copied, spaceId)
      : undefined;
  await printTransferred(session, done.copied, to, done.source, moved);
  if (moved !== undefined) noteMoved(session, moved);
}
