import { getOrInsert } from '../../contract/values.ts';
import { RecentMap } from '../../core/recent-map.ts';
import type { RevisionRow } from '../../core/rows/revisions.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { can, contentRole } from '../../core/permissions.ts';
import { collections, spaces, type CollectionRow, type SpaceRow } from '../../core/rows/spaces.ts';
import { revisionOf, type ContentSource } from '../content-source.ts';
import { GeneratedFinder } from '../generated/find-generated.ts';
import { findPageByPath, readPageNode } from '../page-node.ts';
import { readContent, readPage, readRevision } from '../revisions.ts';
import type { Entry, FileEntry, PageEntry, TextEntry } from '../rows.ts';
import { buildTree } from '../tree.ts';
import { readEntry } from '../trie.ts';
import type { AddressedReference, ContentReference } from './content-reference.ts';
import { checkLinks, hasLinks } from './index.ts';
import { LinkIndex } from './link-index.ts';
import {
  allNames,
  namesOf,
  resolveHref,
  type LinkSource,
  type LinkTargetId,
  type SpaceTarget,
} from './link-targets.ts';
import { createNameTable, gitSourceOf, type Names } from './name-table.ts';

/** The start of relative links in a page or reusable content. */
export interface ReferenceSource extends LinkSource {
  readonly target: LinkTargetId;
}

/** A file of one space in a text of another space. */
export interface FileElsewhere {
  readonly space: SpaceRow;
  readonly file: FileEntry;
}

/** Maximum number of cached names. */
const maxKept = 100_000;
/** Cached names of contents, by the hash of the content. */
const tables = new RecentMap<ReadonlyMap<string, LinkTargetId>>(maxKept, ({ size }) => size + 1);

/**
 * Reads the names of a revision without an index of links. After a large import, published content has no index until a job has
 * built it. Readers do not wait for that.
 */
async function readNames(
  view: ReadTransaction,
  { id, root }: RevisionRow,
): Promise<ReadonlyMap<string, LinkTargetId>> {
  const names = tables.get(root) ?? tableOf(await readContent(view, id));
  tables.set(root, names);
  return names;
}

function tableOf(entries: readonly Entry[]): ReadonlyMap<string, LinkTargetId> {
  const { byId } = buildTree(entries.filter((entry) => entry.kind === 'page'));
  return createNameTable(entries, ({ id }) => byId.get(id)?.path ?? '');
}

/** Resolves addresses in one content to references with IDs. An address without a target remains a URL. */
export class ReferenceResolver {
  readonly #content: ContentSource;
  #names: Promise<Names> | undefined;
  #entries: readonly Entry[] | undefined;
  readonly #finders = new Map<string, Promise<GeneratedFinder>>();
  readonly #spaces = new Map<string, Promise<SpaceRow | undefined>>();

  /** With `entries`, the content is not read again. */
  constructor(content: ContentSource, entries?: readonly Entry[]) {
    this.#content = content;
    this.#entries = entries;
  }

  get spaceId(): string {
    return this.#content.space.id;
  }

  async resolve(source: ReferenceSource, href: string): Promise<AddressedReference> {
    const special = /^\/(users|collections)\/((?:usr|col)_\w+)$/.exec(href);
    if (special?.[1] === 'users') return { kind: 'user', user: special[2] ?? '' };
    if (special !== null) return { kind: 'collection', collection: special[2] ?? '' };
    const broken = /^\/broken\/(page|file)s\/([\w-]+)$/.exec(href);
    if (broken?.[1] === 'page') return { kind: 'page', page: broken[2] ?? '' };
    if (broken !== null) return { kind: 'file', file: broken[2] ?? '' };
    const target = resolveHref(source.target, source, href);
    if (target.kind !== 'name')
      return (
        (await this.#reusable(href)) ??
        (await this.#fileElsewhere(href)) ??
        (target.space && (await this.#elsewhere(target.space))) ??
        (await this.#collectionAt(href)) ??
        urlOf(href)
      );
    const { name, anchor } = target;
    if (href.includes('?')) return urlOf(href);
    if (name === source.target && anchor !== undefined) return { kind: 'anchor', anchor };
    const names = await this.#nameTable();
    let found: LinkTargetId | undefined;
    for (const each of allNames(target)) found ??= await names.get(each);
    const [, kind, id] = /^(page|file|reusable):(.+)$/.exec(found ?? name) ?? [];
    switch (kind) {
      case 'page':
        return anchor === undefined
          ? { kind: 'page', page: id ?? '' }
          : { kind: 'anchor', anchor, page: id ?? '' };
      case 'file':
        return { kind: 'file', file: id ?? '' };
      case 'reusable':
        return { kind: 'reusable-content', reusableContent: id ?? '' };
      default:
        return urlOf(href);
    }
  }

  /** Returns the file of a page or file: the one from which it was imported, or else one at the path of the page. */
  async fileOf(id: string): Promise<string | undefined> {
    const entry = await this.#entry(id);
    if (entry?.git !== undefined && (entry.kind !== 'page' || entry.type === 'document'))
      return entry.git.path;
    if (entry?.kind !== 'page') {
      const generated = await (await this.#generated()).byId(id);
      return generated === undefined ? undefined : `${generated.page.path}.md`;
    }
    const node = await readPageNode(this.#content.tx, revisionOf(this.#content), id);
    return node === undefined ? undefined : `${node.path}.md`;
  }

  /** Returns the title of the target of a reference: a page, a file, reusable content, or a space that the caller may read. */
  async titleOf(ref: ContentReference): Promise<string | undefined> {
    const { tx } = this.#content;
    if (ref.kind === 'space') return (await this.space(ref.space))?.title;
    if (ref.kind === 'file') {
      const file = await this.#entry(ref.file);
      return file?.kind === 'file' ? file.name : undefined;
    }
    if (ref.kind === 'reusable-content' && ref.space === undefined)
      return (await this.#include(ref.reusableContent))?.title;
    if ((ref.kind !== 'page' && ref.kind !== 'anchor') || ref.page === undefined) return undefined;
    const space = ref.space === undefined ? undefined : await this.space(ref.space);
    if (ref.space !== undefined && space === undefined) return undefined;
    const revision = space?.revision ?? revisionOf(this.#content);
    const page = await readPage(tx, revision, ref.page);
    if (page !== undefined) return page.linkTitle ?? page.title;
    return (await (await this.#generated(revision)).byId(ref.page))?.page.page.title;
  }

  async #entry(id: string): Promise<Entry | undefined> {
    const { tx } = this.#content;
    return readEntry(tx, (await readRevision(tx, revisionOf(this.#content))).root, id);
  }

  /** Returns the start of the links in reusable content. */
  sourceOfReusable({ id, git }: TextEntry): ReferenceSource {
    return { target: `reusable:${id}`, git: git.path };
  }

  /**
   * Returns the start of the links in a page. `path` is its slugs from the root. A link in the table of contents starts at the
   * root.
   */
  sourceOf(page: PageEntry, path: string): ReferenceSource {
    const target = `page:${page.id}` as const;
    return page.type === 'link' ? { target } : { target, path, ...gitSourceOf(page) };
  }

  /** Returns the space of a reference, if it is in the same organization and the caller may read it. */
  space(id: string): Promise<SpaceRow | undefined> {
    return getOrInsert(this.#spaces, id, () => this.#readSpace(id));
  }

  async #readSpace(id: string): Promise<SpaceRow | undefined> {
    const { tx, space, visitor } = this.#content;
    if (id === space.id) return space;
    if (visitor !== undefined) return visitor.spaces.has(id) ? tx.get(spaces, id) : undefined;
    const row = await tx.get(spaces, id);
    return row?.state === 'live' && (await this.#mayRead(row)) ? row : undefined;
  }

  /** Resolves the address of a collection: `https://docs.example.com/o/ORGANIZATION/c/COLLECTION`. */
  async #collectionAt(href: string): Promise<AddressedReference | undefined> {
    const [, id] = /^(?:(?:https?:)?\/\/[^/]+)?\/o\/[^/]+\/c\/(col_\w+)\/?$/.exec(href) ?? [];
    const row = id === undefined ? undefined : await this.#content.tx.get(collections, id);
    return row !== undefined && (await this.#mayRead(row))
      ? { kind: 'collection', collection: row.id }
      : undefined;
  }

  /** Whether a space or collection is in the same organization, and the caller may read it. */
  async #mayRead(row: SpaceRow | CollectionRow): Promise<boolean> {
    const { tx, space, memberRole, maxRole, grants } = this.#content;
    if (row.organization !== space.organization) return false;
    if (memberRole === undefined || maxRole === undefined || grants === undefined) return false;
    return can(await contentRole(tx, { memberRole, maxRole, grants }, row), 'read');
  }

  /** Resolves the address of reusable content. Reusable content in the same space has only its ID. */
  async #reusable(href: string): Promise<AddressedReference | undefined> {
    const ref = reusableElsewhere(href);
    if (ref?.space !== this.#content.space.id) return ref;
    const { kind, reusableContent } = ref;
    return (await this.#include(reusableContent)) === undefined ? ref : { kind, reusableContent };
  }

  /** Finds the file for an address with a space, for example in reusable content of another space, if the caller may read it. */
  async fileElsewhere(href: string): Promise<FileElsewhere | undefined> {
    const [, id = '', file = ''] = /^https?:\/\/[^/]+\/s\/([\w-]+)\/~\/files\/([\w-]+)$/.exec(href) ?? [];
    const space = id === '' ? undefined : await this.space(id);
    if (space === undefined) return undefined;
    const { tx } = this.#content;
    const entry = await readEntry(tx, (await readRevision(tx, space.revision)).root, file);
    return entry?.kind === 'file' ? { space, file: entry } : undefined;
  }

  async #fileElsewhere(href: string): Promise<AddressedReference | undefined> {
    const found = await this.fileElsewhere(href);
    return found && { kind: 'file', file: found.file.id, space: found.space.id };
  }

  async #include(id: string): Promise<TextEntry | undefined> {
    const entry = await this.#entry(id);
    return entry?.kind === 'text' && entry.role === 'include' ? entry : undefined;
  }

  async #elsewhere({ id, name, anchor }: SpaceTarget): Promise<AddressedReference | undefined> {
    const row = await this.space(id);
    if (row === undefined) return undefined;
    if (name === undefined) return { kind: 'space', space: id };
    const page = await this.#pageElsewhere(row, name);
    if (page === undefined) return undefined;
    const place = id === this.#content.space.id ? {} : { space: id };
    return anchor === undefined
      ? { kind: 'page', page, ...place }
      : { kind: 'anchor', anchor, page, ...place };
  }

  async #pageElsewhere(row: SpaceRow, name: string): Promise<string | undefined> {
    const { tx, space } = this.#content;
    const revision = row.id === space.id ? revisionOf(this.#content) : row.revision;
    const [, kind, rest = ''] = /^(page|path):(.*)$/s.exec(name) ?? [];
    const isId = kind === 'page';
    const own = isId ? (await readPage(tx, revision, rest))?.id : await findPageByPath(tx, revision, rest);
    if (own !== undefined) return own;
    const generated = await this.#generated(revision);
    return (await (isId ? generated.byId(rest) : generated.byPath(rest)))?.page.id;
  }

  #generated(revision: string = revisionOf(this.#content)): Promise<GeneratedFinder> {
    const { tx, space } = this.#content;
    return getOrInsert(this.#finders, revision, () =>
      readRevision(tx, revision).then((row) => new GeneratedFinder(tx, space.organization, row)),
    );
  }

  #nameTable(): Promise<Names> {
    return (this.#names ??= this.#readNames());
  }

  /** Reads the names from the index of links for published content, and from the entries if there is no index, as in a draft. */
  async #readNames(): Promise<Names> {
    const { tx, space, isPreviewed = false } = this.#content;
    const row = await readRevision(tx, revisionOf(this.#content));
    if (this.#entries === undefined && hasLinks(row)) {
      if (row.id === space.revision && !isPreviewed) await checkLinks(tx, space);
      const index = new LinkIndex(tx, row.links);
      return { get: (name) => index.winner(name) };
    }
    const names = this.#entries === undefined ? await readNames(tx, row) : tableOf(this.#entries);
    const generated = await (await this.#generated()).all();
    if (generated.length === 0) return names;
    const all = new Map(names);
    for (const { id, path } of generated)
      for (const name of namesOf(`page:${id}`, { path }).keys())
        if (!all.has(name)) all.set(name, `page:${id}`);
    return all;
  }
}

export type ReusableElsewhere = Extract<ContentReference, { kind: 'reusable-content' }> & {
  readonly space: string;
};

/** Parses the address of reusable content of a space: `https://app.gitbook.com/s/SPACE/~/reusable/ID/`. */
export function reusableElsewhere(href: string): ReusableElsewhere | undefined {
  const [, space, id] =
    /^https?:\/\/[^/]+(?:\/o\/[^/]+)?\/s\/([\w-]+)\/~\/reusable\/([\w-]+)\/?$/.exec(href) ?? [];
  return space === undefined || id === undefined
    ? undefined
    : { kind: 'reusable-content', reusableContent: id, space };
}

function urlOf(href: string): AddressedReference {
  return { kind: 'url', url: href };
}
