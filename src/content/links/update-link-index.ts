import { anchorKey } from '../../richtext/anchor-key.ts';
import { isYieldDue, yieldToEvents } from '../../contract/event-loop.ts';
import { reportStep, type Watcher } from '../../contract/progress.ts';
import { RecentMap } from '../../core/recent-map.ts';
import type { RevisionRow } from '../../core/rows/revisions.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { trieKey, type EntryChange } from '../trie.ts';
import type { IndexedLink, LinkIndex } from './link-index.ts';
import { scanGenerated } from '../generated/scan-generated.ts';
import { findGeneratedSources } from './generated-sources.ts';
import { countLinkers, countLinkersOf, readLinkers, type LinkCount } from './linkers.ts';
import {
  allNames,
  anchorName,
  hostName,
  hostOf,
  namesOf,
  resolveHref,
  spaceName,
  specificationOf,
  specificationsName,
  type LinkSource,
  type LinkTargetId,
  type Target,
} from './link-targets.ts';
import {
  findAffectedSources,
  isSameText,
  scanSource,
  type AffectedSource,
  type ScannedText,
} from './sources.ts';
import { defined } from '../../contract/values.ts';

/**
 * Updates an index to a revision, given the differences from the revision of the index. Only changed texts are read. Other
 * sources are updated only if their links have other targets now. Reports its progress if there are many.
 */
export async function updateLinkIndex(
  view: ReadTransaction,
  index: LinkIndex,
  to: RevisionRow,
  changes: readonly EntryChange[],
  watcher: Watcher = {},
): Promise<void> {
  const affected = await findAffectedSources(view, to, changes, watcher);
  const generated = await findGeneratedSources(view, index, to, changes);
  for (const { affected: pages } of generated) affected.push(...pages);
  const renamed = await moveNames(index, affected, watcher);
  const reanchored = await moveLinkers(view, index, affected, watcher);
  for (const { target, targets } of generated) {
    const { id: _id, ...source } = (await index.get('sources', target)) ?? { id: target, links: [] };
    if (to.computed?.includes(target.slice('page:'.length)) === true)
      await index.set('sources', target, { ...source, generated: targets });
  }
  const done = new Set(affected.map(({ target }) => target));
  const namesBySource = new Map<LinkTargetId, Set<string>>();
  const relinkAll = async (name: string, linkers: string): Promise<void> => {
    if (isYieldDue(watcher.signal)) await yieldToEvents(watcher.signal);
    for (const target of await readLinkers(index, linkers)) {
      if (done.has(target)) continue;
      const names = namesBySource.get(target);
      if (names === undefined) namesBySource.set(target, new Set([name]));
      else names.add(name);
    }
  };
  for (const name of renamed) await relinkAll(name, name);
  for await (const { name, linkers } of reanchoredNames(index, reanchored)) await relinkAll(name, linkers);
  const anchors = new AnchorSets(async (target) => (await index.get('sources', target))?.anchors);
  for (const [target, names] of namesBySource) await relink(index, target, names, anchors);
}

/** Updates the targets of names. Returns the names whose target has changed. */
async function moveNames(
  index: LinkIndex,
  affected: readonly AffectedSource[],
  { signal }: Watcher,
): Promise<string[]> {
  const moves = new Map<string, Map<LinkTargetId, number | undefined>>();
  for (const { target, before, source } of affected) {
    if (isYieldDue(signal)) await yieldToEvents(signal);
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
    if (isYieldDue(signal)) await yieldToEvents(signal);
    const before = (await index.get('names', name))?.claims ?? [];
    const claims = [
      ...before.filter(([, target]) => !ranks.has(target)),
      ...[...ranks].flatMap(([target, rank]) => (rank === undefined ? [] : [[rank, target] as const])),
    ];
    claims.sort(([rank, target], [otherRank, other]) => rank - otherRank || (target < other ? -1 : 1));
    await index.set('names', name, claims.length === 0 ? undefined : { claims });
    if (before[0]?.[1] !== claims[0]?.[1]) renamed.push(name);
  }
  return renamed;
}

/**
 * Returns the previous paths of a target. Files have their own path; the others are in the index, because the path of a page
 * depends on its ancestors.
 */
async function readOldSource(
  index: LinkIndex,
  target: LinkTargetId,
  before: NonNullable<AffectedSource['before']>,
): Promise<LinkSource | undefined> {
  if (before.kind === 'file') return before.git === undefined ? {} : { git: before.git.path };
  return index.get('sources', target);
}

interface NewSource extends ScannedText {
  readonly source: LinkSource;
}

/**
 * Writes the links of each affected source, and the numbers of links of each source to each name. Returns the changes of their
 * anchors.
 */
async function moveLinkers(
  view: ReadTransaction,
  index: LinkIndex,
  affected: readonly AffectedSource[],
  watcher: Watcher,
): Promise<AnchorChange[]> {
  const counts = new Map<string, LinkCount[]>();
  const anchorChanges: AnchorChange[] = [];
  const sources = new Map<LinkTargetId, NewSource>();
  for (const [at, { target, before, after, source, generated }] of affected.entries()) {
    const step = reportStep(watcher, at, affected.length, 'reading the links of pages');
    if (step !== undefined) await step;
    if ((after ?? before)?.kind === 'file') continue;
    const old = await index.get('sources', target);
    if (after === undefined || source === undefined) {
      addLinkCounts(counts, target, old, undefined);
      await index.set('sources', target, undefined);
      continue;
    }
    const scanned =
      generated !== undefined
        ? scanGenerated(generated.markdown(), generated.spec)
        : old !== undefined && isSameText(before, after)
          ? old
          : await scanSource(view, after);
    const links = scanned.links.map(({ to: _to, missingAnchor: _missing, ...link }: IndexedLink) => link);
    const { anchors } = scanned;
    addLinkCounts(counts, target, old, { ...source, links });
    sources.set(target, { source, ...defined({ links, anchors }) });
    if (old !== undefined) anchorChanges.push({ target, source, before: old.anchors, after: anchors });
  }
  const scannedAnchors = new Map([...sources].map(([target, each]) => [target, each.anchors]));
  const anchorSets = new AnchorSets(async (target) =>
    scannedAnchors.has(target) ? scannedAnchors.get(target) : (await index.get('sources', target))?.anchors,
  );
  const total = sources.size;
  let resolvedSources = 0;
  for (const [target, { source, links, anchors: own }] of sources) {
    const step = reportStep(watcher, resolvedSources++, total, 'resolving the links of pages');
    if (step !== undefined) await step;
    const resolved: IndexedLink[] = [];
    for (const link of links) {
      if (isYieldDue(watcher.signal)) await yieldToEvents(watcher.signal);
      resolved.push(await resolveLink(index, resolveHref(target, source, link.href), link, anchorSets));
    }
    await index.set('sources', target, { ...source, ...defined({ anchors: own }), links: resolved });
    // With many pages, these are as large as the index itself.
    sources.delete(target);
  }
  let counted = 0;
  // In the order of the trie, so that each leaf is read once.
  const inOrder = [...counts.keys()].map((name) => ({ name, key: trieKey(name) }));
  inOrder.sort((one, other) => (one.key < other.key ? -1 : 1));
  for (const { name } of inOrder) {
    const linkers = counts.get(name) ?? [];
    const step = reportStep(watcher, counted++, counts.size, 'counting the links to each target');
    if (step !== undefined) await step;
    await countLinkers(index, name, linkers);
  }
  return anchorChanges;
}

/** Adds to `counts`, for each name, the change of the number of links of a source. */
function addLinkCounts(
  counts: Map<string, LinkCount[]>,
  target: LinkTargetId,
  before: LinksOfSource | undefined,
  after: LinksOfSource | undefined,
): void {
  const own = new Map<string, number>();
  const count = (source: LinksOfSource | undefined, by: 1 | -1): void => {
    for (const { href } of source?.links ?? [])
      for (const name of linkerNames(resolveHref(target, source ?? {}, href), href))
        own.set(name, (own.get(name) ?? 0) + by);
  };
  count(before, -1);
  count(after, 1);
  const shared = new Map<number, LinkCount>();
  for (const [name, by] of own) {
    // A name may have many linkers, so they are read only if a count has changed.
    if (by === 0) continue;
    if (specificationOf(name) !== undefined) {
      const all = counts.get(specificationsName);
      if (all === undefined) counts.set(specificationsName, [[name, by]]);
      else all.push([name, by]);
    }
    const entry: LinkCount = shared.get(by) ?? [target, by];
    shared.set(by, entry);
    const linkers = counts.get(name);
    if (linkers === undefined) counts.set(name, [entry]);
    else linkers.push(entry);
  }
}

interface LinksOfSource extends LinkSource {
  readonly links: readonly { readonly href: string }[];
}

/** The previous and the current anchors of a source; undefined if they are unknown. */
interface AnchorChange {
  readonly target: LinkTargetId;
  readonly source: LinkSource;
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[] | undefined;
}

/** Yields the names whose linkers are affected by added or removed anchors. */
async function* reanchoredNames(
  index: LinkIndex,
  changes: readonly AnchorChange[],
): AsyncGenerator<{ readonly name: string; readonly linkers: string }> {
  for (const { target, source, before, after } of changes) {
    if (before?.join('\n') === after?.join('\n')) continue;
    const [old, now] = [new Set(before), new Set(after)];
    const changed =
      before === undefined || after === undefined
        ? undefined
        : [...before.filter((each) => !now.has(each)), ...after.filter((each) => !old.has(each))];
    for (const name of namesOf(target, source).keys()) {
      if ((await index.winner(name)) !== target) continue;
      // Sources that link to an anchor of a name are also listed under the name.
      const linkers = await countLinkersOf(index, name);
      if (linkers === 0) continue;
      if (changed === undefined || linkers <= changed.length) yield { name, linkers: name };
      else for (const anchor of changed) yield { name, linkers: anchorName(name, anchor) };
    }
  }
}

/** Caches the anchors of sources as sets, because a page may have as many anchors as links to them. */
class AnchorSets {
  readonly #anchorsOf: (target: LinkTargetId) => Promise<readonly string[] | undefined>;
  readonly #sets = new RecentMap<ReadonlySet<string>>(maxAnchors, ({ size }) => size + 1);

  constructor(anchorsOf: (target: LinkTargetId) => Promise<readonly string[] | undefined>) {
    this.#anchorsOf = anchorsOf;
  }

  /** Whether a source lacks an anchor; false if its anchors are unknown. */
  async lacks(target: LinkTargetId, anchor: string): Promise<boolean> {
    const known = this.#sets.get(target);
    const key = anchorKey(anchor);
    if (known !== undefined) return !known.has(key);
    const anchors = await this.#anchorsOf(target);
    if (anchors === undefined) return false;
    const set = new Set(anchors.map(anchorKey));
    this.#sets.set(target, set);
    return !set.has(key);
  }
}

/** Maximum number of cached anchors. */
const maxAnchors = 200_000;

/** Resolves a link with the index. An anchor can be missing only on a page whose anchors are known. */
async function resolveLink(
  index: LinkIndex,
  target: Target,
  { href, line, include }: IndexedLink,
  anchors: AnchorSets,
): Promise<IndexedLink> {
  // Set field by field: for each object that is created by spreading, V8 creates a class that is larger than the object.
  const link: { -readonly [K in keyof IndexedLink]: IndexedLink[K] } = { href, line };
  if (include !== undefined) link.include = include;
  if (target.kind !== 'name') return link;
  let to: LinkTargetId | null = null;
  for (const name of allNames(target)) to ??= (await index.winner(name)) ?? null;
  link.to = to;
  if (to?.startsWith('page:') !== true || target.anchor === undefined) return link;
  if (await anchors.lacks(to, target.anchor)) link.missingAnchor = true;
  return link;
}

/** Updates the links of a source that use one of these names to the current targets. */
async function relink(
  index: LinkIndex,
  target: LinkTargetId,
  names: ReadonlySet<string>,
  anchors: AnchorSets,
): Promise<void> {
  const entry = await index.get('sources', target);
  if (entry === undefined) return;
  const { id: _id, ...source } = entry;
  const links: IndexedLink[] = [];
  for (const link of source.links) {
    if (isYieldDue()) await yieldToEvents();
    const resolved = resolveHref(target, source, link.href);
    const isAffected = resolved.kind === 'name' && allNames(resolved).some((name) => names.has(name));
    links.push(isAffected ? await resolveLink(index, resolved, link, anchors) : link);
  }
  await index.set('sources', target, { ...source, links });
}

/** Returns the names under which the index lists the source of a link. */
function linkerNames(target: Target, href: string): string[] {
  if (target.kind !== 'name') {
    const host = hostOf(href);
    const specification = specificationOf(href);
    return [
      ...(specification === undefined ? [] : [specification]),
      ...(target.space === undefined ? [] : [spaceName(target.space.id)]),
      ...(host === undefined ? [] : [hostName(host)]),
    ];
  }
  const { anchor } = target;
  return allNames(target).flatMap((name) =>
    anchor === undefined ? [name] : [name, anchorName(name, anchor)],
  );
}
