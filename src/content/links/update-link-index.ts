import type { RevisionRow } from '../../core/rows/revisions.ts';
import type { ReadTransaction } from '../../core/store.ts';
import type { EntryChange } from '../trie.ts';
import type { IndexedLink, LinkIndex } from './link-index.ts';
import { countLinkers, readLinkers } from './linkers.ts';
import { namesOf, resolveHref, type LinkSource, type LinkTargetId } from './link-targets.ts';
import { findAffectedSources, isSameText, scanSource, type AffectedSource } from './sources.ts';

/**
 * Updates an index to a revision, given what differs from the revision of the index. Reads only texts that changed; of
 * the other sources, updates only those whose links lead elsewhere now.
 */
export async function updateLinkIndex(
  view: ReadTransaction,
  index: LinkIndex,
  to: RevisionRow,
  changes: readonly EntryChange[],
): Promise<void> {
  const affected = await findAffectedSources(view, to, changes);
  const renamed = await moveNames(index, affected);
  await moveLinkers(view, index, affected);
  const done = new Set(affected.map(({ target }) => target));
  for (const name of renamed) {
    for (const target of await readLinkers(index, name))
      if (!done.has(target)) await relink(index, target, name);
  }
}

/** Updates who has which name; returns the names that lead to another target than before. */
async function moveNames(index: LinkIndex, affected: readonly AffectedSource[]): Promise<string[]> {
  const moves = new Map<string, Map<LinkTargetId, number | undefined>>();
  for (const { target, before, source } of affected) {
    const old = before === undefined ? undefined : await readOldSource(index, target, before);
    const names: Map<string, number | undefined> = source === undefined ? new Map() : namesOf(target, source);
    const gone = old === undefined ? [] : namesOf(target, old).keys();
    for (const name of gone) if (!names.has(name)) names.set(name, undefined);
    for (const [name, rank] of names) {
      const claims = moves.get(name);
      if (claims === undefined) moves.set(name, new Map([[target, rank]]));
      else claims.set(target, rank);
    }
  }
  const renamed: string[] = [];
  for (const [name, ranks] of moves) {
    const before = (await index.get('names', name))?.claims ?? [];
    const claims = before.filter(([, target]) => !ranks.has(target)) as [number, LinkTargetId][];
    for (const [target, rank] of ranks) if (rank !== undefined) claims.push([rank, target]);
    claims.sort(([rank, target], [otherRank, other]) => rank - otherRank || (target < other ? -1 : 1));
    await index.set('names', name, claims.length === 0 ? undefined : { claims });
    if (before[0]?.[1] !== claims[0]?.[1]) renamed.push(name);
  }
  return renamed;
}

/** Reads the paths that a target had: a file has its own, the others are in the index, because pages above a page decide its path. */
async function readOldSource(
  index: LinkIndex,
  target: LinkTargetId,
  before: NonNullable<AffectedSource['before']>,
): Promise<LinkSource | undefined> {
  if (before.kind === 'file') return before.git === undefined ? {} : { git: before.git.path };
  return index.get('sources', target);
}

/** Writes the links of each affected source, and how often each source links to each name. */
async function moveLinkers(
  view: ReadTransaction,
  index: LinkIndex,
  affected: readonly AffectedSource[],
): Promise<void> {
  const counts = new Map<string, Map<LinkTargetId, number>>();
  const count = (target: LinkTargetId, name: string | undefined, by: 1 | -1): void => {
    if (name === undefined) return;
    const linkers = counts.get(name);
    if (linkers === undefined) counts.set(name, new Map([[target, by]]));
    else linkers.set(target, (linkers.get(target) ?? 0) + by);
  };
  for (const { target, before, after, source } of affected) {
    if ((after ?? before)?.kind === 'file') continue;
    const old = await index.get('sources', target);
    if (old !== undefined) for (const { href } of old.links) count(target, nameIn(target, old, href), -1);
    if (after === undefined || source === undefined) {
      await index.set('sources', target, undefined);
      continue;
    }
    const written =
      old !== undefined && isSameText(before, after)
        ? old.links.map(({ to: _old, ...link }) => link)
        : await scanSource(view, after);
    const links: IndexedLink[] = [];
    for (const link of written) {
      const name = nameIn(target, source, link.href);
      count(target, name, 1);
      links.push(name === undefined ? link : { ...link, to: (await index.winner(name)) ?? null });
    }
    await index.set('sources', target, { ...source, links });
  }
  for (const [name, linkers] of counts) {
    const changed = [...linkers].filter(([, by]) => by !== 0);
    // The linkers of a name may be many, so they are read only where a count changed.
    if (changed.length > 0) await countLinkers(index, name, changed);
  }
}

/** Points the links of a source that use a name to the target that has it now. */
async function relink(index: LinkIndex, target: LinkTargetId, name: string): Promise<void> {
  const entry = await index.get('sources', target);
  if (entry === undefined) return;
  const { id: _id, ...source } = entry;
  const to = (await index.winner(name)) ?? null;
  const links = source.links.map((link) =>
    nameIn(target, source, link.href) === name ? { ...link, to } : link,
  );
  await index.set('sources', target, { ...source, links });
}

/** The name that an href uses; undefined where it leads out of the space. */
function nameIn(target: LinkTargetId, source: LinkSource, href: string): string | undefined {
  const resolved = resolveHref(target, source, href);
  return resolved.kind === 'name' ? resolved.name : undefined;
}
