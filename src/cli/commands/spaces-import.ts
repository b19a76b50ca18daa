import { Option, type Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import type { Warning } from '../../markdown-folder/folder.ts';
import { planImport, type ImportPlan } from '../../markdown-folder/plan-import.ts';
import { readFolder } from '../../markdown-folder/read-folder.ts';
import { sendImport, sizeOf } from '../../markdown-folder/send-import.ts';
import { createChangeRequest, getChangeRequest, mergeChangeRequest, updateChangeRequest } from '../../resources/change-requests/contract.ts';
import { batchContent } from '../../resources/content/change-request/contract.ts';
import { openSource, type Source } from '../import-source.ts';
import { createNames } from '../names.ts';
import { createProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { openContent } from '../space-content.ts';
import type { RunIn } from './index.ts';

interface Options {
  /** true: a new one; its number or id: that one. */
  readonly changeRequest?: boolean | string;
  readonly subject: string;
  readonly ref?: string;
  readonly root?: string;
  readonly unlisted: 'skip' | 'hidden';
}

export function define(command: Command, run: RunIn): void {
  command
    .argument('[space]', 'space, by id or title')
    .argument('[source]', 'folder of Markdown, with a SUMMARY.md or without, or the address of a git repository')
    .option('--change-request [cr]', 'leave the changes in a new change request, or put them into this one, instead of merging them')
    .option('--subject <text>', 'subject of the new change request', 'Import from a folder')
    .option('--ref <ref>', 'branch, tag or whole commit of the repository')
    .option('--root <folder>', 'folder of the documentation inside the source')
    .addOption(
      new Option('--unlisted <how>', 'pages that SUMMARY.md does not name: skip them, or import them as hidden pages at the end').choices(['skip', 'hidden']).default('skip'),
    )
    .addHelpText(
      'after',
      `
Importing again sends only what differs. Pages that came from the folder and are gone from it are deleted.

Examples:
  docsctl spaces import Handbook ./handbook
  docsctl spaces import Handbook ./handbook --subject "Spring cleaning" --change-request
  docsctl spaces import Handbook https://git.example.com/acme/docs.git --ref v2 --root handbook
`,
    )
    .action((space: string | undefined, source: string | undefined, options: Options) => run((session) => importSource(session, space, source, options)));
}

async function importSource(session: Session, space: string | undefined, from: string | undefined, options: Options): Promise<void> {
  if (space === undefined || from === undefined) throw new Problem('usage', 'An import needs a space and a folder.', { hint: 'docsctl spaces import SPACE FOLDER' });
  const spaceId = await createNames(session).resolve('spaceId', space, {}, 'spaces.import');
  const source = await openSource(session.runtime, from, options);
  try {
    await importFolder(session, spaceId, source, options);
  } finally {
    source.discard();
  }
}

async function importFolder(session: Session, spaceId: string, source: Source, options: Options): Promise<void> {
  const api = await session.api();
  const { signal } = session.runtime;
  const given = typeof options.changeRequest === 'string' ? options.changeRequest : undefined;
  const existing = given === undefined ? undefined : await api.call(getChangeRequest, { params: { spaceId, changeRequestId: given } }, { signal });
  const place = existing === undefined ? { spaceId } : { spaceId, changeRequestId: existing.id };
  const folder = await readFolder(source.dir, { unlisted: options.unlisted });
  const warnings = [...source.warnings, ...folder.warnings];
  const content = await openContent(api, place, signal);
  const plan = planImport(await content.read(false), folder);
  warn(session, warnings);
  if (sizeOf(plan) === 0) return session.note(`Nothing to import: the ${existing === undefined ? 'space' : 'change request'} holds what the folder holds.`);
  if (session.flags.dryRun === true) return session.note(`Dry run: ${verdictOf(plan)}. Nothing was sent.`);
  const change = existing ?? (await api.call(createChangeRequest, { params: { spaceId }, body: { subject: options.subject } }, { signal }));
  const params = { spaceId, changeRequestId: change.id };
  const isMerged = options.changeRequest === undefined;
  const progress = createProgress(session.terminal, { label: 'imported', total: sizeOf(plan), clock: session.runtime.clock });
  try {
    await sendImport(
      plan,
      async (changes) => {
        if (signal.aborted) throw new Problem('interrupted', 'Stopped by a signal.');
        const answer = await api.call(batchContent, { params, body: { changes } }, { signal });
        progress.tick(changes.reduce((sum, one) => sum + (one.operation === 'delete_files' ? one.files.length : 1), 0));
        return answer;
      },
      { remote: /^https?:/.test(api.place) },
    );
    if (isMerged) await api.call(mergeChangeRequest, { params }, { signal });
  } catch (error) {
    if (existing === undefined) await abandon(session, params);
    else session.note(`The import did not finish; part of it is in change request ${change.number}. Importing again sends the rest.`);
    throw error;
  } finally {
    progress.done();
  }
  await report(session, plan, {
    changeRequest: change.id,
    number: change.number,
    merged: isMerged,
    warnings: warnings.length,
    ...(source.commit === undefined ? {} : { commit: source.commit }),
  });
}

/** The first warnings, and how many more there are. */
function warn(session: Session, warnings: readonly Warning[]): void {
  for (const { file, line, message } of warnings.slice(0, 30)) session.note(`warning: ${oneLine(file)}${line === 0 ? '' : `:${line}`}: ${oneLine(message)}`);
  if (warnings.length > 30) session.note(`… and ${warnings.length - 30} more warnings.`);
}

/** A name may have line ends; a warning is one line. */
function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n');
}

/** An import that failed leaves the space as it was; its change request is archived, so that nobody merges half of it. */
async function abandon(session: Session, params: { spaceId: string; changeRequestId: string }): Promise<void> {
  try {
    await (await session.api()).call(updateChangeRequest, { params, body: { status: 'archived' } });
    session.note('The import did not finish; the space is as it was.');
  } catch {
    session.note('The import did not finish; the space is as it was, and an unfinished change request is left.');
  }
}

function verdictOf({ pages, texts, files, deletedFiles }: ImportPlan): string {
  return `changed pages: ${pages.length}, changed texts: ${texts.length}, sent files: ${files.length}, deleted files: ${deletedFiles.length}`;
}

async function report(
  session: Session,
  plan: ImportPlan,
  result: { readonly number: number; readonly merged: boolean; readonly warnings: number } & Record<string, unknown>,
): Promise<void> {
  const { number, merged, warnings } = result;
  if (session.format !== 'table') {
    const printer = await session.printer();
    await printer.one({ ...result, pages: plan.pages.length, texts: plan.texts.length, files: plan.files.length, deletedFiles: plan.deletedFiles.length });
    await printer.end();
  }
  const verdict = verdictOf(plan);
  session.note(`${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}, warnings: ${warnings}; ${merged ? `merged as change request ${number}` : `in change request ${number}`}.`);
}
