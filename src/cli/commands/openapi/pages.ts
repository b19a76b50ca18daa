import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { planWrites, writeInside } from '../../../content-sync/write-folder.ts';
import { gitOid } from '../../../content/hashing.ts';
import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { downloadSpec } from '../../../resources/openapi/contract.ts';
import { readInChildProcess } from '../../../specification/child-process-reader.ts';
import {
  requireArgument,
  requiredOption,
  type CommandHelp,
  type DefineCommand,
} from '../../composite-command.ts';
import { resolveOrganization } from '../../names/names.ts';
import { makeFolder } from '../../../files/make-folders.ts';
import { printOutcome, type Session } from '../../session/session.ts';
import { refuseErrors } from './specification-file.ts';

interface Options {
  readonly dir?: string;
  readonly force?: boolean;
}

export const help: CommandHelp = {
  description: `
Writes a folder of Markdown from the latest version of a specification: an overview, and a page for each tag with the
operations of the tag. Import the folder into a space with \`docsctl spaces import\`. After a new version, write and
import the folder again: only pages that differ are changed.
`,
  examples: [
    'docsctl openapi pages billing -d reference',
    'docsctl openapi pages billing -d reference && docsctl spaces import API reference --change-request',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<spec>', 'slug of the specification')
    .addOption(requiredOption('-d, --dir <folder>', 'folder to write the pages to'))
    .option('--force', 'write to a folder that contains other files')
    .action(inSession(writePages));
};

async function writePages(session: Session, slug: string, options: Options): Promise<void> {
  const dir = requireArgument(
    options.dir,
    '--dir is missing.',
    `Give a folder: \`docsctl openapi pages ${slug} -d DIR\``,
  );
  const { cwd, signal, randomBytes } = session.runtime;
  const params = { organizationId: await resolveOrganization(session), specSlug: slug, versionId: 'latest' };
  const { bytes } = await session.call(downloadSpec, { params });
  const read = await readInChildProcess(Buffer.from(bytes).toString(), { signal, pagesFor: slug });
  if (read.pages === undefined) refuseErrors(slug, read);
  const pages = new Map(read.pages);
  const target = resolve(cwd, dir);
  if (session.flags.dryRun === true)
    return session.note(`Dry run: ${plural(pages.size, 'file')} would be written to ${dir}.`);
  if (options.force !== true && existsSync(target) && readdirSync(target).some((name) => !pages.has(name)))
    throw new Problem('guard-refused', `The folder ${dir} contains other files.`, {
      hint: 'Choose a new folder, or add --force to write to this one.',
    });
  const folder = makeFolder(target, dir);
  const files = [...pages].map(([path, text]) => {
    const content = { bytes: Buffer.from(text) };
    return { path, oid: gitOid(text), content };
  });
  const { create, replace, same } = planWrites(folder, files);
  const changed = new Set([...create, ...replace].map(({ path }) => path));
  for (const { path, content } of files)
    if (changed.has(path)) writeInside(folder, path, content.bytes, randomBytes);
  const unchanged = same.length > 0 ? `, ${same.length} unchanged` : '';
  session.note(
    changed.size === 0
      ? `Nothing to write: ${plural(same.length, 'file')} in ${dir} ${same.length === 1 ? 'is' : 'are'} up to date.`
      : `Wrote ${plural(changed.size, 'file')} to ${dir}${unchanged}. Next: \`docsctl spaces import SPACE ${dir}\``,
  );
  await printOutcome(session, { folder: target, written: changed.size, unchanged: same.length }, 'folder');
}
