import { Option } from 'commander';
import type { InsertPageChange } from '../../../content/changes.ts';
import { isHttpUrl, isOpenScheme, schemeOf } from '../../../contract/open-address.ts';
import { defined } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import type { Session } from '../../session/session.ts';
import { addChangeRequestOptions, checkChangeRequestOptions } from '../change-requests/open.ts';
import {
  addPlaceOptions,
  checkPlaceOptions,
  readTree,
  resolveTarget,
  type PlaceOptions,
} from './page-tree.ts';
import { readGivenText, type TextOptions } from './given-text.ts';
import { addPageArguments } from './read-page.ts';
import { namePages, readPlace, sendChanges, type PageChangeOptions } from './send-changes.ts';

interface Options extends PageChangeOptions, PlaceOptions, TextOptions {
  readonly slug?: string;
  readonly emoji?: string;
  readonly description?: string;
  readonly hidden?: boolean;
  readonly type?: 'document' | 'group' | 'link';
  readonly href?: string;
}

export const help: CommandHelp = {
  description: `
Puts new pages into a new change request, or into the one given with --change-request. Without --file or --text, the
pages are empty. Without --under, --before or --after, they go to the end of the top level. --file, --text, --slug and --href
can be used only for a single page.
`,
  examples: [
    'docsctl pages create Guide "Release notes"',
    'docsctl pages create Guide Backups --file intro.md --after quickstart --merge',
    'docsctl pages create Guide Support --text "Write to support@example.com."',
    'docsctl pages create Guide "Known issues" "Support" --change-request 4',
    'docsctl pages create Guide "Status page" --type link --href https://status.example.com',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addPageArguments(
    addPlaceOptions(addChangeRequestOptions(command)),
    '[titles...]',
    'titles of the new pages',
  )
    .option('--file <file>', 'read the text of the page from a Markdown file; - is standard input')
    .option('--text <markdown>', 'text of the page, instead of --file; @FILE reads a file')
    .option('--slug <slug>', 'last part of the path (default: made from the title)')
    .option('--emoji <emoji>', 'emoji shown before the title')
    .option('--description <text>', 'short description shown below the title')
    .option('--hidden', 'hide the page from the table of contents')
    .addOption(
      new Option(
        '--type <type>',
        'kind of page: a document, a group of pages (only at the top level), or a link',
      )
        .choices(['document', 'group', 'link'])
        .default('document'),
    )
    .option('--href <url>', 'address that a link leads to; only for --type link, and required there')
    .action(inSession(createPages));
};

async function createPages(
  session: Session,
  space: string | undefined,
  titles: readonly string[],
  options: Options,
): Promise<void> {
  checkChangeRequestOptions(options);
  checkPlaceOptions(options);
  const example = 'docsctl pages create Guide "Release notes"';
  const named = await readPlace(session, [space, ...titles], options, { example, areNew: true });
  const { pages, content } = named;
  const { slug, emoji, description, hidden, type, href } = options;
  const hasText = (options.file ?? options.text) !== undefined;
  if (pages.length > 1 && (hasText || (slug ?? href) !== undefined))
    throw new Problem(
      'usage',
      `--file, --text, --slug and --href are for one page, not for ${pages.length}.`,
      { hint: 'Create the pages one by one.' },
    );
  if (type === 'link' && href === undefined)
    throw new Problem('usage', 'A link needs an address.', { hint: 'Add --href URL.' });
  if (type !== 'link' && href !== undefined)
    throw new Problem('usage', 'Only a page of the type link can have an address.', {
      hint: 'Add --type link, or leave out --href.',
    });
  if (href) checkHref(href);
  if (type !== undefined && type !== 'document' && hasText)
    throw new Problem('invalid-input', `A ${type} has no text.`, {
      hint: `Leave out ${options.file === undefined ? '--text' : '--file'}.`,
    });
  const text = await readGivenText(session, options);
  const target = await resolveTarget(session, content, options);
  const tree = await readTree(session, content);
  let { sibling } = target;
  const changes = pages.map((title, index): InsertPageChange => {
    const id = `new-${index}`;
    const place = tree.put(id, { ...target, ...defined({ sibling }) });
    if (target.isAfter === true) sibling = id;
    return {
      operation: 'insert_page',
      title,
      document: text === undefined ? {} : { markdown: text },
      ...place,
      ...defined({ slug, emoji, description, hidden, href, type: type === 'document' ? undefined : type }),
    };
  });
  await sendChanges(session, named, { changes, title: `Add ${namePages(pages)}` }, options);
}

/** Refuses an address that sites do not open. @throws Problem(invalid-input) */
function checkHref(href: string): void {
  const scheme = schemeOf(href);
  const isOpen =
    scheme === undefined
      ? /^[/#.]/.test(href)
      : isOpenScheme(scheme) && (/^http/i.test(scheme) ? isHttpUrl(href) : /^\w+:./.test(href));
  if (!isOpen)
    throw new Problem('invalid-input', `Sites cannot open the address "${href}" of the link.`, {
      hint: 'Give an address such as https://status.example.com or mailto:help@example.com, or the path of a page such as /quickstart.',
    });
}
