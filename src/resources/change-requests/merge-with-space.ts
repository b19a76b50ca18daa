import type { RequestContext } from '../../core/handler.ts';
import type { ChangeRequestRow } from '../../core/rows/change-requests.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import type { RevisionType } from '../../core/rows/revisions.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { mergeContents } from '../../content/merge-contents.ts';
import { bringsText, type Conflict, type Resolutions } from '../../content/conflict-resolver.ts';
import { adoptRevision, editRevision, readPage } from '../../content/revisions.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { plural } from '../../contract/values.ts';
import { addContribution } from './contributions.ts';
import { isOutdated } from './shape.ts';

type MergeContext = Pick<RequestContext, 'now' | 'newId' | 'caller'> & {
  readonly tx: WriteTransaction;
  readonly space: SpaceRow;
  readonly changeRequest: ChangeRequestRow;
};

/** Maximum number of characters that an error shows of each side of a conflict, and maximum number of conflicts that it lists. */
const maxShownCharacters = 80;
/** Maximum number of common characters that are shown before the first difference of both sides. */
const maxSharedCharacters = 24;
const maxNamedConflicts = 100;

/** Returns the revision of the space on which a change request is based: the one that it was created from or last updated to. */
export function baseRevisionOf({ revisionMergedAncestor, revisionInitial }: ChangeRequestRow): string {
  return revisionMergedAncestor ?? revisionInitial;
}

/**
 * Creates a revision with the changes of both a change request and its space.
 *
 * @throws Problem(conflict) if there are unresolved conflicts
 */
export async function mergeWithSpace(
  context: MergeContext,
  resolutions: Resolutions,
  revision: {
    type: RevisionType;
    parents: readonly string[];
    mergedFrom?: string;
  },
): Promise<string> {
  const { tx, space, changeRequest } = context;
  if (!isOutdated(changeRequest, space)) {
    checkNothingToResolve(changeRequest, resolutions);
    return adoptRevision(tx, context, { content: changeRequest.revision, ...revision });
  }
  const { changes, conflicts } = await mergeContents(
    tx,
    { base: baseRevisionOf(changeRequest), ours: changeRequest.revision, theirs: space.revision },
    resolutions,
  );
  if (conflicts.length > 0)
    throw conflictProblem(
      context,
      revision.type === 'merge' ? 'merge' : 'sync',
      await toFileLines(tx, baseRevisionOf(changeRequest), conflicts),
    );
  if (bringsText(resolutions)) await addContribution(context, changeRequest);
  return editRevision(tx, context, { base: space.revision, space: space.id, changes, ...revision });
}

/**
 * Checks that a request has no resolutions. Used if the space has not changed, so that there are no conflicts.
 *
 * @throws Problem(invalid-input)
 */
export function checkNothingToResolve({ number }: ChangeRequestRow, { resolutions = [] }: Resolutions): void {
  if (resolutions.length === 0) return;
  throw invalid(
    '/body/resolutions',
    `Change request ${number} is up to date with its space, so there are no conflicts to resolve.`,
    'Leave out the resolutions (--ours, --theirs and --edited).',
  );
}

/** Converts the line numbers of conflicts from lines of the text to lines of the file, which starts with the front matter. */
async function toFileLines(
  tx: WriteTransaction,
  base: string,
  conflicts: readonly Conflict[],
): Promise<Conflict[]> {
  const above = new Map<string, number>();
  for (const { id, kind, place, line } of conflicts.slice(0, maxNamedConflicts)) {
    if (kind !== 'page' || place !== 'text' || line === undefined || above.has(id)) continue;
    above.set(id, ((await readPage(tx, base, id))?.frontMatter?.split('\n').length ?? 1) - 1);
  }
  return conflicts.map((conflict) =>
    conflict.place !== 'text' || conflict.line === undefined
      ? conflict
      : { ...conflict, line: conflict.line + (above.get(conflict.id) ?? 0) },
  );
}

function conflictProblem(
  { space, changeRequest }: MergeContext,
  verb: 'merge' | 'sync',
  conflicts: readonly Conflict[],
): Problem {
  const places = new Map(conflicts.map(({ id, path }) => [id, path]));
  // The path becomes part of a shell command in the message. Because other people chose it, it must be quoted safely.
  const [path = ''] = places.values();
  const first = shellWord(path);
  const [kind = 'text', ...otherKinds] = new Set(conflicts.map((conflict) => conflict.kind));
  const noun = kind === 'text' || otherKinds.length > 0 ? 'place' : kind;
  const edit = kind === 'file' ? '' : ` or \`--edited ${shellWord(`${path}=@FILE`)}\``;
  const more = conflicts.length - maxNamedConflicts;
  return new Problem(
    'conflict',
    `Change request ${changeRequest.number} conflicts with changes in its space: ${plural(conflicts.length, 'conflict')} in ${plural(places.size, noun)}. Nothing was merged.${more > 0 ? ` The first ${maxNamedConflicts} follow.` : ''}`,
    {
      hint: `Ours is the change request, theirs is the space. Choose a side for each ${noun === 'place' ? 'page or file' : noun}: \`docsctl change-requests ${verb} ${changeRequest.number} --space ${space.id} --ours ${first}\`${edit === '' ? ' or' : ','} \`--theirs ${first}\`${edit}. Add \`--take ours\` or \`--take theirs\` for all others. \`--edit\` opens the conflicts in your editor.`,
      violations: conflicts.slice(0, maxNamedConflicts).map((conflict) => ({
        path: locationOf(conflict),
        message: `ours: ${sideOf(conflict, 'ours')}; theirs: ${sideOf(conflict, 'theirs')}`,
      })),
    },
  );
}

/** Returns the location of a conflict: `/guides/start:12` for a line of a page's text, otherwise `/guides/start (title)`. */
function locationOf({ path, place, line }: Conflict): string {
  if (place === 'text' && line !== undefined) return `${path}:${line}`;
  return line === undefined ? `${path} (${place})` : `${path} (${place}, line ${line})`;
}

function sideOf(conflict: Conflict, side: 'ours' | 'theirs'): string {
  const text = conflict[side] ?? '';
  if (conflict.place === 'place' || conflict.place === 'deleted') return text;
  const line = lineOf(text);
  if (line === '') return 'nothing';
  const characters = [...line];
  const start = startOfDifference(characters, [
    ...lineOf(conflict[side === 'ours' ? 'theirs' : 'ours'] ?? ''),
  ]);
  const shown = characters.slice(start, start + maxShownCharacters).join('');
  return `"${start > 0 ? '…' : ''}${shown}${start + maxShownCharacters < characters.length ? '…' : ''}"`;
}

function lineOf(text: string): string {
  return text.trimEnd().replaceAll(/\r?\n/g, '⏎');
}

/** Returns the index at which to cut two long lines so that their first difference is shown with some common text before it. */
function startOfDifference(one: readonly string[], other: readonly string[]): number {
  if (Math.max(one.length, other.length) <= maxShownCharacters) return 0;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  if (same < maxShownCharacters / 2) return 0;
  const start = Math.min(same, one.length) - maxSharedCharacters;
  const blank = one.indexOf(' ', start);
  return blank === -1 || blank >= same ? start : blank + 1;
}
