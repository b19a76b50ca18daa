import { haveSameTexts } from '../content/generated/open-specification.ts';
import type { Services } from '../core/handler.ts';
import { RecentMap } from '../core/recent-map.ts';
import { sha256 } from '../content/hashing.ts';
import { BlockCache } from './block-cache.ts';
import { FileCache } from './file-cache.ts';
import { FullTextCache } from './full-text-cache.ts';
import { IntegrationPageCache } from './integration-pages.ts';
import type { PageBlock } from './block-slots.ts';
import type { OpenSpace } from './page-links.ts';
import { PdfCache } from './pdf-cache.ts';
import { ScriptCache } from './script-cache.ts';
import { TextReader } from './text-reader.ts';
import type { SiteView } from './site-view.ts';
import type { FindComputed, SitePage } from './space-pages.ts';

/** A rendered page, with the versions of the specifications that it shows. */
export interface MadePage {
  readonly body: Buffer;
  /** The hashes of the texts of specifications by their names; null for one that does not exist. */
  readonly versions: ReadonlyMap<string, string | null>;
  /** The blocks of integrations in it, which are not rendered yet. */
  readonly blocks: readonly PageBlock[];
}

/** Default size of the cached pages, in bytes. */
const defaultBytes = 64 * 1024 * 1024;

interface PageCacheOptions {
  readonly maxBytes?: number;
  /** Reads the texts of pages (default: in this thread). */
  readonly texts?: TextReader;
  /** Whether to cache PDFs and texts of whole sites too (default true). */
  readonly keepsWhole?: boolean;
}

/** Approximate memory of a page besides its body, in bytes. For example, the feed of a page without updates has no body. */
const overhead = 2000;

/**
 * Caches the last rendered pages. The keys identify everything that a page depends on, and revisions never change. So a cached
 * page is never outdated, and changes need not remove anything.
 */
export class PageCache {
  readonly pdfs: PdfCache;
  readonly fullTexts: FullTextCache;
  readonly blocks = new BlockCache();
  readonly scripts = new ScriptCache();
  readonly files = new FileCache();
  readonly texts: TextReader;
  readonly #integrationPages = new IntegrationPageCache();
  readonly #pages: RecentMap<MadePage>;

  constructor({
    maxBytes = defaultBytes,
    texts = new TextReader(),
    keepsWhole = true,
  }: PageCacheOptions = {}) {
    this.texts = texts;
    this.pdfs = new PdfCache(keepsWhole ? undefined : 0);
    this.fullTexts = new FullTextCache(keepsWhole ? undefined : 0);
    this.#pages = new RecentMap(maxBytes, ({ body }) => overhead + body.length);
  }

  /** The size of the cached pages, texts of whole sites, PDFs and files in bytes. */
  get size(): number {
    return this.#pages.weight + this.fullTexts.size + this.pdfs.size + this.files.size;
  }

  /**
   * Returns a function that finds pages of integrations. `now` is in milliseconds since 1970. Scripts may continue after the
   * answer.
   */
  findComputedAt(now: number, services: () => Services): FindComputed {
    return (content, sources) => this.#integrationPages.find(content, sources, { now, services });
  }

  /** Returns a page, or its feed. It is made if it is not cached. */
  async get(
    view: SiteView,
    open: OpenSpace,
    page: SitePage,
    make: () => Promise<MadePage>,
    kind: 'page' | 'feed' = 'page',
  ): Promise<MadePage> {
    const { digest } = await view.installedOn(open.shown);
    const scripts = await view.scripts();
    const text = page.text === undefined ? '' : sha256(page.text());
    const key = `${view.fingerprint()} ${open.shown.row.id} ${page.id} ${kind} ${digest} ${scripts.map(({ name }) => name).join()} ${open.pages.digest} ${text} ${String(view.isSignedIn)}`;
    const kept = this.#pages.get(key);
    const { tx, organization } = view;
    if (kept !== undefined && (await haveSameTexts(tx, organization.id, kept.versions))) return kept;
    const made = await make();
    this.#pages.set(key, made);
    return made;
  }
}
