import type { GeneratedFrom, RevisionLinks } from '../../core/rows/revisions.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { isSameEntry, trieKey, TrieReader } from '../trie.ts';
import type { LinkTargetId } from './link-targets.ts';

/** A link of a source. `to` is its target: null if the link is broken, absent if it leads out of the space. */
export interface IndexedLink {
  readonly href: string;
  /** The line in the file, counting front matter. */
  readonly line: number;
  readonly to?: LinkTargetId | null;
  /** Its target is a page without the anchor. */
  readonly missingAnchor?: true;
  /** Its content becomes part of the page. */
  readonly include?: true;
}

/** The links of a page or reusable content. Its ID is a link target ID, such as `page:pag_1`. */
export interface SourceEntry {
  readonly id: string;
  readonly path?: string;
  readonly git?: string;
  /** Its anchors, sorted; absent if it shows content from elsewhere, whose anchors are unknown. */
  readonly anchors?: readonly string[];
  readonly links: readonly IndexedLink[];
  /** The title of a generated page, which has no entry. */
  readonly title?: string;
  /** The pages that are generated in place of this page. */
  readonly generated?: readonly LinkTargetId[];
}

/** The link targets with the same name, best first. The ID is the name. */
interface NameEntry {
  readonly id: string;
  readonly claims: readonly (readonly [rank: number, target: LinkTargetId])[];
}

/**
 * The sources that link to a name, with the numbers of their links. The ID is the name. If there are many, `from` is absent, and
 * parts list them.
 */
interface LinkersEntry {
  readonly id: string;
  readonly count: number;
  readonly from?: Readonly<Record<LinkTargetId, number>>;
}

/** A part of the sources that link to a name. The ID is `<part>:<name>`. */
interface LinkersPart {
  readonly id: string;
  readonly from: Readonly<Record<LinkTargetId, number>>;
}

/** The entries of an index. Each kind has a separate trie, so that a change of one kind does not affect the others. */
interface Entries {
  readonly sources: SourceEntry;
  readonly names: NameEntry;
  readonly linkers: LinkersEntry;
  readonly parts: LinkersPart;
  /** Sources with broken links or links to missing anchors. */
  readonly broken: { readonly id: LinkTargetId };
}
type LinkKind = keyof Entries;
export const linkKinds = [
  'sources',
  'names',
  'linkers',
  'parts',
  'broken',
] as const satisfies readonly LinkKind[];

/** The links of one state of a space: the stored index, with changes in memory. */
export class LinkIndex {
  readonly changes: { readonly [K in LinkKind]: Map<string, Entries[K] | undefined> } = {
    sources: new Map(),
    names: new Map(),
    linkers: new Map(),
    parts: new Map(),
    broken: new Map(),
  };
  /** The specifications of the generated pages, by the ID of the page of the type computed. */
  generated: Readonly<Record<string, GeneratedFrom>>;
  readonly #stored: { readonly [K in LinkKind]: TrieReader<Entries[K]> };
  #total: number;
  #totalBroken: number;
  #missingAnchors: number;

  constructor(view: ReadTransaction, links: RevisionLinks | undefined) {
    const reader = <K extends LinkKind>(kind: K) => new TrieReader<Entries[K]>(view, links?.roots[kind]);
    this.#stored = {
      sources: reader('sources'),
      names: reader('names'),
      linkers: reader('linkers'),
      parts: reader('parts'),
      broken: reader('broken'),
    };
    this.generated = links?.generated ?? {};
    this.#total = links?.total ?? 0;
    this.#totalBroken = links?.broken ?? 0;
    this.#missingAnchors = links?.missingAnchors ?? 0;
  }

  get total(): number {
    return this.#total;
  }

  get totalBroken(): number {
    return this.#totalBroken;
  }

  /** The number of links to pages that lack their anchor. */
  get missingAnchors(): number {
    return this.#missingAnchors;
  }

  async get<K extends LinkKind>(kind: K, id: string): Promise<Entries[K] | undefined> {
    const changes: ReadonlyMap<string, Entries[K] | undefined> = this.changes[kind];
    return changes.has(id) ? changes.get(id) : this.#stored[kind].get(id);
  }

  async set<K extends LinkKind>(
    kind: K,
    id: string,
    entry: Omit<Entries[K], 'id'> | undefined,
  ): Promise<void> {
    const before = await this.get(kind, id);
    const after = entry === undefined ? undefined : ({ id, ...entry } as unknown as Entries[K]);
    if (
      before === after ||
      (before !== undefined && after !== undefined && isSameEntry<{ readonly id: string }>(before, after))
    )
      return;
    (this.changes[kind] as Map<string, Entries[K] | undefined>).set(id, after);
    if (kind !== 'sources') return;
    const [old, now] = [before as SourceEntry | undefined, after as SourceEntry | undefined];
    this.#total += (now?.links.length ?? 0) - (old?.links.length ?? 0);
    const [oldBroken, nowBroken] = [countBroken(old), countBroken(now)];
    const [oldMissing, nowMissing] = [countMissingAnchors(old), countMissingAnchors(now)];
    this.#totalBroken += nowBroken - oldBroken;
    this.#missingAnchors += nowMissing - oldMissing;
    if ((oldBroken + oldMissing === 0) !== (nowBroken + nowMissing === 0))
      await this.set('broken', id, nowBroken + nowMissing === 0 ? undefined : {});
  }

  async winner(name: string): Promise<LinkTargetId | undefined> {
    return (await this.get('names', name))?.claims[0]?.[1];
  }

  /** Counts the broken links, of one page or of all, that are not broken in the stored index. */
  async newlyBroken({ page, anchors }: { page?: LinkTargetId; anchors: boolean }): Promise<number> {
    const { sources } = this.changes;
    const isBroken = ({ to, missingAnchor }: IndexedLink) =>
      to === null || (anchors && missingAnchor === true);
    let count = 0;
    for (const id of page === undefined ? sources.keys() : [page]) {
      if (!sources.has(id)) continue;
      const stored = await this.#stored.sources.get(id);
      const known = new Set(stored?.links.filter(isBroken).map(({ href }) => href));
      count += sources.get(id)?.links.filter((link) => isBroken(link) && !known.has(link.href)).length ?? 0;
    }
    return count;
  }

  /** Yields sources in a stable order, starting at a source. A page of results reads only the leaves that it needs. */
  async *sources({
    from = '',
    broken,
    others = new Set(),
  }: {
    from?: LinkTargetId | undefined;
    broken: boolean;
    /** Other sources to yield with the broken ones. */
    others?: ReadonlySet<LinkTargetId>;
  }): AsyncGenerator<SourceEntry> {
    const start = from === '' ? '' : trieKey(from);
    for await (const id of this.#ids(broken ? 'broken' : 'sources', start, broken ? others : new Set())) {
      const source = await this.get('sources', id);
      if (source !== undefined) yield source;
    }
  }

  /** Yields the IDs of a kind in the order of their keys: the stored ones merged with the changes. */
  async *#ids(
    kind: 'sources' | 'broken',
    from: string,
    others: ReadonlySet<LinkTargetId>,
  ): AsyncGenerator<LinkTargetId> {
    const changes = new Map<LinkTargetId, object | undefined>(this.changes[kind]);
    for (const id of others) changes.set(id, { id });
    const changed = [...changes]
      .flatMap(([id, entry]) => (entry === undefined ? [] : { id, key: trieKey(id) }))
      .filter(({ key }) => key >= from)
      .sort((one, other) => (one.key < other.key ? -1 : 1));
    let next = changed.shift();
    for await (const { id } of this.#stored[kind].walk(from)) {
      if (changes.has(id)) continue;
      for (const key = trieKey(id); next !== undefined && next.key < key; next = changed.shift())
        yield next.id;
      yield id;
    }
    for (; next !== undefined; next = changed.shift()) yield next.id;
  }
}

/** Counts the broken links of a source. */
export function countBroken(source: SourceEntry | undefined): number {
  return source?.links.reduce((sum, { to }) => sum + Number(to === null), 0) ?? 0;
}

/** Counts the links of a source to pages that lack their anchor. */
export function countMissingAnchors(source: SourceEntry | undefined): number {
  return source?.links.reduce((sum, { missingAnchor }) => sum + Number(missingAnchor === true), 0) ?? 0;
}
