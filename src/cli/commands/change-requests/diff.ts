import { InvalidArgumentError, type Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import { getChangeRequest, listChanges } from '../../../resources/change-requests/contract.ts';
import {
  compareParts,
  createTextReader,
  listParts,
  type Part,
  type PartChange,
} from '../../../content-sync/compare-content.ts';
import { openContent } from '../../../content-sync/space-content.ts';
import { createNames } from '../../names.ts';
import { countHunks, hunksOf } from '../../output/diff.ts';
import { drawPart, drawStat, patchPart, type ShownPart } from './draw-diff.ts';
import { createStyler } from '../../output/style.ts';
import type { Session } from '../../session.ts';
import type { RunInSession } from '../../composite-command.ts';

interface Options {
  readonly space?: string;
  readonly changeRequest?: string;
  readonly stat?: boolean;
  readonly page?: string;
  readonly context: number;
}

/** As many as the API gives at once; it counts the others. */
const mostChanges = 1000;
/** How many files are named that a patch leaves out. */
const mostNamed = 10;

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[change-request]', 'change request, by number or id')
    .option('--space <id|title>', 'the space')
    .option('--change-request <id|number>', 'the change request')
    .option('--stat', 'only how much differs')
    .option('--page <page>', 'only this page, by path, title or id')
    .option('--context <lines>', 'unchanged lines around each change', linesOf, 3)
    .addHelpText(
      'after',
      '\nCompares the change request with what it was made from, or last brought up to date with. Piped, it is a patch that `git apply` reads.\n\nExamples:\n  docsctl change-requests diff 7 --space Handbook\n  docsctl cr diff 7 --space Handbook --stat\n  docsctl cr diff 7 --space Handbook > changes.patch\n',
    )
    .action((given: string | undefined, options: Options) =>
      run((session) => diff(session, given ?? options.changeRequest, options)),
    );
}

async function diff(session: Session, given: string | undefined, options: Options): Promise<void> {
  if (given === undefined || options.space === undefined)
    throw new Problem('usage', given === undefined ? 'Which change request?' : 'Of which space?', {
      hint: 'docsctl change-requests diff NUMBER --space SPACE',
    });
  const api = await session.api();
  const { signal } = session.runtime;
  const spaceId = await createNames(session).resolve('spaceId', options.space, {}, 'change-requests.diff');
  if (session.format !== 'table' || session.flags.query !== undefined)
    return printChanges(session, { spaceId, changeRequestId: given });
  const request = await api.call(
    getChangeRequest,
    { params: { spaceId, changeRequestId: given } },
    { signal },
  );
  const revisionId = request.revisionMergedAncestor ?? request.revisionInitial;
  const before = await openContent(api, { spaceId, revisionId }, signal);
  const after = await openContent(api, { spaceId, changeRequestId: request.id }, signal);
  const [old, now] = [await listParts(before), await listParts(after)];
  const texts = { before: createTextReader(before), after: createTextReader(after) };
  const changes = compareParts(old, now).filter(filterOf(options.page, [...now, ...old]));
  const { stdout, columns, color } = session.terminal;
  const { isInteractive } = session;
  const ink = await createStyler(color && isInteractive);
  const counted: Parameters<typeof drawStat>[0][number][] = [];
  for (const change of changes) {
    const part = await readChange(change, texts, options.context);
    if (part === undefined) continue;
    const { hunks, ...rest } = part;
    counted.push({ ...rest, ...countHunks(hunks ?? []) });
    if (options.stat !== true)
      await stdout.write(
        isInteractive ? `${counted.length > 1 ? '\n' : ''}${drawPart(part, ink)}` : patchPart(part),
      );
    if (stdout.closed) return;
  }
  if (counted.length === 0)
    return session.note(
      `Change request ${request.number} changes nothing${options.page === undefined ? '' : ' there'}.`,
    );
  if (options.stat === true)
    await stdout.write(drawStat(counted, { columns: isInteractive ? columns : 80, ink }));
  else if (!isInteractive) noteFiles(session, counted);
}

/** A patch holds lines; what has none is only a remark in it, which nobody reads. */
function noteFiles(session: Session, parts: readonly ShownPart[]): void {
  const names = parts
    .filter(({ sizes }) => sizes !== undefined)
    .map(({ before, after }) => (after ?? before)!);
  if (names.length === 0) return;
  const more = names.length > mostNamed ? `, … (${names.length - mostNamed} more)` : '';
  const which = names.length === 1 ? '1 file is' : `${names.length} files are`;
  session.note(
    `warning: ${which} not in the patch, which holds text only: ${names.slice(0, mostNamed).join(', ')}${more}`,
  );
  session.note('hint: `docsctl spaces export SPACE DIR --change-request NUMBER` writes everything.');
}

type TextReader = ReturnType<typeof createTextReader>;

/** Reads what is shown of a change; undefined where both sides turn out to be the same. */
async function readChange(
  { part, before, after, fields, content }: PartChange,
  texts: { readonly before: TextReader; readonly after: TextReader },
  context: number,
): Promise<ShownPart | undefined> {
  const base = { before: before?.path, after: after?.path, title: part.title, fields };
  if (part.kind === 'file') return { ...base, sizes: [before?.size, after?.size] };
  if (!part.isText && before?.isText !== true) return base;
  const textOf = async (read: TextReader, one: Part | undefined) =>
    content && one?.isText === true ? read(one) : '';
  const [from, to] = await Promise.all([textOf(texts.before, before), textOf(texts.after, after)]);
  const hunks = hunksOf(from, to, context);
  const isSame =
    before !== undefined &&
    after !== undefined &&
    before.path === after.path &&
    fields.length === 0 &&
    hunks.length === 0;
  return isSame ? undefined : { ...base, hunks };
}

/** Keeps the changes of one page, if one is asked for. */
function filterOf(page: string | undefined, parts: readonly Part[]): (change: PartChange) => boolean {
  if (page === undefined) return () => true;
  const wanted = new Set(
    parts
      .filter(
        ({ id, path, title, place }) =>
          [id, path, title, place].includes(page) || place === page.replace(/^\/+/, ''),
      )
      .map(({ id }) => id),
  );
  if (wanted.size === 0)
    throw new Problem('not-found', `There is no page "${page}" in the change request or before it.`, {
      hint: 'Give its path, title or id; without --page everything is shown.',
    });
  return ({ part }) => wanted.has(part.id);
}

/** The answer of the API, for programs. */
async function printChanges(
  session: Session,
  params: { readonly spaceId: string; readonly changeRequestId: string },
): Promise<void> {
  const api = await session.api();
  const body = await api.call(
    listChanges,
    { params, query: { limit: mostChanges } },
    { signal: session.runtime.signal },
  );
  const printer = await session.printer();
  await printer.one(body);
  await printer.end();
}

function linesOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It takes a number of lines.');
  return Number(text);
}
