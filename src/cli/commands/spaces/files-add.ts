import { basename } from 'node:path';
import { guessContentType } from '../../../content-sync/read-files.ts';
import { openContent } from '../../../content-sync/space-content.ts';
import { maxFileSize } from '../../../content/limits.ts';
import type { ContentChange } from '../../../content/changes.ts';
import { defined, sizeText } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { updateContent } from '../../../resources/content/change-request/contract.ts';
import { requireParam } from '../../names/choose-missing.ts';
import type { CommandHelp } from '../../command-help.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { readBytes } from '../../input/files.ts';
import { resolveName } from '../../names/names.ts';
import { requiredArgument } from '../../input/required.ts';
import type { Session } from '../../session/session.ts';
import {
  addChangeRequestOptions,
  checkChangeRequestOptions,
  editContent,
  type ChangeRequestOptions,
} from '../change-requests/open.ts';

interface Options extends ChangeRequestOptions {
  readonly space?: string;
  readonly name?: string;
  readonly contentType?: string;
  readonly replace?: string;
}

export const help: CommandHelp = {
  description: `
Puts a file into a new change request, or into the one given with --change-request, and prints the Markdown that shows the file on a page. The file can be up to 10 MiB in size.

--replace names a file of the space, by name, path or ID, and replaces its bytes. The file keeps its ID, so every page that shows the file shows the new bytes. Without --replace, the command refuses a name that the space already has (exit 6).
`,
  examples: [
    'docsctl spaces files add Guide docs/images/logo.png --name diagram.png',
    'docsctl spaces files add Guide docs/images/logo.png --replace logo.png --merge',
    'docsctl spaces files add Guide - --name report.csv --change-request 7 < tickets.csv',
  ],
  exitCodes: { 6: 'The space already has a file with this name (only without --replace).' },
};

export const define: DefineCommand = (command, inSession) => {
  addChangeRequestOptions(command)
    .addArgument(requiredArgument('[space]', 'title or ID of the space'))
    .addArgument(requiredArgument('[upload]', 'file to add, or - for standard input'))
    .option('--space <space>', 'title or ID of the space, if it is not the first argument')
    .option('--name <name>', 'name of the file in the space (default: the name of the given file)')
    .option(
      '--content-type <type>',
      'type of the file, such as image/png (default: from the ending of the name)',
    )
    .option('--replace <file>', 'file of the space to replace, by name, path or ID')
    .action(inSession(addFile));
};

async function addFile(
  session: Session,
  first: string | undefined,
  second: string | undefined,
  options: Options,
): Promise<void> {
  checkChangeRequestOptions(options);
  const [given, path] = options.space === undefined ? [first, second] : [options.space, first];
  const hint = 'Give the space and a file, for example `docsctl spaces files add Guide diagram.svg`.';
  if (path === undefined) throw new Problem('usage', 'No file is given.', { hint });
  const spaceId = await requireParam(session, ['spaceId', given], { hint });
  const content = { spaceId, ...defined({ changeRequestId: options.changeRequest }) };
  const name = options.name ?? (path === '-' ? undefined : basename(path));
  if (name === undefined)
    throw new Problem('usage', 'Standard input has no name.', {
      hint: 'Name the file with --name.',
    });
  const contentType = options.contentType ?? guessContentType(name);
  if (!/^[\w.+-]+\/[\w.+-]+(?:;.*)?$/.test(contentType))
    throw new Problem('invalid-input', `"${contentType}" is not a content type.`, {
      hint: 'Give a type such as image/png with --content-type.',
    });
  const bytes = await readBytes(session, path, maxFileSize, 'Make the file smaller, or link to it.');
  const replaces =
    options.replace === undefined
      ? undefined
      : await resolveName(session, 'fileId', options.replace, content);
  const reader = await openContent(await session.api(), content, session.runtime.signal);
  const same = (await reader.files()).find((file) => file.name === name && file.id !== replaces);
  if (same !== undefined)
    throw new Problem('conflict', `The space already has a file ${name}.`, {
      hint:
        replaces === undefined
          ? `To replace it, add --replace ${same.id}. To keep both, give another name with --name.`
          : 'Give another name with --name.',
    });
  const file = { name, contentType, base64: bytes.toString('base64'), ...defined({ replaces }) };
  const changes: ContentChange[] = [{ operation: 'insert_files', files: [file] }];
  if (session.flags.dryRun === true) {
    await session.check(updateContent, {
      params: { spaceId, changeRequestId: options.changeRequest ?? 'NEW' },
      body: { changes },
    });
    const verb = replaces === undefined ? 'added' : 'replaced';
    return session.note(
      `Dry run: ${name} (${contentType}, ${sizeText(bytes.length)}) would be ${verb}. Nothing was sent.`,
    );
  }
  await editContent(session, options, {
    spaceId,
    space: given ?? session.settings.space?.value ?? spaceId,
    title: `${replaces === undefined ? 'Add' : 'Replace'} ${name}`,
    unchanged: 'Nothing changed: the space already has this file.',
    send: async ({ params }) => {
      const { revision, insertedFiles = [] } = await session.call(updateContent, {
        params,
        query: { compat: false },
        body: { changes },
      });
      return { revision, id: insertedFiles[0]?.id ?? '' };
    },
    print: ({ number, id: changeRequest, merged }, { id }) => {
      const markdown = markdownOf(id, name, contentType);
      return session.print(
        { id, name, contentType, size: bytes.length, markdown, number, changeRequest, merged },
        { columns: ['name', 'contentType', 'size', 'markdown', 'id'] },
      );
    },
  });
}

/** Returns the Markdown for a file on a page: an image, or a download block. */
function markdownOf(id: string, name: string, contentType: string): string {
  const title = name.replace(/\.\w+$/, '').replace(/[\\[\]]/g, '\\$&');
  return contentType.startsWith('image/') ? `![${title}](/files/${id})` : `{% file src="/files/${id}" %}`;
}
