import { currentText } from '../../../content-sync/page-text.ts';
import { Problem } from '../../../errors/problem.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { escapeControlsByLine } from '../../output/escape-controls.ts';
import { wantsTable, type Session } from '../../session/session.ts';
import { addPageArguments, findPage, placeOf, type PageOptions } from './read-page.ts';

export const help: CommandHelp = {
  description: `
On a terminal, or with --color always, the page is formatted for reading, with the texts that it includes. Blocks of installed integrations are drawn. In a pipe, the Markdown of the page is printed, byte for byte.
`,
  examples: [
    'docsctl pages show Guide quickstart',
    'docsctl pages show Guide quickstart --change-request 7 > quickstart.md',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addPageArguments(command, '[page]', 'path, title or ID of the page')
    .option('--change-request <change-request>', 'show the page of this change request, by number or ID')
    .option('--revision <revision>', 'show the page of this revision, by ID; not with --change-request')
    .action(inSession(showPage));
};

async function showPage(
  session: Session,
  first: string | undefined,
  second: string | undefined,
  options: PageOptions,
): Promise<void> {
  const isDrawn = wantsTable(session) && session.isInteractive;
  const place = placeOf(first, second, options);
  const { page } = await findPage(
    session,
    place,
    isDrawn ? { blocks: true, dereferenced: 'reusable-contents' } : {},
  );
  if (!wantsTable(session)) return session.print(page);
  if (page.type !== 'document')
    throw new Problem('invalid-input', `"${page.title}" is a ${page.type} and has no text.`, {
      hint: 'Add -o json to see its fields.',
    });
  await session.paged.write(isDrawn ? await draw(session, page) : await currentText(page));
}

/** Draws a page. If its Markdown cannot be parsed, shows the Markdown with escaped control characters. */
async function draw(
  session: Session,
  { title, description, markdown = '', blocks = [] }: PageBody,
): Promise<string> {
  const [{ markdownToRead }, { blockSourceKey, replaceBlocks }, { drawPage }] = await Promise.all([
    import('../../../richtext/readable.ts'),
    import('../../../contentkit/document-blocks.ts'),
    import('../../output/markdown/render.ts'),
  ]);
  let nodes;
  try {
    ({ nodes } = markdownToRead(markdown));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    session.note(`The page is shown as Markdown, because it cannot be formatted. ${error.message}`);
    return `${escapeControlsByLine(markdown)}\n`;
  }
  const drawn = blocks.map(({ integration, block, props = {}, code, document }) => {
    const source =
      code === undefined
        ? ({ kind: 'tag', integration, block, props } as const)
        : ({ kind: 'code', ...code } as const);
    return [blockSourceKey(source), document.nodes] as const;
  });
  return drawPage(session.terminal, { title, description, nodes: replaceBlocks(nodes, new Map(drawn)) });
}
