import type { Operation } from '../../../contract/operation.ts';
import { currentText } from '../../../content-sync/page-text.ts';
import type { ContentRef } from '../../../content-sync/space-content.ts';
import { shellWord } from '../../../contract/shell-word.ts';
import { orUndefined, Problem, type Violation } from '../../../errors/problem.ts';
import { getChangeRequest } from '../../../resources/change-requests/contract.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import {
  hasGitConflict,
  hasMarkers,
  mergeWithMarkers,
  type MarkerLabels,
} from '../../../richtext/conflict-markers.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { confirmEmpty } from '../../confirm/confirm-empty.ts';
import { resolveName } from '../../names/names.ts';
import { addArguments } from '../../input/operation-arguments.ts';
import { runOperation } from '../../operation-command.ts';
import { safeFileName } from '../../results/save-file.ts';
import { canAsk, type Session } from '../../session/session.ts';
import { editText, type EditedText } from '../pages/editor.ts';
import { chooseSides, readChoices } from './choose-sides.ts';
import { readPageById } from '../pages/read-page.ts';

export const editHelp =
  '--edit opens each page with conflicts in your editor (VISUAL or EDITOR), with both sides between <<<<<<<, ======= and >>>>>>> lines. The text that you save becomes the text of the page. Conflicts about titles, positions, deleted pages and files are opened together in one file. In this file, keep one side of each conflict. If a text still contains such lines, nothing is merged, even if the text comes from --edited. In code blocks, lines of git, such as <<<<<<< HEAD, are allowed.';

/** Defines the command of an operation that merges, with --edit. `prepare` creates the session for the call. */
export function defineWithEditor(
  operation: Operation,
  prepare = (session: Session): Session => session,
): DefineCommand {
  return (command, inSession) => {
    addArguments(command, operation);
    command.option('--edit', 'resolve the conflicts in your editor');
    command.action(
      inSession((plain: Session) => {
        const { edit } = command.opts<{ edit?: boolean }>();
        const session = withMarkerCheck(prepare(plain), operation);
        return runOperation(edit === true ? withEditor(session, operation) : session, operation, command);
      }),
    );
  };
}

interface MergeInput {
  readonly params: { readonly spaceId: string; readonly changeRequestId: string };
  readonly body?: { readonly resolutions?: readonly { readonly page: string; readonly markdown?: string }[] };
}

/** Returns a session that refuses to send a text with conflict markers, for example from --edited. */
function withMarkerCheck(session: Session, operation: Operation): Session {
  const call: Session['call'] = async (called, input, options) => {
    if (called.id === operation.id) await checkMarkers(session, input as unknown as MergeInput);
    return session.call(called, input, options);
  };
  return { ...session, call };
}

/** @throws Problem(conflict) if a text has conflict markers */
async function checkMarkers(session: Session, { params, body }: MergeInput): Promise<void> {
  const marked = (body?.resolutions ?? []).filter(({ markdown = '' }) => /^(?:<{7}|>{7}) /m.test(markdown));
  if (marked.length === 0) return;
  const { number } = await session.call(getChangeRequest, { params });
  const found = marked.find(
    ({ markdown = '' }) => hasMarkers(markdown, labelsOf(number)) || hasGitConflict(markdown),
  );
  if (found !== undefined)
    throw markersProblem(
      found.page,
      'Remove the markers from the file of --edited, and run the command again.',
    );
}

function markersProblem(page: string, hint: string): Problem {
  return new Problem('conflict', `The text of ${page} still has conflict markers, so nothing was merged.`, {
    hint,
  });
}

function withEditor(session: Session, operation: Operation): Session {
  if (!canAsk(session))
    throw new Problem('usage', '--edit needs a terminal, but there is none.', {
      hint: 'Resolve the conflicts with --take, --ours, --theirs or --edited.',
    });
  const call: Session['call'] = async (called, input, options) =>
    called.id === operation.id
      ? (mergeWithEditor(session, called, input as unknown as MergeInput) as never)
      : session.call(called, input, options);
  return { ...session, call };
}

/** Merges. As long as there are conflicts, opens the editor and merges again. */
async function mergeWithEditor(
  session: Session,
  operation: Operation,
  { params, body = {} }: MergeInput,
): Promise<unknown> {
  const edited = new Map<string, EditedPage>();
  const taken = new Map<string, 'ours' | 'theirs'>();
  for (;;) {
    const resolutions = [
      ...[...edited].map(([page, { text }]) => ({ page, markdown: text })),
      ...[...taken].map(([page, take]) => ({ page, take })),
    ];
    const whole = { ...body, resolutions: [...(body.resolutions ?? []), ...resolutions] };
    try {
      for (const page of edited.values()) await checkUnchanged(session, page);
      const sent = whole.resolutions.length > 0 ? whole : body;
      const answer: unknown = await session.call(operation, { params, body: sent } as never);
      for (const { discard } of edited.values()) await discard();
      return answer;
    } catch (error) {
      const done = new Set([...edited.values()].map(({ place }) => place));
      const conflicts = readConflicts(error);
      const pages = conflicts.pages.filter((path) => !done.has(path));
      const choices = readChoices(conflicts.others);
      for (const name of taken.keys()) choices.delete(name);
      if (pages.length === 0 && choices.size === 0) throw withFiles(error, edited);
      for (const path of pages) {
        const page = await editConflicts(session, params, path);
        edited.set(page.id, page);
      }
      if (choices.size > 0) {
        const { number } = await session.call(getChangeRequest, { params });
        for (const [name, side] of await chooseSides(session, choices, labelsOf(number)))
          taken.set(name, side);
      }
    }
  }
}

interface Sides {
  readonly ours: ContentRef;
  readonly theirs: ContentRef;
}

interface EditedPage extends EditedText {
  readonly id: string;
  /** The path of the page in the conflicts. */
  readonly place: string;
  readonly sides: Sides;
  /** The texts of both sides when the editor was opened. */
  readonly seen: readonly string[];
}

/** The pages whose text has conflicts, and all other conflicts: of titles, places, deleted pages, and files. */
function readConflicts(error: unknown): { pages: string[]; others: readonly Violation[] } {
  if (!(error instanceof Problem) || error.reason !== 'conflict') return { pages: [], others: [] };
  const { violations } = error;
  const pageOf = (path: string) => /^(\/.*?)(?::\d+| \(front matter, line \d+\))$/.exec(path)?.[1];
  const pages = new Set(violations.map(({ path }) => pageOf(path)).filter((page) => page !== undefined));
  // Other conflicts of these pages are reported again after their texts are merged.
  const others = violations.filter(
    ({ path }) => pageOf(path) === undefined && !pages.has(path.replace(/ \([^)]*\)$/, '')),
  );
  return { pages: [...pages], others };
}

function labelsOf(number: number): MarkerLabels {
  return { ours: `change request ${number}`, theirs: 'space' };
}

/** Opens the editor for a page with conflict markers. @throws Problem(conflict) if markers are left */
async function editConflicts(
  session: Session,
  params: MergeInput['params'],
  place: string,
): Promise<EditedPage> {
  const { spaceId } = params;
  const request = await session.call(getChangeRequest, { params });
  const sides = { ours: { spaceId, changeRequestId: request.id }, theirs: { spaceId } };
  const base = { spaceId, revisionId: request.revisionMergedAncestor ?? request.revisionInitial };
  const id = await resolveName(session, 'pageId', place, sides.ours);
  const [ours, theirs] = await readSides(session, id, sides);
  const before = await orUndefined(readPageById(session, { ...base, pageId: id }), 'not-found');
  const seen = [await textOf(ours), await textOf(theirs)] as const;
  const labels = labelsOf(request.number);
  const text = mergeWithMarkers({ base: await textOf(before), ours: seen[0], theirs: seen[1] }, labels);
  const edited = await editText(session, safeFileName(`${ours?.slug ?? 'page'}.md`), text);
  if (hasMarkers(edited.text, labels))
    throw markersProblem(
      place,
      `Your text is kept in ${edited.path}. Remove the markers and send it with --edited ${shellWord(`${place}=@${edited.path}`)}.`,
    );
  if (edited.text.trim() === '') await confirmEmpty(session, ours?.title ?? place);
  return { ...edited, id, place, sides, seen };
}

function readSides(
  session: Session,
  pageId: string,
  { ours, theirs }: Sides,
): Promise<(PageBody | undefined)[]> {
  return Promise.all(
    [ours, theirs].map((side) => orUndefined(readPageById(session, { ...side, pageId }), 'not-found')),
  );
}

async function textOf(page: PageBody | undefined): Promise<string> {
  return page === undefined ? '' : currentText(page);
}

/** @throws Problem(conflict) if a side of a page has changed since its conflicts were edited */
async function checkUnchanged(session: Session, { id, place, sides, seen }: EditedPage): Promise<void> {
  const now = await Promise.all((await readSides(session, id, sides)).map(textOf));
  if (now.every((text, index) => text === seen[index])) return;
  throw new Problem('conflict', `The page ${place} was changed while you edited it, so nothing was merged.`, {
    hint: 'Merge again with --edit.',
  });
}

/** Adds the paths of the edited texts to an error. */
function withFiles(error: unknown, edited: ReadonlyMap<string, EditedPage>): unknown {
  if (!(error instanceof Problem) || edited.size === 0) return error;
  const { hint = '' } = error;
  const files = [...edited.values()].map(({ path }) => path).join(', ');
  return error.withHint(`${hint} Your text is kept in ${files}.`.trim());
}
