import { getOrInsert } from '../contract/values.ts';
import { createHash } from 'node:crypto';
import type { ContentSource, ContentVisitor } from '../content/content-source.ts';
import type { RichDocumentValue } from '../contract/shapes.ts';
import type { ReadTransaction } from '../core/store.ts';
import type { OrganizationRow } from '../core/rows/organizations.ts';
import {
  listInstalledBlocks,
  type InstalledIntegration,
} from '../resources/content/blocks/installed-blocks.ts';
import { customizationOf } from '../resources/site-customization/shape.ts';
import type { AdmittedVisitor } from './admit-visitor.ts';
import type { OpenSpace } from './page-links.ts';
import { listSiteScripts, type SiteScript } from './site-scripts.ts';
import {
  isSection,
  pathsInside,
  placeOf,
  readSiteMap,
  spacesAt,
  type ShownSpace,
  type SiteMap,
} from './site-map.ts';
import { readSpacePages, withoutCovered, type FindComputed } from './space-pages.ts';
import { hasStart } from './space-start.ts';
import type { LocatedSite } from './locate-site.ts';
import { TextReader } from './text-reader.ts';
import { showEmojis } from '../render/emoji-names.ts';

/** A published site as one visitor sees it, in one transaction. */
export class SiteView {
  readonly map: SiteMap;
  readonly organization: OrganizationRow;
  /** The absolute URL of the site for readers, without the path of `map.base`. */
  readonly origin: string;
  readonly tx: ReadTransaction;
  /** Whether the pages show a sign-out link. */
  readonly isSignedIn: boolean;
  readonly #visitor: ContentVisitor;
  readonly #open = new Map<string, Promise<OpenSpace>>();
  readonly #starts = new Map<string, Promise<boolean>>();
  readonly #installed = new Map<string, Promise<InstalledOnSpace>>();
  readonly #customizations = new Map<ShownSpace | undefined, ReturnType<typeof customizationOf>>();
  #fingerprint: string | undefined;
  #scripts: Promise<readonly SiteScript[]> | undefined;
  /** Whether pages of integrations are shown. They can change without a change of the store. */
  hasComputedPages = false;

  readonly #context: SiteViewContext;

  private constructor(
    map: SiteMap,
    organization: OrganizationRow,
    isSignedIn: boolean,
    context: SiteViewContext,
  ) {
    this.map = map;
    this.isSignedIn = isSignedIn;
    this.organization = organization;
    this.origin = context.origin;
    this.tx = context.tx;
    this.#context = context;
    this.#visitor = {
      claims: map.claims,
      spaces: new Set(map.spaces.map(({ space }) => space.id)),
      isShown: (condition, values) => map.evaluator.evaluate(condition, values).shown,
    };
  }

  static async open(
    { site, organization }: LocatedSite,
    { base, claims, isSignedIn = false }: Pick<AdmittedVisitor, 'base' | 'claims' | 'isSignedIn'>,
    context: SiteViewContext,
  ): Promise<SiteView> {
    const map = await readSiteMap(context.tx, site, { base, claims });
    return new SiteView(map, organization, isSignedIn, context);
  }

  /** Returns the same view in another transaction, for work that continues after the first one. */
  inTransaction(tx: ReadTransaction): SiteView {
    const view = new SiteView(this.map, this.organization, this.isSignedIn, { ...this.#context, tx });
    for (const [id, open] of this.#open) view.#open.set(id, open);
    return view;
  }

  /** Returns a text that changes with everything that all pages of the site depend on: its rows, its spaces, and the visitor. */
  fingerprint(): string {
    this.#fingerprint ??= fingerprintOf([
      this.structure(),
      this.map.spaces.map(({ space }) => space.revision),
    ]);
    return this.#fingerprint;
  }

  /** Returns the data for `fingerprint` without the content of the spaces. */
  structure(): unknown {
    const { site, base, items, spaces, claims } = this.map;
    return [
      this.origin,
      site,
      base,
      items.map(function outline(item): unknown {
        if (isSection(item)) return [item.row, item.base];
        const { title, icon } = item;
        return 'url' in item
          ? [title, icon, item.description, item.url]
          : [title, icon, item.items.map(outline)];
      }),
      spaces.map(({ row, space, title, base: at }) => [
        row,
        space.id,
        space.language,
        title,
        at,
        space.gitSync?.url,
      ]),
      claims,
    ];
  }

  get namesBroken(): boolean {
    return this.#context.namesBroken === true;
  }

  /** Whether pages of a space ask readers for feedback. */
  asksForFeedback(shown: ShownSpace): boolean {
    return this.#context.takesFeedback !== false && this.customizationOf(shown).feedback.enabled;
  }

  contentOf({ space }: ShownSpace): ContentSource {
    const { url, previewed } = this.#context;
    const isPreviewed = previewed?.has(space.id) === true;
    return { tx: this.tx, url, space, isPreviewed, visitor: this.#visitor };
  }

  /** Call it before work that blocks this thread for long. It may throw. */
  get onHeavy(): (() => void) | undefined {
    return this.#context.onHeavy;
  }

  /** Reads Markdown as a document. @throws the errors that `readComputing` catches, if another thread has to read it first */
  readMarkdown(markdown: string): RichDocumentValue {
    const { texts = new TextReader() } = this.#context;
    return texts.read(this.organization.id, markdown);
  }

  /** Returns the integrations that are installed on a space, with a text that changes when they change. */
  installedOn({ space }: ShownSpace): Promise<InstalledOnSpace> {
    return getOrInsert(this.#installed, space.id, async () => {
      const all = await listInstalledBlocks(this.tx, space);
      const integrations = all.filter(({ blocks }) => blocks.length > 0);
      return { integrations, digest: integrations.length === 0 ? '' : fingerprintOf(integrations) };
    });
  }

  /** Returns the scripts that integrations add to the pages of the site. */
  scripts(): Promise<readonly SiteScript[]> {
    const { hasScripts = true, sharesOrigin = true } = this.#context;
    return (this.#scripts ??= hasScripts
      ? listSiteScripts(this.tx, this.map.site, sharesOrigin)
      : Promise.resolve([]));
  }

  openSpace(shown: ShownSpace): Promise<OpenSpace> {
    return getOrInsert(this.#open, shown.row.id, () => this.#readPages(shown));
  }

  async #readPages(shown: ShownSpace): Promise<OpenSpace> {
    const pages = await readSpacePages(this.contentOf(shown), this.map, this.#context.findComputed);
    if (pages.sources.length > 0) this.hasComputedPages = true;
    return { shown, ...withoutCovered(pages, pathsInside(this.map, shown)) };
  }

  /** Whether the visitor finds a page at the path of a space. They may not see any of its pages. */
  hasStart(shown: ShownSpace): Promise<boolean> {
    return getOrInsert(this.#starts, shown.space.id, () => hasStart(this.contentOf(shown), this.map));
  }

  /**
   * Returns the first space with a page at its path, among those that a path of decoded segments names: the spaces of a section,
   * and for the path of the site all spaces.
   */
  async firstWithStart(segments: readonly string[]): Promise<ShownSpace | undefined> {
    for (const shown of spacesAt(this.map, segments)) if (await this.hasStart(shown)) return shown;
    return undefined;
  }

  /** Opens the spaces of the site with these IDs. */
  async openSpaces(ids: Iterable<string>): Promise<Map<string, OpenSpace>> {
    const found = new Map<string, OpenSpace>();
    for (const id of ids) {
      const shown = placeOf(this.map, id);
      if (shown !== undefined) found.set(id, await this.openSpace(shown));
    }
    return found;
  }

  /** Returns the appearance of the site, or of one of its spaces. */
  customizationOf(shown?: ShownSpace): ReturnType<typeof customizationOf> {
    return getOrInsert(this.#customizations, shown, () =>
      customizationOf({ site: this.map.site }, shown?.row),
    );
  }

  /** Returns the language of a space, or of the site. */
  languageOf(shown?: ShownSpace): string {
    return shown?.space.language ?? this.customizationOf(shown).internationalization.locale;
  }

  /** Returns the title of the site, in the language of a space or of the site: from its customization, or else its own title. */
  titleOf(shown?: ShownSpace): string {
    return showEmojis(this.storedTitleOf(shown));
  }

  /** Returns the title with the names of emojis, for PDF files, whose fonts have no emojis. */
  storedTitleOf(shown?: ShownSpace): string {
    const { title, localizedTitle } = this.customizationOf(shown);
    return localizedTitle?.[this.languageOf(shown)] ?? title ?? this.map.site.title;
  }
}

/** The integrations that render blocks in a space. */
interface InstalledOnSpace {
  readonly integrations: readonly InstalledIntegration[];
  readonly digest: string;
}

/** The data that a view of a site needs. */
interface SiteViewContext {
  readonly tx: ReadTransaction;
  readonly url: (path: string) => string;
  readonly origin: string;
  /** Whether pages load the scripts of integrations (default true). */
  readonly hasScripts?: boolean;
  /** Whether pages may ask readers for feedback (default true). */
  readonly takesFeedback?: boolean;
  /** Whether the site is at a path of a host that it shares with other sites (default true). */
  readonly sharesOrigin?: boolean;
  /** The IDs of the spaces that show a previewed revision (default: none). */
  readonly previewed?: ReadonlySet<string>;
  /** Called before work that blocks this thread for long (default: does nothing). */
  readonly onHeavy?: (() => void) | undefined;
  /** Reads the texts of pages (default: synchronously). */
  readonly texts?: TextReader;
  /** Whether broken links show their target, for members (default false). */
  readonly namesBroken?: boolean;
  /** Finds the pages of integrations (default: they are left out). */
  readonly findComputed?: FindComputed;
}

/** Returns a short hash of a value. */
function fingerprintOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
