import { defined } from '../../../contract/values.ts';
import { requireParam } from '../../names/choose-missing.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import type { Session } from '../../session/session.ts';
import { addChangeRequestOptions, checkChangeRequestOptions } from '../change-requests/open.ts';
import { addPlaceOptions, checkPlaceOptions } from './page-tree.ts';
import { addPageArguments } from './read-page.ts';
import { namePages, readPlace } from './send-changes.ts';
import { copyPages, printTransferred, type TransferOptions } from './transfer.ts';

export const help: CommandHelp = {
  description: `
Copies pages, with the pages below them, through a change request of the space that gets the copies. Without --to-space, the copies go into the same space, each after its original. In another space, they go to the end of the top level. One of --under, --before, --after and --top chooses another place.

Links between the copied pages lead to the copies. The path of a copy gets a number if another page has the same path. With --to-space, the files that the pages use are copied too, and links to other pages become addresses such as https://app.gitbook.com/s/SPACE/PAGE. A site that shows both spaces turns these addresses into links between its pages.

With --change-request, give a change request of the space that gets the copies.
`,
  examples: [
    'docsctl pages copy Guide quickstart',
    'docsctl pages copy Guide guides/install --to-space API --merge',
    'docsctl pages copy Guide quickstart guides/install --to-space API --top --dry-run',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addPageArguments(
    addPlaceOptions(addChangeRequestOptions(command)),
    '[pages...]',
    'paths, titles or IDs of the pages to copy',
  )
    .option('--top', 'put the copies at the end of the top level')
    .option('--to-space <space>', 'title or ID of the space that gets the copies (default: the same space)')
    .action(inSession(copy));
};

async function copy(
  session: Session,
  space: string | undefined,
  names: readonly string[],
  options: TransferOptions,
): Promise<void> {
  checkChangeRequestOptions(options);
  checkPlaceOptions(options);
  const { toSpace, under, before, after, top, changeRequest } = options;
  const isSame = toSpace === undefined;
  const { changeRequest: _, ...published } = options;
  const named = await readPlace(session, [space, ...names], isSame ? options : published, {
    example: 'docsctl pages copy Guide quickstart --to-space API',
  });
  const { pages, content } = named;
  const spaceId = isSame
    ? content.spaceId
    : await requireParam(session, ['spaceId', toSpace], { hint: 'Give a space with --to-space.' });
  const to = { spaceId, space: toSpace ?? named.space };
  // In a change request of the same space, the pages of the change request are copied.
  const source =
    spaceId === content.spaceId ? { spaceId, ...defined({ changeRequestId: changeRequest }) } : content;
  const title = `Copy ${namePages(pages)}`;
  const transfer = { source, to, names: pages, place: defined({ under, before, after, top }), title };
  const done = await copyPages(session, transfer, options);
  if (done !== undefined) await printTransferred(session, done, to);
}
