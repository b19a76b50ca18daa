import {
  compareParts,
  createTextReader,
  isUnchanged,
  listParts,
  type ContentPart,
  type PartChange,
} from '../../../content-sync/compare-content.ts';
import { openContent } from '../../../content-sync/space-content.ts';
import { Problem } from '../../../errors/problem.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import { getChangeRequest, listChanges } from '../../../resources/change-requests/contract.ts';
import { type DefineCommand } from '../../composite-command.ts';
import { requireParam } from '../../choose-missing.ts';
import { countHunks, hunksOf } from '../../../richtext/diff-hunks.ts';
import { drawImpact, impactData, readLinkImpact, type LinkImpact } from '../../link-impact.ts';
import { withStep } from '../../output/progress.ts';
import { createStyler } from '../../output/style.ts';
import { wantsDocument, wantsTable, type Session } from '../../session.ts';
import { drawPart, drawStat, patchPart, type CountedPart, type DiffPart } from './draw-diff.ts';
import type { CommandHelp } from '../../command-help.ts';
import { requiredArgument, requiredOption } from '../../required.ts';
import { readWholeNumber } from '../../whole-number.ts';

interface Options {
  readonly space?: string;
  readonly changeRequest?: string;
  readonly stat?: boolean;
  readonly page?: string;
  readonly context: number;
}

/** As many as the API gives at once; it counts the others. */
const maxChanges = 1000;
/** Names of files that a patch leaves out. */
const maxNamed = 10;
const usage = 'Name it, for example `docsctl change-requests diff 7 --space Guide`.';

export const help: CommandHelp = {
  description: `
Compares the change request with the content of the space that it was created from or last synced with. In a pipe, the
output is a patch for \`git apply\`. With -o json, it is the list of changes.

Below the diff, the output lists the links and anchors that the merge would break, with their page, line and reason.
This includes links from other spaces. \`docsctl change-requests merge --require-links\` refuses such a merge. Next,
the output lists the redirects of sites that would lead nowhere, and last the redirects that old paths of published
sites would need.
\`docsctl change-requests merge --redirects\` creates them.
`,
  examples: [
    'docsctl change-requests diff 7 --space Guide',
    'docsctl change-requests diff 7 --space Guide --stat',
    'docsctl cr diff 7 --space Guide > changes.patch',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[change-request]', 'number or ID of the change request'))
    .addOption(requiredOption('--space <space>', 'title or ID of the space'))
    .option(
      '--change-request <number>',
      'number or ID of the change request, if it is not the first argument',
    )
    .option('--stat', 'show only the number of changed lines per page')
    .option('--page <page>', 'only this page, by path, title or ID')
    .option(
      '--context <lines>',
      'number of unchanged lines to show around each change',
      (text) => readWholeNumber('--context', text),
      3,
    )
    .action(inSession(showDiff));
};

async function showDiff(session: Session, given: string | undefined, options: Options): Promise<void> {
  const spaceId = await requireParam(session, ['spaceId', options.space], { hint: usage });
  const changeRequestId = await requireParam(session, ['changeRequestId', given ?? options.changeRequest], {
    params: { spaceId },
    operationId: getChangeRequest.id,
    hint: usage,
  });
  const params = { spaceId, changeRequestId };
  if (!wantsTable(session)) {
    const [changes, links] = [
      await session.call(listChanges, { params, query: { limit: maxChanges } }),
      wantsDocument(session) ? await findImpact(session, params) : undefined,
    ];
    return session.print({
      ...changes,
      ...(links === undefined ? {} : impactData(links)),
    });
  }
  const { id, number, ...request } = await session.call(getChangeRequest, { params });
  const api = await session.api();
  const { signal } = session.runtime;
  const revisionId = request.revisionMergedAncestor ?? request.revisionInitial;
  const before = await openContent(api, { spaceId, revisionId }, signal);
  const after = await openContent(api, { spaceId, changeRequestId: id }, signal);
  const [old, now] = await withStep(
    session,
    'Comparing the content',
    async () => [await listParts(before), await listParts(after)] as const,
  );
  const texts = { before: createTextReader(before), after: createTextReader(after) };
  const changes = compareParts(old, now).filter(createFilter(options.page, [...now, ...old]));
  const { isInteractive, terminal } = session;
  const { columns, color } = terminal;
  const stdout = session.paged;
  const style = await createStyler(color && isInteractive);
  const counted: CountedPart[] = [];
  for (const change of changes) {
    const part = await readChange(change, texts, options.context);
    if (part === undefined) continue;
    counted.push({ ...part, ...countHunks(part.hunks ?? []), hunks: undefined });
    if (options.stat !== true) {
      const gap = counted.length > 1 ? '\n' : '';
      await stdout.write(isInteractive ? gap + drawPart(part, style) : patchPart(part));
    }
    if (stdout.closed) return;
  }
  if (counted.length === 0)
    return session.note(
      `Change request ${number} changes nothing${options.page === undefined ? '' : ' on this page'}.`,
    );
  if (options.stat === true) await stdout.write(drawStat(counted, isInteractive ? columns : 80, style));
  else if (!isInteractive) noteFiles(session, counted);
  const links =
    options.page === undefined
      ? await withStep(session, 'Looking for links that the merge would break', () =>
          findImpact(session, params),
        )
      : undefined;
  const drawn = links === undefined ? '' : drawImpact(links, isInteractive ? style : (text) => text);
  if (drawn === '') return;
  // In a pipe, the output is a patch.
  if (isInteractive) await stdout.write(`\n${drawn}`);
  else await terminal.stderr.write(drawn);
}

/** Finds the links that merging the change request would break; undefined where that cannot be checked. */
async function findImpact(
  session: Session,
  { spaceId, changeRequestId }: { readonly spaceId: string; readonly changeRequestId: string },
): Promise<LinkImpact | undefined> {
  const { organization } = await session.call(getSpace, { params: { spaceId } });
  const { id: changeRequest } = await session.call(getChangeRequest, {
    params: { spaceId, changeRequestId },
  });
  const planned = { spaces: [{ space: spaceId, changeRequest }] };
  return readLinkImpact(await session.api(), organization, planned, session.runtime.signal);
}

/** Notes the files that a patch leaves out, because it holds lines of text only. */
function noteFiles(session: Session, parts: readonly DiffPart[]): void {
  const names = parts.filter(({ sizes }) => sizes !== undefined).map(({ path }) => path);
  if (names.length === 0) return;
  const more = names.length > maxNamed ? `, … (${names.length - maxNamed} more)` : '';
  const which = names.length === 1 ? '1 file is' : `${names.length} files are`;
  session.note(
    `warning: ${which} not in the patch, because a patch holds text only: ${names.slice(0, maxNamed).join(', ')}${more}`,
  );
  session.note('hint: `docsctl spaces export SPACE FOLDER --change-request NUMBER` writes all files.');
}

type TextReader = ReturnType<typeof createTextReader>;

/** Reads what is shown of a change; undefined where both sides turn out to be the same. */
async function readChange(
  change: PartChange,
  texts: { readonly before: TextReader; readonly after: TextReader },
  context: number,
): Promise<DiffPart | undefined> {
  const { part, before, after, fields, neighbor, content } = change;
  const { path, title } = part;
  const places = before !== undefined && after !== undefined ? placesOf(before, after) : undefined;
  const base = { path, before: before?.path, after: after?.path, places, title, fields, neighbor };
  if (part.kind === 'file') return { ...base, sizes: [before?.size, after?.size] };
  if (!part.isText && before?.isText !== true) return base;
  const textOf = async (read: TextReader, one: ContentPart | undefined) =>
    content && one?.isText === true ? read(one) : '';
  const [from, to] = await Promise.all([textOf(texts.before, before), textOf(texts.after, after)]);
  const hunks = hunksOf(from, to, context);
  return isUnchanged(change, hunks) ? undefined : { ...base, hunks };
}

/** The old and new path of a page that was moved or renamed in its space, but whose file keeps its path. */
function placesOf(before: ContentPart, after: ContentPart): readonly [string, string] | undefined {
  if (before.path !== after.path || before.place === undefined || after.place === undefined) return undefined;
  return before.place === after.place ? undefined : [before.place, after.place];
}

/** Creates a filter for the changes of one page, if there is one. @throws Problem(not-found) for an unknown page */
function createFilter(
  page: string | undefined,
  parts: readonly ContentPart[],
): (change: PartChange) => boolean {
  if (page === undefined) return () => true;
  const path = page.replace(/^\/+/, '');
  const isPage = (part: ContentPart) =>
    [part.id, part.path, part.title, part.place].includes(page) || part.place === path;
  const ids = new Set(parts.filter(isPage).map(({ id }) => id));
  if (ids.size === 0)
    throw new Problem(
      'not-found',
      `Neither the change request nor the content that it was created from has a page "${page}".`,
      {
        hint: 'Give the path, title or ID of a page, or remove --page to see all changes.',
      },
    );
  return ({ part }) => ids.has(part.id);
}
