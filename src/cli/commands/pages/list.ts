import { openContent } from '../../../content-sync/space-content.ts';
import { defined, flattenPages } from '../../../contract/values.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { requireParam } from '../../names/choose-missing.ts';
import { createTheme } from '../../output/style.ts';
import { drawTree, type TreeNode } from '../../output/tree.ts';
import { wantsDocument, wantsReport, type Session } from '../../session/session.ts';
import type { PageOptions } from './read-page.ts';
import { refuseTogether } from '../../input/given-twice.ts';

const columns = ['title', 'path', 'type', 'id'];

export const help: CommandHelp = {
  columns,
  description: `
On a terminal, the pages are drawn as a tree with their paths. In a pipe, there is one line for each page, in reading order.
Generated pages, which come from a specification or an integration, are left out; \`docsctl spaces pages list\` lists them.

With \`-o json\` and \`-o yaml\`, the output is the tree of the API: \`pages\`, and each page can have \`pages\` of
its own. With \`-o ndjson\`, there is one object for each page.
`,
  examples: [
    'docsctl pages list Guide',
    'docsctl pages list Guide --change-request 7',
    'docsctl pages list Guide -o json',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[space]', 'title or ID of the space'))
    .option('--space <space>', 'title or ID of the space, instead of the argument')
    .option('--change-request <change-request>', 'list the pages of this change request, by number or ID')
    .option('--revision <revision>', 'list the pages of this revision, by ID; not with --change-request')
    .action(inSession(listPages));
};

async function listPages(session: Session, given: string | undefined, options: PageOptions): Promise<void> {
  const { changeRequest, revision } = options;
  refuseTogether({ changeRequest, revision });
  const space = options.space ?? given;
  const hint = 'Give the space, for example `docsctl pages list Guide`.';
  const spaceId = await requireParam(session, ['spaceId', space], { hint });
  const place = { spaceId, ...defined({ changeRequestId: changeRequest, revisionId: revision }) };
  const content = await openContent(await session.api(), place, session.runtime.signal);
  const pages = await content.pages(false);
  if (wantsDocument(session)) return session.print({ pages });
  const { isInteractive, isColored, paged } = session;
  if (!isInteractive || !wantsReport(session))
    return session.printAll(flattenPages(pages), { columns, noun: 'pages' });
  const root = { label: space ?? session.settings.space?.value ?? spaceId, children: pages.map(nodeOf) };
  await paged.write(drawTree(root, await createTheme(isColored)));
  await paged.flush();
}

function nodeOf({ title, path, type, hidden, emoji, href, pages = [] }: PageBody): TreeNode {
  const notes = [
    type === 'link' ? (href ?? '') : `/${path ?? ''}`,
    ...(type === 'document' ? [] : [type]),
    ...(hidden === true ? ['hidden'] : []),
  ];
  return {
    label: emoji === undefined ? title : `${emoji} ${title}`,
    note: notes.filter(Boolean).join(' · '),
    children: pages.map(nodeOf),
  };
}
