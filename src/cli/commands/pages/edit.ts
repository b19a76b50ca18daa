import { existsSync } from 'node:fs';
import { changeWholeText, wholeText } from '../../../content-sync/page-text.ts';
import type { UpdatePageChange } from '../../../content/changes.ts';
import { Problem } from '../../../errors/problem.ts';
import {
  createChangeRequest,
  getChangeRequest,
  mergeChangeRequest,
  updateChangeRequest,
} from '../../../resources/change-requests/contract.ts';
import { updateContent } from '../../../resources/content/change-request/contract.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import type { DefineCommand } from '../../composite-command.ts';
import type { Session } from '../../session.ts';
import { shellWord } from '../../suggestions.ts';
import { archiveEmpty } from '../change-requests/archive-empty.ts';
import { findPage, placeOf, readPageById, type PageOptions } from './read-page.ts';
import type { CommandHelp } from '../../command-help.ts';

interface Options extends PageOptions {
  readonly subject?: string;
  readonly message?: string;
  readonly merge?: boolean;
  readonly file?: string;
}

/** The new text of a page. */
interface NewText {
  readonly text: string;
  /** The file of the editor, from which the text can be sent again. */
  readonly path?: string;
  readonly discard: () => Promise<void>;
}

type ChangeRequestParams = { readonly spaceId: string; readonly changeRequestId: string };

export const help: CommandHelp = {
  description: `
Opens the Markdown of the page in VISUAL or EDITOR. When the editor ends, the new text is put into a new change request,
or into the one given by --change-request. The space itself changes only with --merge. If the text cannot be sent, its file
is kept and named.
`,
  examples: [
    'docsctl pages edit Guide quickstart # opens your editor',
    'docsctl pages edit Guide quickstart --change-request 4 --file intro.md',
    'docsctl pages edit Guide quickstart --file intro.md --subject "Shorten the quick start" --merge',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[space]', 'title or ID of the space (required)')
    .argument('[page]', 'path, title or ID of the page (required)')
    .option('--space <space>', 'title or ID of the space, if it is not the first argument')
    .option('--change-request <number>', 'number or ID of the change request to edit, instead of a new one')
    .option('--subject <text>', 'subject of the new change request')
    .option('--message <markdown>', 'description of the new change request')
    .option('--merge', 'merge the change request immediately')
    .option(
      '--file <file>',
      'read the new text from a file instead of opening an editor; - is standard input',
    )
    .action(inSession(editPage));
};

async function editPage(
  session: Session,
  first: string | undefined,
  second: string | undefined,
  options: Options,
): Promise<void> {
  const place = placeOf(first, second, options);
  const { terminal, flags, format, note } = session;
  const { changeRequest, subject, message, merge = false, file } = options;
  if (changeRequest !== undefined && (subject ?? message) !== undefined)
    throw new Problem('usage', '--subject and --message apply only to a new change request.', {
      hint: 'Remove them, or remove --change-request.',
    });
  if (file === undefined && (!terminal.stdinIsTTY || !terminal.stderrIsTTY))
    throw new Problem('usage', 'An editor needs a terminal, and there is none.', {
      hint: 'Give the new text with --file FILE, or --file - for standard input.',
    });
  const { spaceId, page } = await findPage(session, place);
  if (page.type !== 'document')
    throw new Problem('invalid-input', `"${page.title}" is a ${page.type} and has no text to edit.`);
  const { text, path, discard } = await readNewText(session, page, file);
  if (text === wholeText(page)) {
    await discard();
    return note('The text did not change; nothing was sent.');
  }
  try {
    const change = await changeWholeText(page, text);
    if (change.whole === true)
      note('warning: the new text has no front matter, so the front matter of the page is removed.');
    if (flags.dryRun === true) {
      const { printRequests } = await import('../../print-results.ts');
      const params = { spaceId, changeRequestId: changeRequest ?? 'NEW' };
      await printRequests(session, updateContent, [params], { body: { changes: [change] } });
      if (path !== undefined) note(`Your text is kept in ${path}.`);
      return;
    }
    const { params, number } = await openChangeRequest(session, spaceId, page, options);
    await send(session, params, page, change, changeRequest === undefined);
    await discard();
    if (merge) await mergeEdit(session, params, number);
    await session.print({
      number,
      id: params.changeRequestId,
      page: page.id,
      title: page.title,
      merged: merge,
    });
    const space = shellWord(place.space ?? spaceId);
    if (merge) note(`Change request ${number} is merged.`);
    else if (format === 'table')
      note(
        `The edit is in change request ${number}. Merge it with \`docsctl change-requests merge ${number} --space ${space}\`.`,
      );
  } catch (error) {
    // The file is gone once the text is sent.
    throw path !== undefined && existsSync(path) ? withPath(error, path) : error;
  }
}

async function readNewText(session: Session, page: PageBody, file: string | undefined): Promise<NewText> {
  if (file === undefined) {
    const [{ editText }, { safeFileName }] = await Promise.all([
      import('./editor.ts'),
      import('../../save-file.ts'),
    ]);
    return editText(session, safeFileName(`${page.slug ?? 'page'}.md`), wholeText(page));
  }
  const { readText } = await import('../../files.ts');
  return { text: await readText(session, file), discard: async () => {} };
}

/** Finds the change request that the edit goes into, or creates one. */
async function openChangeRequest(
  session: Session,
  spaceId: string,
  page: PageBody,
  { changeRequest, subject, message }: Options,
): Promise<{ params: ChangeRequestParams; number: number }> {
  if (changeRequest !== undefined) {
    const given = { spaceId, changeRequestId: changeRequest };
    const { id, number } = await session.call(getChangeRequest, { params: given });
    return { params: { spaceId, changeRequestId: id }, number };
  }
  const description =
    message === undefined
      ? undefined
      : (await import('../../../richtext/markdown.ts')).markdownToDocument(message);
  const body = { subject: subject ?? `Edit ${page.title}`.slice(0, 100).replace(/[\uD800-\uDBFF]$/, '') };
  const { id, number } = await session.call(createChangeRequest, { params: { spaceId }, body });
  const params = { spaceId, changeRequestId: id };
  if (description !== undefined) await session.call(updateChangeRequest, { params, body: { description } });
  return { params, number };
}

/**
 * Sends the edit. Archives a new change request that stays without it.
 * @throws Problem(conflict) when the page has been changed since it was read
 */
async function send(
  session: Session,
  params: ChangeRequestParams,
  page: PageBody,
  change: UpdatePageChange,
  isNew: boolean,
): Promise<void> {
  try {
    const now = await readPageById(session, { ...params, pageId: page.id });
    if (wholeText(now) !== wholeText(page))
      throw new Problem('conflict', `The page "${page.title}" was changed while you edited it.`, {
        hint: 'Edit it again, starting from the new text.',
      });
    await session.call(updateContent, { params, body: { changes: [change] } });
  } catch (error) {
    if (isNew) await archiveEmpty(session, params);
    throw error;
  }
}

async function mergeEdit(session: Session, params: ChangeRequestParams, number: number): Promise<void> {
  session.note(`The edit is in change request ${number}.`);
  const { result } = await session.call(mergeChangeRequest, { params });
  if (result === 'conflicts')
    throw new Problem(
      'conflict',
      `Change request ${number} was not merged, because it conflicts with the current content of the space.`,
      {
        hint: `Keep your edit with \`docsctl change-requests merge ${number} --space ${params.spaceId} --take ours\`, or the text of the space with --take theirs.`,
      },
    );
}

/** Adds to an error where the text is that could not be sent. */
function withPath(error: unknown, path: string): Problem {
  const kept = `Your text is kept in ${path}; send it with --file.`;
  if (!(error instanceof Problem))
    return new Problem('unexpected', `The edit could not be sent. ${kept}`, { cause: error });
  const { reason, message, hint, violations, requestId } = error;
  return new Problem(reason, message, {
    hint: [kept, hint].filter(Boolean).join(' '),
    violations,
    requestId,
    cause: error,
  });
}
