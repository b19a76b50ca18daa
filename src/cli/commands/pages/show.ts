import { currentText } from '../../../content-sync/page-text.ts';
import { Problem } from '../../../errors/problem.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { escapeControlsByLine } from '../../output/escape-controls.ts';
import { wantsTable, type Session } from '../../session/session.ts';
import { readArguments } from '../../input/files.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';
import { requireParam } from '../../names/choose-missing.ts';
import { printResults } from '../../results/print-results.ts';
import { doEach } from '../../session/do-each.ts';
import {
  addPageArguments,
  findPage,
  pageHint,
  placeOf,
  type PageOptions,
  type PagePlace,
} from './read-page.ts';

export const help: CommandHelp = {
  description: `
On a terminal, or with --color always, pages are formatted for reading, with the texts that they include. Blocks of installed integrations are drawn. In a pipe, the Markdown of a page is printed, byte for byte.
`,
  examples: [
    'docsctl pages show Guide quickstart',
    'docsctl pages show Guide guides/install guides/api-keys',
    'docsctl pages show Guide quickstart --change-request 7 > quickstart.md',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addPageArguments(command, '[page...]', `path, title or ID of the page${severalNotes.resources}`)
    .option('--change-request <change-request>', 'show the page of this change request, by number or ID')
    .option('--revision <revision>', 'show the page of this revision, by ID; not with --change-request')
    .action(inSession(showPages));
};

async function showPages(
  session: Session,
  first: string | undefined,
  others: readonly string[],
  options: PageOptions,
): Promise<void> {
  const isTable = wantsTable(session);
  const isDrawn = isTable && session.isInteractive;
  const given = options.space === undefined ? others : [first ?? [], others].flat();
  const { space } = placeOf(first, others[0], options);
  let places: readonly { name: string; place: PagePlace }[];
  if (areSeveral(given)) {
    const spaceId = await requireParam(session, ['spaceId', space], { hint: pageHint });
    const names = await readArguments(session, given);
    places = names.map((name) => ({ name, place: { ...options, space: spaceId, page: name } }));
  } else places = [{ name: '', place: placeOf(first, others[0], options) }];
  const query = isDrawn ? { blocks: true, dereferenced: 'reusable-contents' as const } : {};
  const { results: pages, failed } = await doEach(session, places, async ({ place }) => {
    const { page } = await findPage(session, place, query);
    if (isTable && page.type !== 'document')
      throw new Problem('invalid-input', `"${page.title}" is a ${page.type} and has no text.`, {
        hint: 'Add -o json to see its fields.',
      });
    return page;
  });
  if (pages.length > 0 && !isTable) await printResults(session, pages, { noun: 'pages' }, areSeveral(given));
  else {
    const texts = await Promise.all(pages.map((page) => (isDrawn ? draw(session, page) : currentText(page))));
    for (const [index, text] of texts.entries()) {
      const between = index === 0 ? '' : isDrawn || !texts[index - 1]?.endsWith('\n') ? '\n' : '';
      await session.paged.write(between + text);
    }
  }
  if (failed !== undefined) throw failed;
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
