import { realpathSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import type { Warning } from '../../../content-sync/folder.ts';
import { needsTexts, planImport, type ImportPlan } from '../../../content-sync/plan-import.ts';
import {
  oidsOf,
  readFolder,
  type MarkdownFolder,
  unlistedMessage,
} from '../../../content-sync/read-folder.ts';
import { sendImport, sizeOf } from '../../../content-sync/send-import.ts';
import {
  createChangeRequest,
  getChangeRequest,
  mergeChangeRequest,
  updateChangeRequest,
} from '../../../resources/change-requests/contract.ts';
import { batchContent } from '../../../resources/content/change-request/contract.ts';
import { readExportRecord, writeExportRecord } from './export-record.ts';
import { openSource, type Source } from '../../../content-sync/import-source.ts';
import { createNames } from '../../names.ts';
import { createProgress } from '../../output/progress.ts';
import type { Session } from '../../session.ts';
import { openContent, type ContentReader } from '../../../content-sync/space-content.ts';
import type { RunInSession } from '../../composite-command.ts';

interface Options {
  /** true: a new one; its number or id: that one. */
  readonly changeRequest?: boolean | string;
  readonly subject: string;
  readonly ref?: string;
  readonly root?: string;
  readonly unlisted: 'skip' | 'hidden';
}

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[space]', 'space, by id or title')
    .argument(
      '[source]',
      'folder of Markdown, with a SUMMARY.md or without, or the address of a git repository',
    )
    .option(
      '--change-request [cr]',
      'leave the changes in a new change request, or put them into this one, instead of merging them',
    )
    .option('--subject <text>', 'subject of the new change request', 'Import from a folder')
    .option('--ref <ref>', 'branch, tag or whole commit of the repository')
    .option('--root <folder>', 'folder of the documentation inside the source')
    .addOption(
      new Option(
        '--unlisted <how>',
        'pages that SUMMARY.md does not name: skip them, or import them as hidden pages at the end',
      )
        .choices(['skip', 'hidden'])
        .default('skip'),
    )
    .addHelpText(
      'after',
      `
Importing again sends only what differs. Pages that came from the folder and are gone from it are deleted.
Paths are kept as they are below the folder that is imported: with --root docs, an export writes them without docs/.
All warnings, and the counts of what was or would be changed, come with -o json; -o id gives the change request.

Examples:
  docsctl spaces import Handbook ./handbook
  docsctl spaces import Handbook ./handbook --subject "Spring cleaning" --change-request
  docsctl spaces import Handbook https://git.example.com/acme/docs.git --ref v2 --root handbook
`,
    )
    .action((space: string | undefined, source: string | undefined, options: Options) =>
      run((session) => importSource(session, space, source, options)),
    );
}

async function importSource(
  session: Session,
  space: string | undefined,
  from: string | undefined,
  options: Options,
): Promise<void> {
  if (space === undefined || from === undefined)
    throw new Problem('usage', 'An import needs a space and a folder.', {
      hint: 'docsctl spaces import SPACE FOLDER',
    });
  const spaceId = await createNames(session).resolve('spaceId', space, {}, 'spaces.import');
  const source = await openSource(session.runtime, from, options);
  try {
    await importFolder(session, spaceId, source, options);
  } finally {
    source.discard();
  }
}

async function importFolder(
  session: Session,
  spaceId: string,
  source: Source,
  options: Options,
): Promise<void> {
  const api = await session.api();
  const { signal } = session.runtime;
  const given = typeof options.changeRequest === 'string' ? options.changeRequest : undefined;
  const existing =
    given === undefined
      ? undefined
      : await api.call(getChangeRequest, { params: { spaceId, changeRequestId: given } }, { signal });
  const place = existing === undefined ? { spaceId } : { spaceId, changeRequestId: existing.id };
  const folder = await readFolder(source.dir, { unlisted: options.unlisted });
  const warnings = [...source.warnings, ...folder.warnings];
  const plan = await planOf(await openContent(api, place, signal), folder);
  const printer =
    session.format === 'table' ? undefined : await session.printer({ idField: 'changeRequest' });
  for (const line of linesOfWarnings(warnings)) session.note(line);
  const print = async (change: typeof existing, merged: boolean) => {
    // Without a change request there is no id.
    if (session.format !== 'id' || change !== undefined)
      await printer?.one(resultOf(session, plan, { change, merged, commit: source.commit, warnings }));
    await printer?.end();
  };
  const isMerged = options.changeRequest === undefined;
  const isDry = session.flags.dryRun === true;
  if (isDry || sizeOf(plan) === 0) {
    if (!isDry && isMerged) remember(session, spaceId, source, folder);
    await print(existing, false);
    if (sizeOf(plan) === 0)
      return session.note(
        `Nothing to import: the ${existing === undefined ? 'space' : 'change request'} holds what the folder holds.`,
      );
    return session.note(`Dry run: ${verdictOf(plan)}. Nothing was sent.`);
  }
  const change =
    existing ??
    (await api.call(
      createChangeRequest,
      { params: { spaceId }, body: { subject: options.subject } },
      { signal },
    ));
  const params = { spaceId, changeRequestId: change.id };
  const progress = createProgress(session.terminal, {
    label: 'imported',
    total: sizeOf(plan),
    clock: session.runtime.clock,
  });
  try {
    await sendImport(
      plan,
      async (changes) => {
        if (signal.aborted) throw new Problem('interrupted', 'Stopped by a signal.');
        const answer = await api.call(batchContent, { params, body: { changes } }, { signal });
        progress.tick(
          changes.reduce((sum, one) => sum + (one.operation === 'delete_files' ? one.files.length : 1), 0),
        );
        return answer;
      },
      { remote: /^https?:/.test(api.place) },
    );
    if (isMerged) await api.call(mergeChangeRequest, { params }, { signal });
  } catch (error) {
    if (existing === undefined) await abandon(session, params);
    else
      session.note(
        `The import did not finish; part of it is in change request ${change.number}. Importing again sends the rest.`,
      );
    throw error;
  } finally {
    progress.done();
  }
  if (isMerged) remember(session, spaceId, source, folder);
  await print(change, isMerged);
  const verdict = verdictOf(plan);
  const where = `${isMerged ? 'merged as' : 'in'} change request ${change.number}`;
  session.note(
    `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}, warnings: ${warnings.length}; ${where}.`,
  );
}

/** Plans with as little of the space as it takes: what its texts say is read only where a table of contents differs. */
async function planOf(content: ContentReader, folder: MarkdownFolder): Promise<ImportPlan> {
  const current = await content.read(false);
  return planImport(
    needsTexts(current, folder) ? { ...current, texts: await content.texts() } : current,
    folder,
  );
}

/** The space holds now what the folder holds, so an export may replace it as long as nobody edits it. */
function remember(
  { runtime }: Session,
  spaceId: string,
  { dir, commit }: Source,
  folder: MarkdownFolder,
): void {
  if (commit !== undefined) return;
  const place = { dir: realpathSync(dir), spaceId };
  // Where it cannot be noted, an export refuses what it could have replaced.
  writeExportRecord(
    runtime,
    place,
    new Map([...(readExportRecord(runtime, place) ?? []), ...oidsOf(folder)]),
  );
}

/** An import that failed leaves the space as it was; its change request is archived, so that nobody merges half of it. */
async function abandon(
  session: Session,
  params: { spaceId: string; changeRequestId: string },
): Promise<void> {
  try {
    await (await session.api()).call(updateChangeRequest, { params, body: { status: 'archived' } });
    session.note('The import did not finish; the space is as it was.');
  } catch {
    session.note(
      'The import did not finish; the space is as it was, and an unfinished change request is left.',
    );
  }
}

function verdictOf({ pages, texts, files, deletedFiles }: ImportPlan): string {
  return `changed pages: ${pages.length}, changed texts: ${texts.length}, sent files: ${files.length}, deleted files: ${deletedFiles.length}`;
}

interface Outcome {
  readonly change: { readonly id: string; readonly number: number } | undefined;
  readonly merged: boolean;
  readonly commit: string | undefined;
  readonly warnings: readonly Warning[];
}

/** What is printed as data. Formats that can hold lists have every warning. */
function resultOf(
  { format }: Session,
  { pages, texts, files, deletedFiles }: ImportPlan,
  { change, merged, commit, warnings }: Outcome,
): Record<string, unknown> {
  return {
    ...(change === undefined ? {} : { changeRequest: change.id, number: change.number }),
    merged,
    ...(commit === undefined ? {} : { commit }),
    pages: pages.length,
    texts: texts.length,
    files: files.length,
    deletedFiles: deletedFiles.length,
    warnings: warnings.length,
    ...(['json', 'yaml', 'ndjson'].includes(format) ? { warningList: warnings } : {}),
  };
}

/** The most lines, and the most names in one of them. */
export const mostLines = 30;

export const mostNames = 5;

/** What a folder is warned of, as lines: files outside the table of contents together, of everything else the first. */
export function linesOfWarnings(warnings: readonly Warning[]): string[] {
  const unlisted = warnings
    .filter(({ message }) => message === unlistedMessage)
    .map(({ file }) => oneLine(file));
  const others = warnings.filter(({ message }) => message !== unlistedMessage);
  const lines = others
    .slice(0, mostLines)
    .map(
      ({ file, line, message }) =>
        `warning: ${oneLine(file)}${line === 0 ? '' : `:${line}`}: ${oneLine(message)}`,
    );
  if (others.length > mostLines)
    lines.push(`… and ${others.length - mostLines} more warnings; -o json gives all of them.`);
  if (unlisted.length > 0) lines.push(`warning: ${lineOfUnlisted(unlisted)}`);
  return lines;
}

export function lineOfUnlisted(files: readonly string[]): string {
  const what =
    files.length === 1
      ? 'Markdown file is not in the table of contents and is'
      : 'Markdown files are not in the table of contents and are';
  const more = files.length > mostNames ? ` and ${files.length - mostNames} more` : '';
  return `${files.length} ${what} left out (--unlisted hidden brings ${files.length === 1 ? 'it' : 'them'}): ${files.slice(0, mostNames).join(', ')}${more}`;
}

/** A name may have line ends; a warning is one line. */
export function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n');
}
