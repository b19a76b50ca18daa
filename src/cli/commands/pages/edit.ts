import { changeWholeText, currentText } from '../../../content-sync/page-text.ts';
import type { UpdatePageChange } from '../../../content/changes.ts';
import type { OutputOf } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { updateContent } from '../../../resources/content/change-request/contract.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { confirmEmpty } from '../../confirm/confirm-empty.ts';
import { withKeptText } from '../../session/kept-text.ts';
import { canAsk, wantsDocument, type Session } from '../../session/session.ts';
import {
  addChangeRequestOptions,
  checkChangeRequestOptions,
  editContent,
  type ChangeRequestOptions,
  type OpenChangeRequest,
} from '../change-requests/open.ts';
import { readGivenText, type TextOptions } from './given-text.ts';
import {
  addPageArguments,
  findPage,
  placeOf,
  readPageById,
  refuseGenerated,
  type PageOptions,
} from './read-page.ts';

interface Options extends PageOptions, ChangeRequestOptions, TextOptions {}

interface NewText {
  readonly text: string;
  /** The path of the edited file, from which the text can be sent again. */
  readonly path?: string;
  readonly discard: () => Promise<void>;
}

export const help: CommandHelp = {
  description: `
Opens the Markdown of the page in your editor (VISUAL or EDITOR). When you close the editor, docsctl puts the new text into a new
change request, or into the one given with --change-request. The space itself changes only with --merge. If the text
begins with the title of the page as a heading, a change of this heading also changes the title. If the text
cannot be sent, it is kept in a file, and the path is printed. An empty text is sent only after you confirm it, or
with --yes.
`,
  examples: [
    'docsctl pages edit Guide quickstart # opens your editor',
    'docsctl pages edit Guide quickstart --change-request 4 --file intro.md',
    'docsctl pages edit Guide quickstart --file intro.md --subject "Shorten the quick start" --merge',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addPageArguments(addChangeRequestOptions(command), '[page]', 'path, title or ID of the page')
    .option(
      '--file <file>',
      'read the new text from a file instead of opening an editor; - is standard input',
    )
    .option('--text <markdown>', 'new text of the page, instead of --file; @FILE reads a file')
    .action(inSession(editPage));
};

async function editPage(
  session: Session,
  first: string | undefined,
  second: string | undefined,
  options: Options,
): Promise<void> {
  const place = placeOf(first, second, options);
  const { flags, note } = session;
  const { changeRequest } = options;
  checkChangeRequestOptions(options);
  const given = await readGivenText(session, options);
  if (given === undefined && !canAsk(session))
    throw new Problem('usage', 'An editor needs a terminal, but there is none.', {
      hint: 'Give the new text with --text, or with --file FILE (- for standard input).',
    });
  const { spaceId, page } = await findPage(session, place);
  refuseGenerated(page.id, page.title);
  if (page.type !== 'document')
    throw new Problem('invalid-input', `"${page.title}" is a ${page.type} and has no text to edit.`);
  const before = await currentText(page);
  const { text, path, discard } = await readNewText(session, page, before, given);
  if (text === before) {
    await discard();
    return note('The text did not change; nothing was sent.');
  }
  if (text.trim() === '' && flags.dryRun !== true) {
    try {
      await confirmEmpty(session, page.title);
    } catch (error) {
      await discard();
      throw error;
    }
  }
  try {
    const change = await changeWholeText(page, text);
    if (change.whole === true && /^\uFEFF?---/.test(before))
      note('warning: the new text has no front matter, so the front matter of the page is removed.');
    if (flags.dryRun === true) {
      const { printRequests } = await import('../../results/print-results.ts');
      const params = { spaceId, changeRequestId: changeRequest ?? 'NEW' };
      await printRequests(session, updateContent, [params], { body: { changes: [change] } });
      if (path !== undefined) note(`Your text is kept in ${path}.`);
      return;
    }
    const { id, title } = page;
    await editContent(session, options, {
      spaceId,
      space: place.space ?? spaceId,
      title: `Edit ${title}`,
      unchanged: 'Nothing changed: the page already has this text.',
      send: async ({ params }) => {
        const answer = await send(session, params, page, change);
        await discard();
        return answer;
      },
      print: ({ number, id: changeRequestId, merged, redirects }, { pages = [] }) =>
        session.print({
          number,
          id: changeRequestId,
          page: id,
          // The new text may change the title of the page.
          title: pages[0]?.title ?? title,
          merged,
          ...(wantsDocument(session) && { redirects }),
        }),
    });
  } catch (error) {
    throw withKeptText(error, path, { failed: 'The edit could not be sent.', option: '--file' });
  }
}

async function readNewText(
  session: Session,
  page: PageBody,
  before: string,
  given: string | undefined,
): Promise<NewText> {
  if (given === undefined) {
    const [{ editText }, { safeFileName }] = await Promise.all([
      import('./editor.ts'),
      import('../../results/save-file.ts'),
    ]);
    return editText(session, safeFileName(`${page.slug ?? 'page'}.md`), before);
  }
  return { text: given, discard: async () => {} };
}

/** Sends the edit. @throws Problem(conflict) if the page has changed since it was read */
async function send(
  session: Session,
  params: OpenChangeRequest['params'],
  page: PageBody,
  change: UpdatePageChange,
): Promise<OutputOf<typeof updateContent>> {
  const now = await readPageById(session, { ...params, pageId: page.id });
  if ((await currentText(now)) !== (await currentText(page)))
    throw new Problem('conflict', `The page "${page.title}" was changed while you edited it.`, {
      hint: 'Edit it again, starting from the new text.',
    });
  return session.call(updateContent, { params, query: { compat: false }, body: { changes: [change] } });
}
