import type { Static } from '../../../contract/schema.ts';
import type { Backlink, ContentLocation, Link } from '../../spaces/contract.ts';
import { readRevision } from '../../../content/revisions.ts';
import { appUrl } from '../shape.ts';
import type { IndexedLink, SourceEntry } from '../../../content/links/link-index.ts';
import { resolveHref, type LinkTargetId } from '../../../content/links/link-targets.ts';
import { TrieReader } from '../../../content/trie.ts';
import type { Entry } from '../../../content/rows.ts';
import { defined } from '../../../contract/values.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';

export type Location = Static<typeof ContentLocation>;
export type LinkBody = Static<typeof Link>;
export type BacklinkBody = Static<typeof Backlink>;
export type LinkStatus = LinkBody['status'];

const fields = { page: 'page', file: 'file', reusable: 'reusableContent' } as const;
const kinds = { page: 'page', file: 'file', reusable: 'reusable-content' } as const;

/** Shapes the links of one content; reads only the pages that it shows. */
export class LinkShaper {
  readonly #content: ContentSource;
  readonly #entries: TrieReader<Entry>;
  readonly #app: string;
  readonly #anchors: boolean;

  private constructor(content: ContentSource, root: string, anchors: boolean) {
    this.#content = content;
    this.#anchors = anchors;
    this.#entries = new TrieReader(content.tx, root);
    this.#app = appUrl(content).replace(/\/o\/.*$/s, '/o/');
  }

  /** With `anchors`, a link to a missing anchor is broken. */
  static async of(content: ContentSource, { anchors = false } = {}): Promise<LinkShaper> {
    return new LinkShaper(content, (await readRevision(content.tx, revisionOf(content))).root, anchors);
  }

  statusOf(source: SourceEntry, link: IndexedLink): LinkStatus {
    if (this.#anchors && link.missingAnchor === true) return 'broken';
    if (link.to !== undefined) return link.to === null ? 'broken' : 'ok';
    const isApp = resolveHref(source.id, source, link.href).kind === 'app' || link.href.startsWith(this.#app);
    return isApp ? 'in-app' : 'ok';
  }

  async link(source: SourceEntry, link: IndexedLink): Promise<LinkBody> {
    return {
      status: this.statusOf(source, link),
      relation: link.include === true ? 'dependsOn' : 'reference',
      targetReference: this.#target(source, link),
      locationReferences: [this.location(source.id)],
      href: link.href,
      line: link.line,
      source: await this.#source(source),
      ...(this.#anchors && link.missingAnchor === true ? { missing: 'anchor' as const } : {}),
    };
  }

  /** Shapes a page that links to a target, with the first of its links to it. */
  async backlink(source: SourceEntry, to: LinkTargetId): Promise<BacklinkBody> {
    const link = source.links.find((each) => each.to === to);
    return {
      ...this.location(source.id),
      ...defined({ href: link?.href, line: link?.line }),
      source: await this.#source(source),
    };
  }

  async #source({ id: thing, path, git }: SourceEntry): Promise<NonNullable<LinkBody['source']>> {
    const entry = await this.#entries.get(idOf(thing));
    return defined({
      kind: thing.startsWith('page:') ? 'page' : 'reusable-content',
      id: idOf(thing),
      title: entry !== undefined && 'title' in entry ? entry.title : '',
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
      ...(anchor === undefined ? {} : { anchor }),
    };
  }

  /** The target of a link. A broken link has the deleted page or file, or else its address, as its target. */
  #target(source: SourceEntry, { href, to }: IndexedLink): Location {
    const target = resolveHref(source.id, source, href);
    const anchor = target.kind === 'name' ? target.anchor : undefined;
    if (typeof to === 'string') return this.location(to, anchor);
    if (target.kind === 'name' && /^(?:page|file):/.test(target.name))
      return this.location(target.name, anchor);
    return { kind: 'url', url: href };
  }
}

function idOf(thing: LinkTargetId): string {
  return thing.slice(thing.indexOf(':') + 1);
}
