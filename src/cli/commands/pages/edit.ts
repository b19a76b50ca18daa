import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import {
  createChangeRequest,
  getChangeRequest,
  mergeChangeRequest,
  updateChangeRequest,
} from '../../../resources/change-requests/contract.ts';
import { updateContent } from '../../../resources/content/change-request/contract.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import { changeOfText, wholeText } from '../../../content-sync/page-text.ts';
import { readPageById, findPage } from './read-page.ts';
import type { Session } from '../../session.ts';
import type { RunInSession } from '../../composite-command.ts';
import type { UpdatePageChange } from '../../../content/changes.ts';
import { shellWord } from '../../suggestions.ts';

interface Options {
  readonly space?: string;
  readonly changeRequest?: string;
  readonly subject?: string;
  readonly message?: string;
  readonly merge?: boolean;
  readonly file?: string;
}

/** What was written, and what becomes of the file it was written in. */
interface Written {
  readonly text: string;
  /** Where the text is, for a person who has to send it again. */
  readonly path?: string;
  readonly discard: () => Promise<void>;
}

type Params = { readonly spaceId: string; readonly changeRequestId: string };

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[space]', 'space, by id or title')
    .argument('[page]', 'page, by path, title or id')
    .option('--space <id|title>', 'the space, where it is not given by position')
    .option('--change-request <id|number>', 'edit in this change request instead of a new one')
    .option('--subject <text>', 'subject of the new change request')
    .option('--message <markdown>', 'description of the new change request')
    .option('--merge', 'merge the change request at once')
    .option('--file <file>', 'take the new text from a file instead of the editor, - for standard input')
    .addHelpText(
      'after',
      '\nThe editor is VISUAL, else EDITOR. A text that could not be sent is kept in its file.\n\nExamples:\n  docsctl pages edit Handbook guides/install\n  docsctl pages edit Handbook guides/install --change-request 7\n  docsctl pages edit Handbook guides/install --file install.md --merge\n',
    )
    .action((first: string | undefined, second: string | undefined, options: Options) =>
      run((session) => {
        const [space, page] = options.space === undefined ? [first, second] : [options.space, first];
        return editPage(session, { space, page, changeRequest: options.changeRequest }, options);
      }),
    );
}

async function editPage(
  session: Session,
  place: { space: string | undefined; page: string | undefined; changeRequest: string | undefined },
  options: Options,
): Promise<void> {
  checkOptions(session, options);
  const { spaceId, page } = await findPage(session, place);
  if (page.type !== 'document')
    throw new Problem('invalid-input', `"${page.title}" is a ${page.type}, which has no text to edit.`);
  const written = await write(session, page, options.file);
  if (written.text === wholeText(page)) {
    await written.discard();
    return session.note('The text is as it was; nothing was sent.');
  }
  try {
    const change = await changeOfText(page, written.text);
    if (change.whole === true) session.note('The text has no front matter: that of the page is taken out.');
    const changes = [change];
    if (session.flags.dryRun === true) {
      const { printRequests } = await import('../../dry-run.ts');
      await printRequests(
        session,
        updateContent,
        [{ spaceId, changeRequestId: options.changeRequest ?? 'NEW' }],
        {},
        { changes },
      );
      if (written.path !== undefined) session.note(`What you wrote is in ${written.path}.`);
      return;
    }
    const { params, number } = await target(session, spaceId, page, options);
    await send(session, params, page, changes, options.changeRequest === undefined);
    await written.discard();
    if (options.merge === true) await merge(session, params, number);
    await report(session, page, params, number, options.merge === true);
    if (options.merge === true) session.note(`Change request ${number} is merged.`);
    else if (session.format === 'table')
      session.note(
        `In change request ${number}; \`docsctl change-requests merge ${number} --space ${shellWord(place.space ?? spaceId)}\` merges it.`,
      );
  } catch (error) {
    // Once it is sent, the file is gone.
    throw written.path === undefined ? error : await withPath(error, written.path);
  }
}

function checkOptions({ terminal }: Session, { file, changeRequest, subject, message }: Options): void {
  if (changeRequest !== undefined && (subject ?? message) !== undefined)
    throw new Problem('usage', '--subject and --message are for a new change request.', {
      hint: 'Leave them out, or leave --change-request out.',
    });
  if (file === undefined && (!terminal.stdinIsTTY || !terminal.stderrIsTTY))
    throw new Problem('usage', 'There is no terminal to open an editor in.', {
      hint: 'Give the new text as --file FILE, or --file - for standard input.',
    });
}

async function write(session: Session, page: PageBody, file: string | undefined): Promise<Written> {
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

/** The change request that the edit goes into: the given one, or a new one. */
async function target(
  session: Session,
  spaceId: string,
  page: PageBody,
  { changeRequest, subject, message }: Options,
): Promise<{ params: Params; number: number }> {
  const api = await session.api();
  const { signal } = session.runtime;
  if (changeRequest !== undefined) {
    const { id, number } = await api.call(
      getChangeRequest,
      { params: { spaceId, changeRequestId: changeRequest } },
      { signal },
    );
    return { params: { spaceId, changeRequestId: id }, number };
  }
  const description =
    message === undefined
      ? undefined
      : (await import('../../../richtext/markdown.ts')).markdownToDocument(message);
  const body = { subject: subject ?? `Edit ${page.title}`.slice(0, 100).replace(/[\uD800-\uDBFF]$/, '') };
  const { id, number } = await api.call(createChangeRequest, { params: { spaceId }, body }, { signal });
  const params = { spaceId, changeRequestId: id };
  if (description !== undefined)
    await api.call(updateChangeRequest, { params, body: { description } }, { signal });
  return { params, number };
}

/** Sends the edit, unless somebody else has changed the page since it was read. A new change request that stays without it is archived. */
async function send(
  session: Session,
  params: Params,
  page: PageBody,
  changes: UpdatePageChange[],
  isNew: boolean,
): Promise<void> {
  const api = await session.api();
  const { signal } = session.runtime;
  try {
    const now = await readPageById(session, { ...params, pageId: page.id });
    if (wholeText(now) !== wholeText(page))
      throw new Problem('conflict', `The page "${page.title}" has been changed meanwhile.`, {
        hint: 'Read it again, and put your edit into the new text.',
      });
    await api.call(updateContent, { params, body: { changes } }, { signal });
  } catch (error) {
    if (isNew)
      await api
        .call(updateChangeRequest, { params, body: { status: 'archived' } })
        .catch(() => session.note('An empty change request was left behind.'));
    throw error;
  }
}

async function merge(session: Session, params: Params, number: number): Promise<void> {
  const api = await session.api();
  session.note(`The edit is in change request ${number}.`);
  const { result } = await api.call(mergeChangeRequest, { params }, { signal: session.runtime.signal });
  if (result === 'conflicts')
    throw new Problem(
      'conflict',
      `Change request ${number} could not be merged: it conflicts with what the space holds now.`,
      {
        hint: `docsctl change-requests merge ${number} --space ${params.spaceId} --ours PAGE (your edit) or --theirs PAGE (the space)`,
      },
    );
}

async function report(
  session: Session,
  page: PageBody,
  { changeRequestId }: Params,
  number: number,
  merged: boolean,
): Promise<void> {
  const printer = await session.printer();
  await printer.one({ number, id: changeRequestId, page: page.id, title: page.title, merged });
  await printer.end();
}

/** The same Problem, with the place of the text that could not be sent while there is one. */
async function withPath(error: unknown, path: string): Promise<unknown> {
  const { existsSync } = await import('node:fs');
  if (!existsSync(path)) return error;
  const kept = `What you wrote is in ${path}; send it with --file.`;
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
