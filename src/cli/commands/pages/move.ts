import { plural, defined } from '../../../contract/values.ts';
import type { UpdatePageChange } from '../../../content/changes.ts';
import { Problem } from '../../../errors/problem.ts';
import type { CommandHelp } from '../../command-help.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { resolveName } from '../../names.ts';
import type { Session } from '../../session.ts';
import { addChangeRequestOptions, checkChangeRequestOptions } from '../change-requests/open.ts';
import {
  addPlaceOptions,
  checkPlaceOptions,
  readTree,
  resolveTarget,
  type PlaceOptions,
} from './page-tree.ts';
import { addPageArguments } from './read-page.ts';
import { readPlace, sendChanges, type PageChangeOptions } from './send-changes.ts';

interface Options extends PageChangeOptions, PlaceOptions {
  readonly top?: boolean;
}

export const help: CommandHelp = {
  description: `
Moves pages, with the pages below them, through a change request. Several pages keep the order in which they are given.
Links to them keep working.
`,
  examples: [
    'docsctl pages move Guide quickstart --before README',
    'docsctl pages move Guide guides/install guides/api-keys --under quickstart --merge',
    'docsctl pages move Guide guides/install --top --change-request 4',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addPageArguments(
    addPlaceOptions(addChangeRequestOptions(command)),
    '[pages...]',
    'paths, titles or IDs of the pages to move',
  )
    .option('--top', 'move to the end of the top level')
    .action(inSession(movePages));
};

async function movePages(
  session: Session,
  space: string | undefined,
  names: readonly string[],
  options: Options,
): Promise<void> {
  checkChangeRequestOptions(options);
  checkPlaceOptions(options);
  const { under, before, after, top } = options;
  if ([under, before, after, top].every((option) => option === undefined))
    throw new Problem('usage', 'The new position of the page is missing.', {
      hint: 'Give --under PAGE, --before PAGE, --after PAGE or --top.',
    });
  const words = [...(space === undefined ? [] : [space]), ...names];
  const named = await readPlace(session, words, options, {
    example: 'docsctl pages move Guide guides/install --top',
  });
  const { pages, content } = named;
  const target = await resolveTarget(session, content, options);
  const tree = await readTree(session, content);
  let { sibling } = target;
  const changes: UpdatePageChange[] = [];
  for (const page of pages) {
    const id = await resolveName(session, 'pageId', page, { ...content });
    if (id === sibling || id === target.parent)
      throw new Problem('usage', `"${page}" cannot be moved relative to itself.`, {
        hint: 'Name a different page with --under, --before or --after.',
      });
    changes.push({
      operation: 'update_page',
      page: id,
      ...tree.put(id, { ...target, ...defined({ sibling }) }),
    });
    if (target.isAfter === true) sibling = id;
  }
  const subject = pages.length === 1 ? `Move ${pages[0]}` : `Move ${plural(pages.length, 'page')}`;
  await sendChanges(session, named, { changes, title: subject }, options);
}
