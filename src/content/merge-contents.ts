import type { WriteTransaction } from '../core/store.ts';
import { Problem, type Violation } from '../errors/problem.ts';
import { maxEntries } from './draft.ts';
import { mergeEntry, withEditedText } from './merge-entry.ts';
import { Sides, type Side } from './merge-sides.ts';
import { isStructural, mergeTree } from './merge-tree.ts';
import { matchesPath, ConflictResolver, type Conflict, type Resolutions } from './conflict-resolver.ts';
import { diffRevisions, readRevision } from './revisions.ts';
import type { EntryChange } from './trie.ts';
import type { Entry, TextEntry } from './rows.ts';

/** The IDs of the revisions of a merge. */
interface MergeRequest {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

interface MergeResult {
  /** The entries to put or remove on top of `theirs`. Without conflicts, the result is the merge. */
  readonly changes: ReadonlyMap<string, Entry | undefined>;
  /** Sorted by path and line. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Merges two contents three-way. Changes of only one side are taken. An entry that both sides changed is merged field by field
 * and line by line. It reads only differences, and the whole tree only if both sides changed it.
 *
 * @throws Problem(invalid-input) for a resolution without a conflict, Problem(conflict) for too many entries
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
  const resolver = new ConflictResolver(sides, resolutions);
  const changes = new Map<string, Entry | undefined>();
  const kept = new Set<string>();
  const theirTexts = newTexts(changed.theirs.values());
  for (const [id, { before, after: mine }] of changed.ours) {
    const other = changed.theirs.get(id);
    const text = before === undefined && mine?.kind === 'text' ? mine : undefined;
    const twin = text && theirTexts.get(text.git.path);
    const survivor = mine ?? other?.after;
    if (text !== undefined && twin !== undefined)
      changes.set(twin.id, await mergeEntry({ tx, resolver }, undefined, { ...text, id: twin.id }, twin));
    else if (other === undefined) changes.set(id, mine);
    else if (mine !== undefined && other.after !== undefined)
      changes.set(id, await mergeEntry({ tx, resolver }, before, mine, other.after));
    else if (survivor !== undefined) {
      const isKept = await keepsEntry(resolver, survivor, mine === undefined ? 'theirs' : 'ours');
      if (isKept) kept.add(id);
      const entry = isKept ? survivor : undefined;
      if (entry !== other.after) changes.set(id, entry);
    }
  }
  const isTreeOf = (side: 'ours' | 'theirs') =>
    [...changed[side].values()].some(({ before, after }) => isStructural(before, after));
  if (kept.size > 0 || (isTreeOf('ours') && isTreeOf('theirs')))
    await mergeTree(tx, theirs, { sides, resolver, changes, kept });
  if (resolver.unused.length > 0)
    await checkUnusedResolutions(tx, { base, ours, theirs }, resolver, resolutions);
  for (const [id, text] of resolver.editedTexts) {
    const entry = changes.has(id) ? changes.get(id) : await sides.entry('theirs', id);
    if (entry !== undefined) changes.set(id, await withEditedText(tx, entry, text));
  }
  await checkSize(tx, theirs, changes, sides);
  const inOrder = (one: Conflict, other: Conflict) =>
    one.path < other.path ? -1 : one.path > other.path ? 1 : (one.line ?? 0) - (other.line ?? 0);
  return { changes, conflicts: resolver.conflicts.sort(inOrder) };
}

/** Returns the texts that a side added, by file. If both sides added a text for the same file, it counts as one text. */
function newTexts(changes: Iterable<EntryChange>): Map<string, TextEntry> {
  const texts = new Map<string, TextEntry>();
  for (const { before, after } of changes)
    if (before === undefined && after?.kind === 'text') texts.set(after.git.path, after);
  return texts;
}

/** Whether to keep an entry that one side changed and the other deleted. An entry with an edited text is kept. */
async function keepsEntry(resolver: ConflictResolver, entry: Entry, changedBy: Side): Promise<boolean> {
  if ((await resolver.editedText(entry)) !== undefined) return true;
  return (await resolver.decide(entry, { place: 'deleted' })) === changedBy;
}

/**
 * Refuses resolutions for entries without a conflict, because they would have no effect. A resolution that another one made
 * unnecessary is accepted, because the merge without resolutions reports its conflict; its text becomes the text of the page.
 */
async function checkUnusedResolutions(
  tx: WriteTransaction,
  merge: MergeRequest,
  resolver: ConflictResolver,
  { resolutions = [] }: Resolutions,
): Promise<void> {
  const { conflicts } = await mergeContents(tx, merge, {});
  const violations: Violation[] = [];
  for (const resolution of resolver.unused) {
    const conflict = conflicts.find((each) => matchesPath(resolution, each));
    if (conflict === undefined)
      violations.push({
        path: `/body/resolutions/${resolutions.indexOf(resolution)}/page`,
        message: `"${resolution.page}" has no conflict.`,
      });
    else if (resolution.markdown !== undefined) resolver.editedTexts.set(conflict.id, resolution.markdown);
  }
  const [first, ...more] = violations;
  if (first === undefined) return;
  throw new Problem(
    'invalid-input',
    more.length === 0
      ? `Nothing to resolve: ${first.message}`
      : `${violations.length} resolutions name pages that have no conflict.`,
    {
      hint: 'To see the conflicts, leave out the resolutions (--ours, --theirs and --edited). Name pages by path or ID, and files by name or ID.',
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
  const counts = { page: pages, file: files, text: 0 };
  for (const [id, entry] of changes)
    if (entry !== undefined && (await sides.entry('theirs', id)) === undefined) counts[entry.kind]++;
  const kind = (['page', 'file'] as const).find((each) => counts[each] > maxEntries);
  if (kind !== undefined)
    throw new Problem(
      'conflict',
      `The merged content would have more than ${maxEntries} ${kind}s, the limit of a space.`,
      { hint: `Delete some ${kind}s first.` },
    );
}
