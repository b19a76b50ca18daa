import type { WriteTransaction } from '../core/store.ts';
import { Problem, type Violation } from '../errors/problem.ts';
import { maxEntries } from './draft.ts';
import { mergeEntry, withEditedText } from './merge-entry.ts';
import { Sides } from './merge-sides.ts';
import { isStructural, mergeTree } from './merge-tree.ts';
import { matchesPath, ConflictResolver, type Conflict, type Resolutions } from './conflict-resolver.ts';
import { diffRevisions, readRevision } from './revisions.ts';
import type { EntryChange } from './trie.ts';
import type { Entry, TextEntry } from './rows.ts';

/** Ids of the revisions that a merge is made of. */
export interface MergeRequest {
  readonly base: string;
  /** The content of the change request. */
  readonly ours: string;
  /** The content of the space. */
  readonly theirs: string;
}

export interface MergeResult {
  /** What to put or remove on top of `theirs`; it is the merge where there are no conflicts. */
  readonly changes: ReadonlyMap<string, Entry | undefined>;
  /** By path and line. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Merges two contents three ways, by entry: what one side changed is taken, what both changed is merged field by field and
 * line by line. Reads what differs; the whole tree only where both sides changed it.
 */
export async function mergeContents(
  tx: WriteTransaction,
  { base, ours, theirs }: MergeRequest,
  resolutions: Resolutions,
): Promise<MergeResult> {
  const byId = async (to: string) =>
    new Map((await diffRevisions(tx, base, to)).map((change) => [change.id, change]));
  const changed = { ours: await byId(ours), theirs: await byId(theirs) };
  const sides = new Sides(tx, theirs, changed);
  const verdicts = new ConflictResolver(sides, resolutions);
  const changes = new Map<string, Entry | undefined>();
  const kept = new Set<string>();
  const theirTexts = newTexts(changed.theirs.values());
  for (const [id, { before, after: mine }] of changed.ours) {
    const other = changed.theirs.get(id);
    const twin = before === undefined && mine?.kind === 'text' ? theirTexts.get(mine.git.path) : undefined;
    if (twin !== undefined)
      changes.set(twin.id, await mergeEntry({ tx, verdicts }, undefined, { ...mine!, id: twin.id }, twin));
    else if (other === undefined) changes.set(id, mine);
    else if (mine !== undefined && other.after !== undefined)
      changes.set(id, await mergeEntry({ tx, verdicts }, before, mine, other.after));
    else if (mine !== undefined || other.after !== undefined) {
      const survivor = await keepReferenced(verdicts, mine, other.after);
      if (survivor !== undefined) kept.add(id);
      if (survivor !== other.after) changes.set(id, survivor);
    }
  }
  const isTreeOf = (side: 'ours' | 'theirs') =>
    [...changed[side].values()].some(({ before, after }) => isStructural(before, after));
  if (kept.size > 0 || (isTreeOf('ours') && isTreeOf('theirs')))
    await mergeTree(tx, theirs, { sides, verdicts, changes, kept });
  if (verdicts.unused.length > 0)
    await checkUnusedResolutions(tx, { base, ours, theirs }, verdicts, resolutions);
  for (const [id, text] of verdicts.editedTexts) {
    const entry = changes.has(id) ? changes.get(id) : await sides.entry('theirs', id);
    if (entry !== undefined) changes.set(id, await withEditedText(tx, entry, text));
  }
  await checkSize(tx, theirs, changes, sides);
  const inOrder = (one: Conflict, other: Conflict) =>
    one.path < other.path ? -1 : one.path > other.path ? 1 : (one.line ?? 0) - (other.line ?? 0);
  return { changes, conflicts: verdicts.conflicts.sort(inOrder) };
}

/** The texts of a folder that a side put, by their files: where both put one for the same file they are one text. */
function newTexts(changes: Iterable<EntryChange>): Map<string, TextEntry> {
  const texts = new Map<string, TextEntry>();
  for (const { before, after } of changes)
    if (before === undefined && after?.kind === 'text') texts.set(after.git.path, after);
  return texts;
}

/** What is left of an entry that one side deleted and the other changed; one that somebody gave a text stays. */
async function keepReferenced(
  verdicts: ConflictResolver,
  ours: Entry | undefined,
  theirs: Entry | undefined,
): Promise<Entry | undefined> {
  const entry = (ours ?? theirs)!;
  if ((await verdicts.editedText(entry)) !== undefined) return entry;
  return (await verdicts.decide(entry, { place: 'deleted' })) === 'ours' ? ours : theirs;
}

/**
 * Refuses a resolution of what has no conflict: it would do nothing, and so not what was meant. One that another resolution
 * made needless is taken, because the merge without any asked for it; its text is the text of the page.
 */
async function checkUnusedResolutions(
  tx: WriteTransaction,
  merge: MergeRequest,
  verdicts: ConflictResolver,
  { resolutions = [] }: Resolutions,
): Promise<void> {
  const { conflicts } = await mergeContents(tx, merge, {});
  const violations: Violation[] = [];
  for (const resolution of verdicts.unused) {
    const conflict = conflicts.find((each) => matchesPath(resolution, each));
    if (conflict === undefined)
      violations.push({
        path: `/body/resolutions/${resolutions.indexOf(resolution)}/page`,
        message: `"${resolution.page}" has no conflict.`,
      });
    else if (resolution.markdown !== undefined) verdicts.editedTexts.set(conflict.id, resolution.markdown);
  }
  if (violations.length === 0) return;
  throw new Problem(
    'invalid-input',
    violations.length === 1
      ? `There is nothing to resolve: ${violations[0]!.message}`
      : `${violations.length} resolutions are of pages that have no conflict.`,
    {
      hint: 'Name a page by its id or path, a file by its id or name, as a merge without resolutions reports them.',
      violations,
    },
  );
}

async function checkSize(
  tx: WriteTransaction,
  theirs: string,
  changes: ReadonlyMap<string, Entry | undefined>,
  sides: Sides,
): Promise<void> {
  const { pages, files } = await readRevision(tx, theirs);
  const most = { page: pages, file: files, text: 0 };
  for (const [id, entry] of changes)
    if (entry !== undefined && (await sides.entry('theirs', id)) === undefined) most[entry.kind]++;
  const kind = (['page', 'file'] as const).find((each) => most[each] > maxEntries);
  if (kind !== undefined)
    throw new Problem(
      'conflict',
      `Both together have more ${kind}s than the ${maxEntries} that a space can hold.`,
      { hint: `Delete some ${kind}s first.` },
    );
}
