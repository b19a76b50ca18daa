import type { Command } from 'commander';
import {
  compareParts,
  createTextReader,
  isUnchanged,
  listParts,
  readHunks,
  type ContentPart,
  type PartChange,
  type TextReader,
} from '../../../content-sync/compare-content.ts';
import type { ContentReader } from '../../../content-sync/space-content.ts';
import { Problem } from '../../../errors/problem.ts';
import { countHunks } from '../../../richtext/diff-hunks.ts';
import { drawPatch } from '../../output/diff.ts';
import { withStep } from '../../output/progress.ts';
import { createStyler } from '../../output/style.ts';
import type { Session } from '../../session/session.ts';
import { refuseTogether } from '../../input/given-twice.ts';
import { readWholeNumber } from '../../input/whole-number.ts';
import { drawPart, drawStat, patchPart, type CountedPart, type DiffPart } from './draw-diff.ts';

/** The options of commands that compare two contents. */
export interface DiffOptions {
  readonly stat?: boolean;
  readonly page?: string;
  readonly context: number;
  readonly patch?: boolean;
}

/** Two contents to compare, and their names in errors. */
interface ComparedContents {
  readonly before: ContentReader;
  readonly after: ContentReader;
  /** Such as "Neither the change request nor the content that it was created from". */
  readonly neither: string;
}

/** Maximum number of file names in the note about files that a patch leaves out. */
const maxNamed = 10;

/** Adds the options of a command that compares two contents. */
export function addDiffOptions(command: Command): Command {
  return command
    .option('--stat', 'show only the number of changed lines per page')
    .option('--patch', 'print a patch for `git apply`, even on a terminal')
    .option('--page <page>', 'only this page, by path, title or ID')
    .option(
      '--context <lines>',
      'number of unchanged lines to show around each change',
      (text) => readWholeNumber('--context', text),
      3,
    );
}

/** Reads the pages, files and texts that differ between two contents. */
export async function* readDifferences(
  session: Session,
  { before, after, neither }: ComparedContents,
  { stat, patch, page, context }: DiffOptions,
): AsyncGenerator<DiffPart> {
  refuseTogether({ stat, patch });
  const [old, now] = await withStep(
    session,
    'Comparing the content',
    async () => [await listParts(before), await listParts(after)] as const,
  );
  const texts = { before: createTextReader(before), after: createTextReader(after) };
  for (const change of compareParts(old, now).filter(createFilter(page, [...now, ...old], neither))) {
    const part = await readChange(change, texts, context);
    if (part !== undefined) yield part;
  }
}

/**
 * Prints the differences between two contents: a colored diff for a person, a patch in a pipe, or the line counts with --stat.
 * Returns the number of different pages, files and texts; undefined if standard output was closed.
 */
export async function printDifferences(
  session: Session,
  contents: ComparedContents,
  options: DiffOptions,
): Promise<number | undefined> {
  const { isInteractive, terminal, paged: stdout } = session;
  const { columns, color } = terminal;
  const style = await createStyler(color && isInteractive);
  const isPatch = !isInteractive || options.patch === true;
  const counted: CountedPart[] = [];
  for await (const part of readDifferences(session, contents, options)) {
    counted.push({ ...part, ...countHunks(part.hunks ?? []), hunks: undefined });
    if (options.stat !== true) {
      const gap = counted.length > 1 ? '\n' : '';
      const patch = isPatch ? patchPart(part) : '';
      const drawn = isInteractive ? drawPatch(patch, style) : patch;
      await stdout.write(isPatch ? drawn : gap + drawPart(part, style));
    }
    if (stdout.closed) return undefined;
  }
  if (options.stat === true) await stdout.write(drawStat(counted, isInteractive ? columns : 80, style));
  else if (isPatch) noteFiles(session, counted);
  return counted.length;
}

/** Notes the files that a patch leaves out, because a patch contains only text. */
function noteFiles(session: Session, parts: readonly DiffPart[]): void {
  const names = parts.filter(({ sizes }) => sizes !== undefined).map(({ path }) => path);
  if (names.length === 0) return;
  const more = names.length > maxNamed ? `, … (${names.length - maxNamed} more)` : '';
  const which = names.length === 1 ? '1 file is' : `${names.length} files are`;
  session.note(
    `warning: ${which} not in the patch, because a patch holds text only: ${names.slice(0, maxNamed).join(', ')}${more}`,
  );
  session.note(
    'hint: `docsctl spaces export` writes all files; --change-request and --revision choose the content.',
  );
}

/** Reads the details of a change; undefined if both sides turn out to be equal. */
async function readChange(
  change: PartChange,
  texts: { before: TextReader; after: TextReader },
  context: number,
): Promise<DiffPart | undefined> {
  const { part, before, after, fields, neighbor } = change;
  const { path, title } = part;
  const places = before !== undefined && after !== undefined ? placesOf(before, after) : undefined;
  const base = { path, before: before?.path, after: after?.path, places, title, fields, neighbor };
  if (part.kind === 'file') return { ...base, sizes: [before?.size, after?.size] };
  const hunks = await readHunks(change, texts, context);
  return isUnchanged(change, hunks) ? undefined : { ...base, hunks };
}

/** Returns the old and new path of a page that was moved or renamed in its space while its file keeps its path. */
function placesOf(before: ContentPart, after: ContentPart): readonly [string, string] | undefined {
  if (before.path !== after.path || before.place === undefined || after.place === undefined) return undefined;
  return before.place === after.place ? undefined : [before.place, after.place];
}

/** Creates a filter for the changes of one page, if there is one. @throws Problem(not-found) for an unknown page */
function createFilter(
  page: string | undefined,
  parts: readonly ContentPart[],
  neither: string,
): (change: PartChange) => boolean {
  if (page === undefined) return () => true;
  const path = page.replace(/^\/+/, '');
  const isPage = (part: ContentPart) =>
    [part.id, part.path, part.title, part.place].includes(page) || part.place === path;
  const ids = new Set(parts.filter(isPage).map(({ id }) => id));
  if (ids.size === 0)
    throw new Problem('not-found', `${neither} has a page "${page}".`, {
      hint: 'Give the path, title or ID of a page, or remove --page to see all changes.',
    });
  return ({ part }) => ids.has(part.id);
}
