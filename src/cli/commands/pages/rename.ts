import type { UpdatePageChange } from '../../../content/changes.ts';
import { changeTitle } from '../../../content-sync/page-text.ts';
import { defined } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import type { Session } from '../../session/session.ts';
import { addChangeRequestOptions, checkChangeRequestOptions } from '../change-requests/open.ts';
import { addPageArguments, readPageById, resolvePage } from './read-page.ts';
import { readPlace, sendChanges, type PageChangeOptions } from './send-changes.ts';

interface Options extends PageChangeOptions {
  readonly slug?: string;
}

export const help: CommandHelp = {
  description: `
If the text of the page begins with its title as a heading, the heading changes too. The path stays the same unless --slug is given. Links to the page keep working.
`,
  examples: [
    'docsctl pages rename Guide quickstart "First steps"',
    'docsctl pages rename Guide quickstart "First steps" --slug first-steps --merge',
    'docsctl pages rename Guide quickstart --slug start --change-request 4',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addPageArguments(addChangeRequestOptions(command), '[page]', 'path, title or ID of the page')
    .argument('[title]', 'new title of the page; required without --slug')
    .option('--slug <slug>', 'new last part of the path')
    .action(inSession(renamePage));
};

async function renamePage(
  session: Session,
  first: string | undefined,
  second: string | undefined,
  third: string | undefined,
  options: Options,
): Promise<void> {
  checkChangeRequestOptions(options);
  const { slug } = options;
  const example = 'docsctl pages rename Guide quickstart "First steps"';
  const words = [first, second, third].filter((word) => word !== undefined);
  const [, title, ...rest] = options.space === undefined ? words.slice(1) : words;
  if (rest.length > 0)
    throw new Problem('usage', `Too many arguments: "${rest.join(' ')}".`, {
      hint: `Put a title with blanks in quotes: \`${example}\`.`,
    });
  if ((title ?? slug) === undefined)
    throw new Problem('usage', 'No new title is given.', {
      hint: `Give a title or --slug, for example \`${example}\`.`,
    });
  const named = await readPlace(session, words, options, { example });
  const [page = ''] = named.pages;
  const id = await resolvePage(session, page, named.content);
  const change: UpdatePageChange =
    title === undefined
      ? { operation: 'update_page', page: id }
      : changeTitle(await readPageById(session, { ...named.content, pageId: id }), title);
  const changes: UpdatePageChange[] = [{ ...change, ...defined({ slug }) }];
  await sendChanges(session, named, { changes, title: `Rename ${page}` }, options);
}
