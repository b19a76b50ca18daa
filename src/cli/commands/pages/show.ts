import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import { wholeText } from '../../../content-sync/page-text.ts';
import { findPage } from './read-page.ts';
import type { Session } from '../../session.ts';
import { escapeControlsByLine } from '../../output/escape-controls.ts';
import type { RunInSession } from '../../composite-command.ts';

interface Options {
  readonly space?: string;
  readonly changeRequest?: string;
  readonly revision?: string;
}

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[space]', 'space, by id or title')
    .argument('[page]', 'page, by path, title or id')
    .option('--space <id|title>', 'the space, where it is not given by position')
    .option('--change-request <id|number>', 'the page as it is in this change request')
    .option('--revision <id>', 'the page as it was in this revision')
    .addHelpText(
      'after',
      '\nOn a terminal, and with --color always, the page is drawn; elsewhere its Markdown is printed byte for byte.\n\nExamples:\n  docsctl pages show Handbook guides/install\n  docsctl pages show Handbook guides/install --change-request 7 > install.md\n',
    )
    .action((first: string | undefined, second: string | undefined, options: Options) =>
      run(async (session) => {
        const [space, page] = options.space === undefined ? [first, second] : [options.space, first];
        const { page: body } = await findPage(session, { ...options, space, page });
        await showPage(session, body);
      }),
    );
}

async function showPage(session: Session, page: PageBody): Promise<void> {
  const { terminal, format } = session;
  if (format !== 'table' || session.flags.query !== undefined) {
    const printer = await session.printer();
    await printer.one(page);
    return printer.end();
  }
  if (page.type !== 'document')
    throw new Problem('invalid-input', `"${page.title}" is a ${page.type}, which has no text.`, {
      hint: 'Add -o json to see what is known of it.',
    });
  await terminal.stdout.write(
    session.isInteractive ? await draw(session, page, page.markdown ?? '') : wholeText(page),
  );
}

/** The page as a person reads it; its Markdown, made safe, where it cannot be taken apart. */
async function draw(session: Session, { title, description }: PageBody, markdown: string): Promise<string> {
  const { terminal } = session;
  const [{ markdownToRead }, { renderPage }, { createStyler }] = await Promise.all([
    import('../../../richtext/readable.ts'),
    import('../../output/markdown/render.ts'),
    import('../../output/style.ts'),
  ]);
  let nodes;
  try {
    nodes = markdownToRead(markdown).nodes;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    session.note(`The page is shown as Markdown. ${error.message}`);
    return `${escapeControlsByLine(markdown)}\n`;
  }
  return renderPage(
    { title, description, nodes },
    { columns: terminal.columns, ink: await createStyler(terminal.color) },
  );
}
