import { basename } from 'node:path';
import { guessContentType } from '../../../content-sync/read-files.ts';
import { openContent } from '../../../content-sync/space-content.ts';
import { maxFileSize } from '../../../content/limits.ts';
import type { ContentChange } from '../../../content/changes.ts';
import { defined, plural, sizeText } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { updateContent } from '../../../resources/content/change-request/contract.ts';
import { requireParam } from '../../names/choose-missing.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { readBytes } from '../../input/files.ts';
import { resolveName } from '../../names/names.ts';
import { wantsDocument, type Session } from '../../session/session.ts';
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
Puts files into a new change request, or into the one given with --change-request, and prints the Markdown that shows them on a page. Together, the files can be up to 10 MiB in size.

--replace names a file of the space, by name, path or ID, and replaces its bytes. The file keeps its ID, so every page that shows the file shows the new bytes. Without --replace, the command refuses a file if the space already has a file of this name (exit 6).
`,
  examples: [
    'docsctl spaces files add Guide docs/images/logo.png --name diagram.png',
    'docsctl spaces files add Guide tickets.csv comments.csv',
    'docsctl spaces files add Guide docs/images/logo.png --replace logo.png --merge',
    'docsctl spaces files add Guide - --name report.csv --change-request 7 < tickets.csv',
  ],
  exitCodes: { 6: 'The space already has a file with this name (only without --replace).' },
};

export const define: DefineCommand = (command, inSession) => {
  addChangeRequestOptions(command)
    .addArgument(requiredArgument('[space]', 'title or ID of the space'))
    .addArgument(requiredArgument('[upload...]', 'files to add, or - for standard input'))
    .option('--space <space>', 'title or ID of the space, if it is not the first argument')
    .option('--name <name>', 'name of the file in the space (default: the name of the given file)')
    .option(
      '--content-type <type>',
      'type of the file, such as image/png (default: from the extension of the name)',
    )
    .option('--replace <file>', 'file of the space to replace, by name, path or ID')
    .action(inSession(addFiles));
};

/** A file to add. */
interface Upload {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

async function addFiles(
  session: Session,
  first: string | undefined,
  others: readonly string[],
  options: Options,
): Promise<void> {
  checkChangeRequestOptions(options);
  const given = options.space ?? first;
  const paths = [...(options.space === undefined ? [] : [first ?? []].flat()), ...others];
  const hint = 'Give the space and a file, for example `docsctl spaces files add Guide diagram.svg`.';
  if (paths.length === 0) throw new Problem('usage', 'No file is given.', { hint });
  const { name, contentType, replace } = options;
  if (paths.length > 1 && (name ?? contentType ?? replace) !== undefined)
    throw new Problem('usage', '--name, --content-type and --replace apply to a single file.', {
      hint: 'Add this file in a command of its own.',
    });
  const spaceId = await requireParam(session, ['spaceId', given], { hint });
  const content = { spaceId, ...defined({ changeRequestId: options.changeRequest }) };
  const uploads = await readUploads(session, paths, options);
  const replaces = replace === undefined ? undefined : await resolveName(session, 'fileId', replace, content);
  const reader = await openContent(await session.api(), content, session.runtime.signal);
  refuseSameNames(uploads, await reader.files(), replaces);
  const files = uploads.map((upload) => ({
    name: upload.name,
    contentType: upload.contentType,
    base64: upload.bytes.toString('base64'),
    ...defined({ replaces }),
  }));
  const changes: ContentChange[] = [{ operation: 'insert_files', files }];
  const [one] = uploads;
  const what = uploads.length === 1 ? `${one?.name}` : plural(uploads.length, 'file');
  if (session.flags.dryRun === true) {
    await session.check(updateContent, {
      params: { spaceId, changeRequestId: options.changeRequest ?? 'NEW' },
      body: { changes },
    });
    const verb = replaces === undefined ? 'added' : 'replaced';
    const shown = uploads.map((file) => `${file.name} (${file.contentType}, ${sizeText(file.bytes.length)})`);
    return session.note(`Dry run: ${shown.join(', ')} would be ${verb}. Nothing was sent.`);
  }
  await editContent(session, options, {
    spaceId,
    space: given ?? session.settings.space?.value ?? spaceId,
    title: `${replaces === undefined ? 'Add' : 'Replace'} ${what}`,
    unchanged: 'Nothing changed: the space already has this file.',
    send: async ({ params }) => {
      const { revision, insertedFiles = [] } = await session.call(updateContent, {
        params,
        query: { compat: false },
        body: { changes },
      });
      return { revision, ids: insertedFiles.map(({ id }) => id) };
    },
    print: ({ number, id: changeRequest, merged }, { ids }) => {
      const added = uploads.map((upload, index) => describeFile(upload, ids[index] ?? ''));
      if (added.length === 1)
        return session.print({ ...added[0], number, changeRequest, merged }, { columns });
      return wantsDocument(session)
        ? session.print({ number, changeRequest, merged, files: added })
        : session.printAll(added, { columns, noun: 'files' });
    },
  });
}

const columns = ['name', 'contentType', 'size', 'markdown', 'id'];

async function readUploads(
  session: Session,
  paths: readonly string[],
  options: Options,
): Promise<readonly Upload[]> {
  const uploads: Upload[] = [];
  for (const path of paths) {
    const name = options.name ?? (path === '-' ? undefined : basename(path));
    if (name === undefined)
      throw new Problem('usage', 'Standard input has no name.', { hint: 'Name the file with --name.' });
    const contentType = options.contentType ?? guessContentType(name);
    if (!/^[\w.+-]+\/[\w.+-]+(?:;.*)?$/.test(contentType))
      throw new Problem('invalid-input', `"${contentType}" is not a content type.`, {
        hint: 'Give a type such as image/png with --content-type.',
      });
    const bytes = await readBytes(session, path, maxFileSize, 'Make the file smaller, or link to it.');
    uploads.push({ name, contentType, bytes });
  }
  const size = uploads.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > maxFileSize)
    throw new Problem('invalid-input', `The files together are larger than ${sizeText(maxFileSize)}.`, {
      hint: 'Add them with several commands. --change-request puts them into the same change request.',
    });
  return uploads;
}

/** @throws Problem(conflict) for a name that the space, or another of the uploads, has already */
function refuseSameNames(
  uploads: readonly Upload[],
  existing: readonly { id: string; name: string }[],
  replaces: string | undefined,
): void {
  for (const [index, { name }] of uploads.entries()) {
    if (uploads.slice(0, index).some((other) => other.name === name))
      throw new Problem('conflict', `Several files have the name ${name}.`, {
        hint: 'Add each of them in a command of its own, and give another name with --name.',
      });
    const same = existing.find((file) => file.name === name && file.id !== replaces);
    if (same === undefined) continue;
    throw new Problem('conflict', `The space already has a file ${name}.`, {
      hint:
        replaces === undefined
          ? `To replace it, add --replace ${same.id}. To keep both, give another name with --name.`
          : 'Give another name with --name.',
    });
  }
}

function describeFile({ name, contentType, bytes }: Upload, id: string): object {
  return { id, name, contentType, size: bytes.length, markdown: markdownOf(id, name, contentType) };
}

/** Returns the Markdown for a file on a page: an image, or a download block. */
function markdownOf(id: string, name: string, contentType: string): string {
  const title = name.replace(/\.\w+$/, '').replace(/[\\[\]]/g, '\\$&');
  return contentType.startsWith('image/') ? `![${title}](/files/${id})` : `{% file src="/files/${id}" %}`;
}
