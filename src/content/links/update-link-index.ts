import type { RevisionRow } from '../../core/rows/revisions.ts';
import type { ReadTransaction } from '../../core/store.ts';
import type { EntryChange } from '../trie.ts';
import type { IndexedLink, LinkIndex } from './link-index.ts';
import { countLinkers, readLinkers } from './linkers.ts';
import { namesOf, targetOf, type LinkSource, type LinkTargetId } from './link-targets.ts';
import { affectedBy, isSameText, scanSource, type AffectedSources } from './sources.ts';

/**
 * Brings an index to a revision, given what differs from the one that it is of. Only texts that changed are read, and of
 * the others only sources whose links lead elsewhere now are touched.
 */
export async function updateLinkIndex(
  view: ReadTransaction,
  index: LinkIndex,
  to: RevisionRow,
  changes: readonly EntryChange[],
): Promise<void> {
  const affected = await affectedBy(view, to, changes);
  const renamed = await moveNames(index, affected);
  await moveLinkers(view, index, affected);
  const done = new Set(affected.map(({ thing }) => thing));
  for (const name of renamed) {
    for (const thing of await readLinkers(index, name))
      if (!done.has(thing)) await relink(index, thing, name);
  }
}

/** Takes names away and gives them; tells which of them lead to another thing than before. */
async function moveNames(index: LinkIndex, affected: readonly AffectedSources[]): Promise<string[]> {
  const moves = new Map<string, Map<LinkTargetId, number | undefined>>();
  for (const { thing, before, place } of affected) {
    const old = before === undefined ? undefined : await oldPlace(index, thing, before);
    const names: Map<string, number | undefined> = place === undefined ? new Map() : namesOf(thing, place);
    const gone = old === undefined ? [] : namesOf(thing, old).keys();
    for (const name of gone) if (!names.has(name)) names.set(name, undefined);
    for (const [name, rank] of names) {
      const claims = moves.get(name);
      if (claims === undefined) moves.set(name, new Map([[thing, rank]]));
      else claims.set(thing, rank);
    }
  }
  const renamed: string[] = [];
  for (const [name, ranks] of moves) {
    const before = (await index.get('names', name))?.claims ?? [];
    const claims = before.filter(([, thing]) => !ranks.has(thing)) as [number, LinkTargetId][];
    for (const [thing, rank] of ranks) if (rank !== undefined) claims.push([rank, thing]);
    claims.sort(([rank, thing], [otherRank, other]) => rank - otherRank || (thing < other ? -1 : 1));
    await index.set('names', name, claims.length === 0 ? undefined : { claims });
    if (before[0]?.[1] !== claims[0]?.[1]) renamed.push(name);
  }
  return renamed;
}

/** Pages and reusable contents are looked up, since the path of a page comes from those above it; a file says it itself. */
async function oldPlace(
  index: LinkIndex,
  thing: LinkTargetId,
  before: NonNullable<AffectedSources['before']>,
): Promise<LinkSource | undefined> {
  if (before.kind === 'file') return before.git === undefined ? {} : { git: before.git.path };
  return index.get('sources', thing);
}

/** Writes the links of each affected source, and who links where. */
async function moveLinkers(
  view: ReadTransaction,
  index: LinkIndex,
  affected: readonly AffectedSources[],
): Promise<void> {
  const counts = new Map<string, Map<LinkTargetId, number>>();
  const count = (thing: LinkTargetId, name: string | undefined, by: 1 | -1): void => {
    if (name === undefined) return;
    const linkers = counts.get(name);
    if (linkers === undefined) counts.set(name, new Map([[thing, by]]));
    else linkers.set(thing, (linkers.get(thing) ?? 0) + by);
  };
  for (const { thing, before, after, place } of affected) {
    if ((after ?? before)?.kind === 'file') continue;
    const old = await index.get('sources', thing);
    if (old !== undefined) for (const { href } of old.links) count(thing, nameIn(thing, old, href), -1);
    if (after === undefined || place === undefined) {
      await index.set('sources', thing, undefined);
      continue;
    }
    const written =
      old !== undefined && isSameText(before, after)
        ? old.links.map(({ to: _old, ...link }) => link)
        : await scanSource(view, after);
    const links: IndexedLink[] = [];
    for (const link of written) {
      const name = nameIn(thing, place, link.href);
      count(thing, name, 1);
      links.push(name === undefined ? link : { ...link, to: (await index.winner(name)) ?? null });
    }
    await index.set('sources', thing, { ...place, links });
  }
  for (const [name, linkers] of counts) {
    const changed = [...linkers].filter(([, by]) => by !== 0);
    // Many may link to a name: who still links as often as before is no reason to read them.
    if (changed.length > 0) await countLinkers(index, name, changed);
  }
}

/** Points the links of a source that use a name to the thing that has it now. */
async function relink(index: LinkIndex, thing: LinkTargetId, name: string): Promise<void> {
  const entry = await index.get('sources', thing);
  if (entry === undefined) return;
  const { id: _id, ...source } = entry;
  const to = (await index.winner(name)) ?? null;
  const links = source.links.map((link) =>
    nameIn(thing, source, link.href) === name ? { ...link, to } : link,
  );
  await index.set('sources', thing, { ...source, links });
}

/** The name that an href uses; undefined where it leads out of the space. */
function nameIn(thing: LinkTargetId, place: LinkSource, href: string): string | undefined {
  const target = targetOf(thing, place, href);
  return target.kind === 'name' ? target.name : undefined;
}
