import type { Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { planImport } from '../../markdown-folder/plan-import.ts';
import { readFolder } from '../../markdown-folder/read-folder.ts';
import { sendImport } from '../../markdown-folder/send-import.ts';
import { createChangeRequest, mergeChangeRequest, updateChangeRequest } from '../../resources/change-requests/contract.ts';
import { updateContent } from '../../resources/content/change-request/contract.ts';
import { listFiles } from '../../resources/content/space-files/contract.ts';
import { listPages } from '../../resources/content/space-pages/contract.ts';
import type { Api } from '../../contract/api.ts';
import { createNames } from '../names.ts';
import { eachPage } from '../pages.ts';
import { createProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import type { RunIn } from './index.ts';

interface Options {
  readonly space?: string;
  readonly changeRequest?: boolean;
  readonly subject?: string;
}

export function define(command: Command, run: RunIn): void {
  command
    .argument('[space]', 'space, by id or title')
    .argument('[folder]', 'folder of Markdown, with a SUMMARY.md or without')
    .option('--change-request', 'leave the changes in a change request instead of merging them')
    .option('--subject <text>', 'subject of the change request', 'Import from a folder')
    .addHelpText(
      'after',
      '\nImporting again sends only what differs. Pages that came from the folder and are gone from it are deleted.\n\nExamples:\n  docsctl spaces import Handbook ./handbook\n  docsctl spaces import Handbook ./handbook --change-request --subject "Spring cleaning"\n',
    )
    .action((space: string | undefined, folder: string | undefined, options: Options) => run((session) => importFolder(session, space, folder, options)));
}

async function importFolder(session: Session, space: string | undefined, folder: string | undefined, options: Options): Promise<void> {
  if (space === undefined || folder === undefined) throw new Problem('usage', 'An import needs a space and a folder.', { hint: 'docsctl spaces import SPACE FOLDER' });
  const spaceId = await createNames(session).resolve('spaceId', space, {}, 'spaces.import');
  const api = await session.api();
  const content = await readFolder(folder);
  const plan = planImport(await currentContent(api, spaceId), content);
  const count = plan.pages.length + plan.files.length + plan.deletedFiles.length;
  const verdict = `${plan.pages.length} page changes, ${plan.files.length} files to send, ${plan.deletedFiles.length} files to delete`;
  if (count === 0) return session.note('Nothing to import: the space holds what the folder holds.');
  if (session.flags.dryRun === true) return session.note(`Dry run: ${verdict}. Nothing was sent.`);
  warn(session, content.warnings);
  const { signal } = session.runtime;
  const change = await api.call(createChangeRequest, { params: { spaceId }, body: { subject: options.subject ?? 'Import from a folder' } }, { signal });
  const params = { spaceId, changeRequestId: change.id };
  const progress = createProgress(session.terminal, { label: 'imported', total: count, clock: session.runtime.clock });
  try {
    await sendImport(plan, async (changes) => {
      if (signal.aborted) throw new Problem('interrupted', 'Stopped by a signal.');
      const answer = await api.call(updateContent, { params, query: { compat: false }, body: { changes } }, { signal });
      progress.tick(changes.reduce((sum, one) => sum + ('files' in one ? one.files.length : 1), 0));
      return answer as { pages?: { id: string; ref?: string }[] };
    });
    if (options.changeRequest !== true) await api.call(mergeChangeRequest, { params }, { signal });
  } catch (error) {
    await abandon(api, params, session);
    throw error;
  } finally {
    progress.done();
  }
  await report(session, {
    changeRequest: change.id,
    number: change.number,
    merged: options.changeRequest !== true,
    pages: plan.pages.length,
    files: plan.files.length,
    deletedFiles: plan.deletedFiles.length,
    warnings: content.warnings.length,
  });
}

/** The first warnings, and how many more there are. */
function warn(session: Session, warnings: Awaited<ReturnType<typeof readFolder>>['warnings']): void {
  for (const { file, line, message } of warnings.slice(0, 10)) session.note(`warning: ${file}${line === 0 ? '' : `:${line}`}: ${message}`);
  if (warnings.length > 10) session.note(`… and ${warnings.length - 10} more warnings.`);
}

/** What the space holds now, whole. */
async function currentContent(api: Api, spaceId: string) {
  const { pages } = await api.call(listPages, { params: { spaceId }, query: { texts: false } });
  const listings = eachPage((page) => api.call(listFiles, { params: { spaceId }, query: { limit: 1000, ...(page === undefined ? {} : { page }) } }));
  const files = [];
  for await (const { items } of listings) files.push(...items);
  return { pages, files };
}

/** An import that failed leaves the space as it was; its change request is archived, so that nobody merges half of it. */
async function abandon(api: Api, params: { spaceId: string; changeRequestId: string }, session: Session): Promise<void> {
  try {
    await api.call(updateChangeRequest, { params, body: { status: 'archived' } });
    session.note('The import did not finish; the space is as it was.');
  } catch {
    session.note('The import did not finish; the space is as it was, and an unfinished change request is left.');
  }
}

async function report(session: Session, result: Record<string, unknown>): Promise<void> {
  if (session.format !== 'table') {
    const printer = await session.printer();
    await printer.one(result);
    await printer.end();
  }
  const { pages, files, deletedFiles, warnings, merged, number } = result;
  session.note(
    `Changed pages: ${String(pages)}, sent files: ${String(files)}, deleted files: ${String(deletedFiles)}, warnings: ${String(warnings)}; ${merged === true ? `merged as change request ${String(number)}` : `in change request ${String(number)}`}.`,
  );
}
