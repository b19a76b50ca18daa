import type { RevisionLinks } from '../../core/rows/revisions.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { isSameEntry, trieKey } from '../trie.ts';
import type { LinkTargetId } from './link-targets.ts';
import { TrieReader } from './trie-reader.ts';

/** One link of a source: `to` is the thing it leads to, null where there is none, absent where it leads out of the space. */
export interface IndexedLink {
  readonly href: string;
  /** Line of the file, front matter counted. */
  readonly line: number;
  readonly to?: LinkTargetId | null;
  /** Its content becomes part of the page. */
  readonly include?: true;
}

/** A page or reusable content with its links, under its thing. */
export interface SourceEntry {
  readonly id: string;
  readonly path?: string;
  readonly git?: string;
  readonly links: readonly IndexedLink[];
}

/** Who has a name, best first, under the name. */
interface NameEntry {
  readonly id: string;
  readonly claims: readonly (readonly [rank: number, thing: LinkTargetId])[];
}

/** Which sources link to a name, and how often; under the name. Without `from` there are many, and they lie in its parts. */
interface LinkersEntry {
  readonly id: string;
  readonly count: number;
  readonly from?: Readonly<Record<LinkTargetId, number>>;
}

/** One part of the sources that link to a name, under `<part>:<name>`. */
interface LinkersPart {
  readonly id: string;
  readonly from: Readonly<Record<LinkTargetId, number>>;
}

/** What an index consists of, each kind in a trie of its own, so that a change rewrites little of what it does not concern. */
interface Entries {
  readonly sources: SourceEntry;
  readonly names: NameEntry;
  readonly linkers: LinkersEntry;
  readonly parts: LinkersPart;
  /** Sources that have broken links. */
  readonly broken: { readonly id: LinkTargetId };
}
export type LinkKind = keyof Entries;
export const linkKinds = [
  'sources',
  'names',
  'linkers',
  'parts',
  'broken',
] as const satisfies readonly LinkKind[];

/** The links of one state of a space: what is stored, with changes in memory on top. */
export class LinkIndex {
  readonly changes: { readonly [K in LinkKind]: Map<string, Entries[K] | undefined> } = {
    sources: new Map(),
    names: new Map(),
    linkers: new Map(),
    parts: new Map(),
    broken: new Map(),
  };
  readonly #stored: { readonly [K in LinkKind]: TrieReader<Entries[K]> };
  #total: number;
  #totalBroken: number;

  constructor(view: ReadTransaction, links: RevisionLinks | undefined) {
    const reader = <K extends LinkKind>(kind: K) => new TrieReader<Entries[K]>(view, links?.roots[kind]);
    this.#stored = {
      sources: reader('sources'),
      names: reader('names'),
      linkers: reader('linkers'),
      parts: reader('parts'),
      broken: reader('broken'),
    };
    this.#total = links?.total ?? 0;
    this.#totalBroken = links?.broken ?? 0;
  }

  get total(): number {
    return this.#total;
  }

  get totalBroken(): number {
    return this.#totalBroken;
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
    const [oldBroken, nowBroken] = [brokenOf(old), brokenOf(now)];
    this.#totalBroken += nowBroken - oldBroken;
    if ((oldBroken === 0) !== (nowBroken === 0))
      await this.set('broken', id, nowBroken === 0 ? undefined : {});
  }

  /** The thing that a link to a name leads to. */
  async winner(name: string): Promise<LinkTargetId | undefined> {
    return (await this.get('names', name))?.claims[0]?.[1];
  }

  /** How many links are broken, of one source or of all, that are not broken as it is stored. */
  async newlyBroken(thing?: LinkTargetId): Promise<number> {
    const { sources } = this.changes;
    let count = 0;
    for (const id of thing === undefined ? sources.keys() : [thing]) {
      if (!sources.has(id)) continue;
      const stored = await this.#stored.sources.get(id);
      const known = new Set(stored?.links.filter(({ to }) => to === null).map(({ href }) => href));
      count += sources.get(id)?.links.filter(({ href, to }) => to === null && !known.has(href)).length ?? 0;
    }
    return count;
  }

  /** Sources in their lasting order, from one on: a page of results reads the leaves it shows. */
  async *sources({
    from = '',
    broken,
  }: {
    readonly from?: LinkTargetId | undefined;
    readonly broken: boolean;
  }): AsyncGenerator<SourceEntry> {
    const kind = broken ? 'broken' : 'sources';
    const start = from === '' ? '' : trieKey(from);
    const changes = this.changes[kind];
    const added = [...changes]
      .filter(([, entry]) => entry !== undefined)
      .map(([id]) => ({ id, place: trieKey(id) }));
    const coming = added
      .filter(({ place }) => place >= start)
      .sort((one, other) => (one.place < other.place ? -1 : 1));
    for await (const { id } of this.#stored[kind].walk(start)) {
      if (changes.has(id)) continue;
      while (coming[0] !== undefined && coming[0].place < trieKey(id))
        yield (await this.get('sources', coming.shift()!.id))!;
      yield (await this.get('sources', id))!;
    }
    for (const { id } of coming) yield (await this.get('sources', id))!;
  }
}

/** How many links of a source lead nowhere. */
export function brokenOf(source: SourceEntry | undefined): number {
  return source?.links.reduce((sum, { to }) => sum + Number(to === null), 0) ?? 0;
}
