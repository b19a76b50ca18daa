import type { Static } from '../../../contract/schema.ts';
import type { Backlink, ContentLocation, Link } from './schemas.ts';
import { readRevision } from '../../../content/revisions.ts';
import { appUrl } from '../shape.ts';
import type { IndexedLink, LinkIndex, SourceEntry } from '../../../content/links/link-index.ts';
import { suggestAnchor } from '../../../content/links/nearest-anchor.ts';
import { resolveHref, specificationOf, type LinkTargetId } from '../../../content/links/link-targets.ts';
import { explainMissing } from '../../../content/links/nearest-target.ts';
import type { AddressedReference } from '../../../content/links/content-reference.ts';
import { ReferenceResolver } from '../../../content/links/reference-resolver.ts';
import { TrieReader } from '../../../content/trie.ts';
import type { Entry } from '../../../content/rows.ts';
import { defined } from '../../../contract/values.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';

type Location = Static<typeof ContentLocation>;
export type LinkBody = Static<typeof Link>;
export type BacklinkBody = Static<typeof Backlink>;
export type LinkStatus = LinkBody['status'];

const fields = { page: 'page', file: 'file', reusable: 'reusableContent' } as const;
const kinds = { page: 'page', file: 'file', reusable: 'reusable-content' } as const;

/** Converts the links of one content to the form of the API. Reads only the pages that it returns. */
export class LinkShaper {
  readonly #content: ContentSource;
  readonly #entries: TrieReader<Entry>;
  readonly #app: string;
  readonly #anchors: boolean;
  readonly #index: LinkIndex | undefined;
  readonly #references: ReferenceResolver;
  readonly #missing: ReadonlySet<string>;

  private constructor(
    content: ContentSource,
    root: string,
    {
      index,
      anchors,
      missing,
    }: { index: LinkIndex | undefined; anchors: boolean; missing: ReadonlySet<string> },
  ) {
    this.#missing = missing;
    this.#content = content;
    this.#anchors = anchors;
    this.#index = index;
    this.#entries = new TrieReader(content.tx, root);
    this.#references = new ReferenceResolver(content);
    this.#app = appUrl(content).replace(/\/o\/.*$/s, '/o/');
  }

  /**
   * With `anchors`, a link to a missing anchor is broken. The index knows all anchors. `missing` has the names of the
   * specifications that do not exist.
   */
  static async of(
    content: ContentSource,
    {
      anchors = false,
      index,
      missing = new Set(),
    }: { anchors?: boolean; index?: LinkIndex; missing?: ReadonlySet<string> } = {},
  ): Promise<LinkShaper> {
    const { root } = await readRevision(content.tx, revisionOf(content));
    return new LinkShaper(content, root, { index, anchors, missing });
  }

  statusOf(source: SourceEntry, link: IndexedLink): LinkStatus {
    if (this.#anchors && link.missingAnchor === true) return 'broken';
    if (link.to !== undefined) return link.to === null ? 'broken' : 'ok';
    if (this.#missing.has(specificationOf(link.href) ?? '')) return 'broken';
    const isApp = resolveHref(source.id, source, link.href).kind === 'app' || link.href.startsWith(this.#app);
    return isApp ? 'in-app' : 'ok';
  }

  async link(source: SourceEntry, link: IndexedLink): Promise<LinkBody> {
    return {
      status: this.statusOf(source, link),
      relation: link.include === true ? 'dependsOn' : 'reference',
      targetReference: await this.#target(source, link),
      locationReferences: [this.location(source.id)],
      href: link.href,
      line: link.line,
      source: await this.#source(source),
      ...(await this.#explain(source, link)),
    };
  }

  /** Explains why a link is broken, or leads to nothing in another space. Returns no fields for a link that works. */
  async #explain(
    source: SourceEntry,
    link: IndexedLink,
  ): Promise<Pick<LinkBody, 'missing' | 'reason' | 'message'>> {
    const { href, to, missingAnchor } = link;
    if (to === null)
      return { reason: 'target-missing', message: await explainMissing(source, href, this.#index) };
    const specification = specificationOf(href) ?? '';
    if (this.#missing.has(specification))
      return {
        reason: 'target-missing',
        message: `There is no OpenAPI specification "${idOf(specification)}".`,
      };
    if (this.statusOf(source, link) === 'in-app') return this.#explainInApp(source, href);
    if (!this.#anchors || missingAnchor !== true || to === undefined) return {};
    const target = resolveHref(source.id, source, href);
    const anchor = (target.kind === 'name' ? target.anchor : undefined) ?? '';
    const suggestion = suggestAnchor(anchor, (await this.#index?.get('sources', to))?.anchors);
    const message = `The page "${await this.#titleOf(to)}" has no anchor #${anchor}.${suggestion}`;
    return { missing: 'anchor', reason: 'anchor-missing', message };
  }

  /** The status of a link to another space says nothing about its target, which is not part of this content. */
  async #explainInApp(source: SourceEntry, href: string): Promise<Pick<LinkBody, 'reason' | 'message'>> {
    const target = resolveHref(source.id, source, href);
    if (target.kind === 'name' || target.space === undefined) return {};
    const ref = await this.#references.resolve({ target: source.id, ...source }, href);
    if (ref.kind !== 'url') return {};
    const thing = target.space.name === undefined ? 'space' : 'page of another space';
    return { reason: 'target-missing', message: `You can open no ${thing} at this address.` };
  }

  async #titleOf(thing: LinkTargetId): Promise<string> {
    const entry = await this.#entries.get(idOf(thing));
    if (entry !== undefined) return 'title' in entry ? entry.title : '';
    return (await this.#index?.get('sources', thing))?.title ?? '';
  }

  /** Returns a page that links to a target, with one of its links to it. */
  async backlink(source: SourceEntry, link: IndexedLink | undefined): Promise<BacklinkBody> {
    return {
      ...this.location(source.id),
      ...defined({ href: link?.href, line: link?.line }),
      source: await this.#source(source),
    };
  }

  async #source({ id: thing, path, git }: SourceEntry): Promise<NonNullable<LinkBody['source']>> {
    return defined({
      kind: thing.startsWith('page:') ? 'page' : 'reusable-content',
      id: idOf(thing),
      title: await this.#titleOf(thing),
      path,
      file: git,
    });
  }

  location(thing: LinkTargetId, anchor?: string): Location {
    const { space, changeRequest } = this.#content;
    const kind = thing.slice(0, thing.indexOf(':')) as keyof typeof kinds;
    return {
      kind: kinds[kind],
      organization: space.organization,
      space: space.id,
      versionContext:
        changeRequest === undefined
          ? { type: 'revision', revision: space.revision }
          : { type: 'changeRequest', changeRequest: changeRequest.id },
      [fields[kind]]: idOf(thing),
      ...defined({ anchor }),
    };
  }

  /**
   * Returns the target of a link. For a broken link, and for a link to another space that the caller cannot open, the target is
   * the deleted page or file, or else the address.
   */
  async #target(source: SourceEntry, { href, to }: IndexedLink): Promise<Location> {
    const target = resolveHref(source.id, source, href);
    const anchor = target.kind === 'name' ? target.anchor : undefined;
    if (typeof to === 'string') return this.location(to, anchor);
    if (target.kind === 'name' && /^(?:page|file):/.test(target.name))
      return this.location(target.name, anchor);
    const [, spec] = /^openapi:([\w-]+)$/.exec(href) ?? [];
    if (spec !== undefined) return { kind: 'openapi', organization: this.#content.space.organization, spec };
    return (to === null ? undefined : await this.#elsewhere(source, href)) ?? { kind: 'url', url: href };
  }

  /** Returns the target of a link that leads out of the content: a user, a collection, a space or something in a space. */
  async #elsewhere(source: SourceEntry, href: string): Promise<Location | undefined> {
    const { organization } = this.#content.space;
    const ref = await this.#references.resolve({ target: source.id, ...source }, href);
    if (ref.kind === 'user' || ref.kind === 'collection' || ref.kind === 'space')
      return { ...ref, organization };
    if (ref.kind === 'url') return undefined;
    const anchor = ref.kind === 'anchor' ? ref.anchor : undefined;
    const id = nameOf(ref);
    if (ref.space === undefined) return this.location(id, anchor);
    const space = await this.#references.space(ref.space);
    if (space === undefined) return undefined;
    const versionContext = { type: 'revision' as const, revision: space.revision };
    return { ...this.location(id, anchor), space: space.id, versionContext };
  }
}

function nameOf(ref: Extract<AddressedReference, { kind: 'page' | 'anchor' | 'file' | 'reusable-content' }>) {
  if (ref.kind === 'file') return `file:${ref.file}` as const;
  return ref.kind === 'reusable-content'
    ? (`reusable:${ref.reusableContent}` as const)
    : (`page:${ref.page ?? ''}` as const);
}

/** Returns the ID in the name of a target such as `page:pag_1`. */
export function idOf(thing: string): string {
  return thing.slice(thing.indexOf(':') + 1);
}
