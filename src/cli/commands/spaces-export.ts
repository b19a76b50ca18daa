import type { Command } from 'commander';
import { mkdirSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import { planExport, type ExportedFile } from '../../markdown-folder/plan-export.ts';
import { readFolder } from '../../markdown-folder/read-folder.ts';
import { compareFolder, findFolder, isEmptyFolder, removeInside, withOids, writeInside, type WritePlan } from '../../markdown-folder/write-folder.ts';
import { createNames } from '../names.ts';
import { createProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { openContent, type ContentReader } from '../space-content.ts';
import type { RunIn } from './index.ts';

interface Options {
  readonly changeRequest?: string;
  readonly revision?: string;
  readonly force?: boolean;
  readonly prune?: boolean;
}

export function define(command: Command, run: RunIn): void {
  command
    .argument('[space]', 'space, by id or title')
    .argument('[folder]', 'folder to write: a new one, an empty one, or one that was exported or imported before')
    .option('--change-request <cr>', 'the content of this change request instead')
    .option('--revision <revision>', 'the content of this revision instead')
    .option('--force', 'write into a folder that holds something else')
    .option('--prune', 'delete the files of an earlier export that the space has no more')
    .addHelpText(
      'after',
      `
What was imported and not edited is written as it was, byte for byte; files that are as they should be are not touched.

Examples:
  docsctl spaces export Handbook ./handbook
  docsctl spaces export Handbook ./handbook --prune
  docsctl spaces export Handbook ./draft --change-request 7
`,
    )
    .action((space: string | undefined, folder: string | undefined, options: Options) => run((session) => exportSpace(session, space, folder, options)));
}

async function exportSpace(session: Session, space: string | undefined, folder: string | undefined, { changeRequest, revision, ...options }: Options): Promise<void> {
  if (space === undefined || folder === undefined) throw new Problem('usage', 'An export needs a space and a folder.', { hint: 'docsctl spaces export SPACE FOLDER' });
  if (changeRequest !== undefined && revision !== undefined) throw new Problem('usage', 'Give either --change-request or --revision, not both.');
  const spaceId = await createNames(session).resolve('spaceId', space, {}, 'spaces.export');
  const place = { spaceId, ...(changeRequest === undefined ? {} : { changeRequestId: changeRequest }), ...(revision === undefined ? {} : { revisionId: revision }) };
  const content = await openContent(await session.api(), place, session.runtime.signal);
  const plan = planExport(await content.read(true));
  const target = resolve(session.runtime.cwd, folder);
  const there = findFolder(target);
  const files = await withOids(there, plan.files, content.download);
  const writes = compareFolder(there, files);
  if (there !== undefined && options.force !== true) checkFolder(there, folder, plan.markers, writes);
  const gone = there === undefined ? [] : await goneFrom(there, files);
  for (const { file, message } of plan.warnings.slice(0, 30)) session.note(`warning: ${file}: ${message}`);
  const isDry = session.flags.dryRun === true;
  if (!isDry) await writeAll(session, { dir: prepare(target), writes, content });
  if (!isDry && options.prune === true && there !== undefined) removeInside(there, gone);
  const result = {
    folder: target,
    ...plan.counts,
    created: writes.create.length,
    changed: writes.replace.length,
    unchanged: writes.same.length,
    deleted: options.prune === true ? gone.length : 0,
    gone: gone.length,
    warnings: plan.warnings.length,
  };
  await report(session, result, { isDry, gone: options.prune === true ? [] : gone, paths: [...writes.create, ...writes.replace].map(({ path }) => path) });
}

/** Refuses a folder that holds something else: one without a table of contents or settings whose files would be replaced. */
function checkFolder(dir: string, name: string, markers: readonly string[], { replace, same }: WritePlan): void {
  if (isEmptyFolder(dir) || (replace.length === 0 && same.length > 0)) return;
  const known = compareFolder(
    dir,
    markers.map((path) => ({ path, oid: '', content: { fileId: '' } })),
  );
  if (known.replace.length > 0) return;
  throw new Problem('guard-refused', `The folder ${name} holds something else than an earlier export.`, { hint: 'Name a new folder, or add --force to write into this one.' });
}

/** The files of an import or export before this one, as its table of contents has them, that are not written any more. */
async function goneFrom(dir: string, files: readonly ExportedFile[]): Promise<string[]> {
  const kept = new Set(files.map(({ path }) => path));
  try {
    const { root, pages, files: others, texts } = await readFolder(dir);
    const documents = pages.flatMap(function all(page): string[] {
      return [...(page.type === 'document' ? [page.path] : []), ...page.children.flatMap(all)];
    });
    // Without a table of contents every Markdown file would count as a page of an earlier export.
    if (!texts.some(({ role }) => role === 'summary')) return [];
    const paths = [...documents, ...others.map(({ path }) => path)].map((path) => posix.join(root, path));
    return [...paths, ...texts.map(({ file }) => file)].filter((path) => !kept.has(path)).sort();
  } catch (error) {
    // A folder that cannot be read as documentation is no earlier export.
    if (error instanceof Problem) return [];
    throw error;
  }
}

function prepare(dir: string): string {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw new Problem('invalid-input', `The folder ${dir} cannot be made (${(error as NodeJS.ErrnoException).code ?? String(error)}).`, { cause: error });
  }
  return findFolder(dir)!;
}

async function writeAll(session: Session, { dir, writes, content }: { readonly dir: string; readonly writes: WritePlan; readonly content: ContentReader }): Promise<void> {
  const { signal, clock, randomBytes } = session.runtime;
  const progress = createProgress(session.terminal, { label: 'written', total: writes.create.length + writes.replace.length, clock });
  try {
    for (const { path, content: given } of [...writes.create, ...writes.replace]) {
      if (signal.aborted) throw new Problem('interrupted', 'Stopped by a signal.', { hint: 'Export again to write the rest.' });
      writeInside(dir, path, 'bytes' in given ? given.bytes : await content.download(given.fileId), randomBytes);
      progress.tick();
    }
  } finally {
    progress.done();
  }
}

async function report(
  session: Session,
  result: Readonly<Record<'pages' | 'files' | 'texts' | 'created' | 'changed' | 'unchanged' | 'deleted' | 'warnings', number>> & { readonly folder: string },
  { isDry, gone, paths }: { readonly isDry: boolean; readonly gone: readonly string[]; readonly paths: readonly string[] },
): Promise<void> {
  if (session.format !== 'table') {
    const printer = await session.printer();
    await printer.one(result);
    await printer.end();
  }
  if (isDry) for (const path of paths.slice(0, 30)) session.note(`would write ${path}`);
  if (gone.length > 0)
    session.note(`Not in the space any more, and kept because --prune was not given: ${gone.slice(0, 10).join(', ')}${gone.length > 10 ? ` and ${gone.length - 10} more` : ''}.`);
  const { pages, files, texts, created, changed, unchanged, deleted, warnings } = result;
  session.note(
    `${isDry ? 'Dry run, nothing was written: ' : ''}${pages} pages, ${files} files, ${texts} other texts: ${created} new, ${changed} changed, ${unchanged} as they were, ${deleted} deleted; warnings: ${warnings}.`,
  );
}
