import {
  findBrokenLinks,
  type BrokenLink,
  type LinkingSource,
  type LinkState,
} from '../../../content/links/broken-links.ts';
import { catchUpLinks, isIndexed } from '../../../content/links/index.ts';
import { LinkIndex, type IndexedLink, type SourceEntry } from '../../../content/links/link-index.ts';
import {
  decode,
  hostName,
  hostOf,
  resolveHref,
  spaceName,
  type LinkTargetId,
  type SpaceTarget,
} from '../../../content/links/link-targets.ts';
import { readLinkers } from '../../../content/links/linkers.ts';
import { targetIdOf } from '../../../content/links/name-table.ts';
import { updateLinkIndex } from '../../../content/links/update-link-index.ts';
import { diffRevisions, readRevision } from '../../../content/revisions.ts';
import { TrieReader } from '../../../content/trie.ts';
import type { Entry } from '../../../content/rows.ts';
import { reportStep, type Watcher } from '../../../contract/progress.ts';
import { defined } from '../../../contract/values.ts';
import {
  listPublishedSpaces,
  type PublishedSpace,
  type StructureChange,
} from '../../sites/published-spaces.ts';
import type { ResourceScope, UrlContext } from '../../../core/handler.ts';
import { can, contentRole, type Subject } from '../../../core/permissions.ts';
import { spaces, type SpaceRow } from '../../../core/rows/spaces.ts';
import { eachRow, type ReadTransaction, type WriteTransaction } from '../../../core/store.ts';

/** A space with its new revision; undefined if the space is deleted. */
export interface SpaceChange {
  readonly space: SpaceRow;
  readonly revision: string | undefined;
}

export interface PlannedChanges {
  readonly spaces: readonly SpaceChange[];
  /** Sites, sections and site spaces that are moved or deleted. */
  readonly structure?: readonly StructureChange[] | undefined;
}

export interface LinkedContent {
  readonly index: LinkIndex;
  readonly entries: TrieReader<Entry>;
}

export interface SpaceState {
  readonly space: SpaceRow;
  readonly before: LinkedContent;
  /** Undefined if the space is deleted. */
  readonly after: LinkedContent | undefined;
  readonly isChanged: boolean;
}

type ImpactContext = UrlContext &
  Watcher &
  Subject &
  Pick<ResourceScope, 'organization'> & {
    /** The transaction in which outdated indexes are updated. */
    readonly tx: WriteTransaction;
  };

/** The links that changes of spaces break. */
interface LinkImpact {
  /** Links that worked before, then new links; each sorted by space, page and line. */
  readonly broken: readonly BrokenLink[];
  /** The number of new broken links. */
  readonly brokenNew: number;
  /** The number of links of the changed spaces that are already broken. */
  readonly brokenBefore: number;
  /** The spaces that the caller may read, by id. */
  readonly states: ReadonlyMap<string, SpaceState>;
}

/**
 * Finds the links that changes of spaces break: in the changed spaces, and in every other space of the organization that the
 * caller may read. Reads only sources that changed or that link to changed targets. `view` must see the new revisions.
 */
export async function findLinkImpact(
  context: ImpactContext,
  view: ReadTransaction,
  { spaces: changes, structure = [] }: PlannedChanges,
): Promise<LinkImpact> {
  const deleted = new Set<string>();
  const states = await openStates(context, view, changes, deleted);
  const byId = new Map(structure.map((change) => [change.id, change]));
  const published = {
    before: await listPublishedSpaces(context),
    after: await listPublishedSpaces(context, byId),
  };
  const linked = { states, published };
  const isDeleted = (target: string) =>
    deleted.has(target) || states.get(spaceIdOf(target))?.after === undefined;
  const sources: LinkingSource[] = [];
  const checked = await sourcesToCheck(linked, structure.length > 0);
  for (const [at, { state, id }] of checked.entries()) {
    const step = reportStep(context, at, checked.length, 'checking the links of pages');
    if (step !== undefined) await step;
    const linksOf = async (phase: Phase): Promise<LinkState[] | undefined> => {
      const source = await state[phase]?.index.get('sources', id);
      return source === undefined ? undefined : describeLinks(linked, state, phase, source);
    };
    sources.push({
      id: `${state.space.id}/${id}`,
      before: await linksOf('before'),
      after: await linksOf('after'),
    });
  }
  const broken = findBrokenLinks(sources, { has: isDeleted });
  const brokenNew = broken.filter(({ isNew }) => isNew === true).length;
  let brokenBefore = 0;
  for (const { before, isChanged } of states.values())
    if (isChanged) brokenBefore += before.index.totalBroken + before.index.missingAnchors;
  return { broken, brokenNew, brokenBefore, states };
}

type Phase = 'before' | 'after';

/** The spaces of an organization, and their addresses on its sites. */
interface LinkedOrganization {
  readonly states: ReadonlyMap<string, SpaceState>;
  readonly published: Readonly<Record<Phase, readonly PublishedSpace[]>>;
}

/** Opens the links of every space that the caller may read. Collects the targets that the changes delete. */
async function openStates(
  context: ImpactContext,
  view: ReadTransaction,
  changes: readonly SpaceChange[],
  deleted: Set<string>,
): Promise<Map<string, SpaceState>> {
  const { tx, onProgress, signal, organization } = context;
  const changed = new Map(changes.map((change) => [change.space.id, change]));
  const states = new Map<string, SpaceState>();
  for await (const space of eachRow(tx, spaces, 'byOrganization', [organization.id, 'live'])) {
    const change = changed.get(space.id);
    if (change === undefined && !can(await contentRole(tx, context, space), 'read')) continue;
    if (!(await isIndexed(tx, await readRevision(tx, space.revision))))
      await catchUpLinks({ tx, onProgress, signal }, space);
    const row = await readRevision(tx, space.revision);
    const before = { index: new LinkIndex(view, row.links), entries: new TrieReader<Entry>(view, row.root) };
    if (change?.revision === undefined) {
      states.set(space.id, {
        space,
        before,
        after: change === undefined ? before : undefined,
        isChanged: change !== undefined,
      });
      continue;
    }
    const target = await readRevision(view, change.revision);
    const differences = await diffRevisions(view, row.id, target.id);
    const index = new LinkIndex(view, row.links);
    await updateLinkIndex(view, index, target, differences, { onProgress, signal });
    for (const [id, source] of index.changes.sources)
      if (source === undefined) deleted.add(`${space.id}/${id}`);
    for (const { before: gone, after } of differences) {
      const id = after === undefined && gone !== undefined ? targetIdOf(gone) : undefined;
      if (id !== undefined) deleted.add(`${space.id}/${id}`);
    }
    const after = { index, entries: new TrieReader<Entry>(view, target.root) };
    states.set(space.id, { space, before, after, isChanged: true });
  }
  return states;
}

/**
 * Lists the sources whose links may lead to another target after the changes, sorted by space and file: the sources from the
 * index, and those that link into a changed space.
 */
async function sourcesToCheck(
  { states, published }: LinkedOrganization,
  isRestructured: boolean,
): Promise<CheckedSource[]> {
  const found = new Map<string, CheckedSource>();
  const changed = [...states.values()].filter(({ isChanged }) => isChanged);
  const names = new Set(changed.map(({ space }) => spaceName(space.id)));
  for (const { address, space } of published.before)
    if (isRestructured || states.get(space)?.isChanged === true) names.add(hostName(hostOf(address) ?? ''));
  for (const state of states.values()) {
    if (state.after === undefined) continue;
    const { index } = state.after;
    const add = async (id: LinkTargetId): Promise<void> => {
      const { git, path } = (await index.get('sources', id)) ?? {};
      found.set(`${state.space.id}/${id}`, { state, id, place: git ?? path ?? '' });
    };
    for (const id of index.changes.sources.keys()) await add(id);
    for (const name of names) for (const id of await readLinkers(index, name)) await add(id);
  }
  const keyOf = ({ state, place, id }: CheckedSource) => [state.space.title, place, id].join('\0');
  return [...found.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

interface CheckedSource {
  readonly state: SpaceState;
  readonly id: LinkTargetId;
  readonly place: string;
}

/** Describes the links of a source in one state, including links to other spaces. */
async function describeLinks(
  linked: LinkedOrganization,
  { space }: SpaceState,
  phase: Phase,
  source: SourceEntry,
): Promise<LinkState[]> {
  const links: LinkState[] = [];
  for (const link of source.links) links.push(await describeLink(linked, space.id, phase, source, link));
  return links;
}

async function describeLink(
  { states, published }: LinkedOrganization,
  space: string,
  phase: Phase,
  source: SourceEntry,
  { href, line, to, missingAnchor }: IndexedLink,
): Promise<LinkState> {
  const target = resolveHref(source.id, source, href);
  if (target.kind === 'name') {
    const { name, anchor } = target;
    return defined({
      href,
      line,
      name,
      anchor,
      to: typeof to === 'string' ? `${space}/${to}` : to,
      missingAnchor,
    });
  }
  const place = target.space ?? findPublished(published[phase], href);
  if (place === undefined) {
    const isGone = phase === 'after' && findPublished(published.before, href) !== undefined;
    return isGone ? { href, line, name: `site:${href}`, to: null } : { href, line };
  }
  const { id, name, anchor } = place;
  const other = states.get(id);
  if (other === undefined) return { href, line };
  const { index } = other[phase] ?? {};
  const base = { href, line, name: target.space === undefined ? `site:${href}` : `${id}/${name ?? ''}` };
  if (index === undefined) return { ...base, to: null };
  if (name === undefined) return { ...base, to: `${id}/` };
  const page = await findPage(index, name);
  if (page === undefined) return { ...base, to: null };
  const isMissing = anchor !== undefined && page.anchors?.includes(anchor) === false;
  return {
    ...base,
    to: `${id}/${page.id}`,
    ...defined({ anchor }),
    ...(isMissing ? { missingAnchor: true } : {}),
  };
}

/** Finds the space, and the name of the page in it, for an address of a published site. */
function findPublished(published: readonly PublishedSpace[], href: string): SpaceTarget | undefined {
  if (published.length === 0 || hostOf(href) === undefined) return undefined;
  const [, path = '', anchor = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(href) ?? [];
  const whole = comparable(path.replace(/\/*$/, '/'));
  const found = published.find(({ address }) => whole.startsWith(comparable(address)));
  if (found === undefined) return undefined;
  const rest = decode(whole.slice(comparable(found.address).length).replace(/\/$/, ''));
  return {
    id: found.space,
    ...(rest === '' ? {} : { name: `path:${rest}` }),
    ...(anchor === '' ? {} : { anchor: decode(anchor) }),
  };
}

/** Returns an address without its scheme and with its host in lower case, so that it can be compared. */
function comparable(address: string): string {
  return address.replace(/^(?:https?:)?(\/\/[^/]+)/i, (_, host: string) => host.toLowerCase());
}

/** Finds a page by its id or its path in the space. The name of its file does not count, because addresses do not contain it. */
async function findPage(index: LinkIndex, name: string): Promise<SourceEntry | undefined> {
  for (const [, target] of (await index.get('names', name))?.claims ?? []) {
    const source = await index.get('sources', target);
    if (source !== undefined && (name === target || name === `path:${source.path ?? ''}`)) return source;
  }
  return undefined;
}

/** Returns the space of a target such as `spc_1/page:pag_1`. */
function spaceIdOf(target: string): string {
  return target.slice(0, target.indexOf('/'));
}
