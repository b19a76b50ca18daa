import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { FileAnswer } from '../../../contract/file.ts';
import { Problem } from '../../../errors/problem.ts';
import { compareFolder, findFolder, writeInside } from '../../../content-sync/write-folder.ts';
import { gitOid } from '../../../content/hashing.ts';
import { downloadSpec } from '../../../resources/openapi/contract.ts';
import { readInChildProcess } from '../../../specification/child-process-reader.ts';
import { resolveOrganization } from '../../names.ts';
import type { Session } from '../../session.ts';
import { refuseErrors } from './specification-file.ts';
import type { RunInSession } from '../../composite-command.ts';

interface Options {
  readonly dir?: string;
  readonly force?: boolean;
}

export function define(command: Command, run: RunInSession): void {
  command
    .argument('<spec>', 'specification, by its slug')
    .option('-d, --dir <folder>', 'folder to write')
    .option('--force', 'write into a folder that holds something else')
    .addHelpText(
      'after',
      `
Writes pages computed from the latest version of a specification: an overview, and a page for each tag with its operations.
Brought into a space, only what changed since the last time becomes a change:

Example:
  docsctl openapi pages billing -d reference && docsctl spaces import Reference reference --change-request
`,
    )
    .action((slug: string, options: Options) => run((session) => writePages(session, slug, options)));
}

async function writePages(session: Session, slug: string, { dir, force = false }: Options): Promise<void> {
  const { runtime } = session;
  if (dir === undefined)
    throw new Problem('usage', 'Into which folder?', { hint: `docsctl openapi pages ${slug} -d DIR` });
  const api = await session.api();
  const params = { organizationId: await resolveOrganization(session), specSlug: slug, versionId: 'latest' };
  const { bytes }: FileAnswer = await api.call(downloadSpec, { params }, { signal: runtime.signal });
  const read = await readInChildProcess(Buffer.from(bytes).toString(), {
    signal: runtime.signal,
    pagesFor: slug,
  });
  refuseErrors(slug, read);
  const pages = new Map(read.pages);
  const target = resolve(runtime.cwd, dir);
  if (session.flags.dryRun === true)
    return session.note(`Dry run: ${pages.size} files would be written into ${dir}.`);
  const isOurs = (name: string): boolean => pages.has(name);
  if (!force && existsSync(target) && readdirSync(target).some((name) => !isOurs(name)))
    throw new Problem('guard-refused', `The folder ${dir} holds something else.`, {
      hint: 'Name a new folder, or add --force to write into this one.',
    });
  try {
    mkdirSync(target, { recursive: true });
  } catch (error) {
    throw new Problem(
      'invalid-input',
      `The folder ${dir} cannot be made (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
      { cause: error },
    );
  }
  const folder = findFolder(target)!;
  const files = [...pages].map(([path, text]) => ({
    path,
    oid: gitOid(text),
    content: { bytes: Buffer.from(text) },
  }));
  const { create, replace, same } = compareFolder(folder, files);
  for (const { path } of [...create, ...replace])
    writeInside(folder, path, Buffer.from(pages.get(path)!), runtime.randomBytes);
  const changed = create.length + replace.length;
  session.note(
    changed === 0
      ? `unchanged: the ${same.length} files in ${dir} are as they should be`
      : `wrote ${changed} files into ${dir}${same.length > 0 ? `, ${same.length} unchanged` : ''}: docsctl spaces import SPACE ${dir}`,
  );
}
