import type { Value } from '../conditions/values.ts';
import type { ContentSource } from '../content/content-source.ts';
import { readVariablesOf } from '../content/evaluate.ts';
import {
  readSpaceRedirects,
  readSpaceTags,
  type SpaceRedirect,
  type SpaceTag,
} from '../content/folder-text.ts';
import { settingsOf } from '../content/page-settings.ts';
import { readContent, readRevision } from '../content/revisions.ts';
import type { FileEntry, PageEntry } from '../content/rows.ts';
import { buildTree, type PageNode } from '../content/tree.ts';
import {
  haveSameTexts,
  latestVersion,
  textOfSpecification,
} from '../content/generated/open-specification.ts';
import { shapeComputed } from '../resources/content/computed-pages.ts';
import { versionFile } from '../resources/openapi/rules.ts';
import type { AddressedReference } from '../content/links/content-reference.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { RecentMap } from '../core/recent-map.ts';
import { showEmojis } from '../render/emoji-names.ts';
import type { IntegrationPages } from './integration-pages.ts';
import type { SiteMap } from './site-map.ts';

/** A page of a space on a site: written, generated from a specification, or computed by an integration. */
export interface SitePage {
  readonly id: string;
  readonly type: 'document' | 'group' | 'link';
  /** The title for readers, with emojis in place of their names. */
  readonly title: string;
  readonly storedTitle: string;
  /** The title in the table of contents. */
  readonly label: string;
  /** Slugs from the root, joined by "/". */
  readonly path: string;
  readonly emoji?: string | undefined;
  readonly icon?: string | undefined;
  readonly description?: string | undefined;
  /** The slug of the page's primary tag. */
  readonly tag?: string | undefined;
  readonly condition?: string | undefined;
  /** The variables of the page, which its condition may use. */
  readonly variables: Value;
  readonly isHidden: boolean;
  /** Whether search engines may list it. */
  readonly isIndexed: boolean;
  /** Whether searches of the site find it, and texts for AI agents contain it. */
  readonly isSearched: boolean;
  readonly updatedAt: string;
  readonly children: readonly SitePage[];
  /** The stored page; absent for a generated or computed one. */
  readonly entry: PageEntry | undefined;
  /** The target of a link that an integration computed. */
  readonly href?: string | undefined;
  /** Reads the Markdown of a page that an integration computed. */
  readonly text?: (() => string) | undefined;
  /** The file of the specification that the page offers for download. */
  readonly download?: FileEntry | undefined;
}

/** The pages of a revision, all or those that a visitor can open. */
export interface SpacePages {
  readonly roots: readonly SitePage[];
  readonly byId: ReadonlyMap<string, SitePage>;
  /** By paths in lower case. */
  readonly byPath: ReadonlyMap<string, SitePage>;
  /** The ancestors of a page by its ID, outermost first. */
  readonly above: ReadonlyMap<string, readonly SitePage[]>;
  /** The links among the pages. */
  readonly links: readonly SitePage[];
  /** Cached targets of the links in the space, by their IDs. */
  readonly linkTargets: Map<string, AddressedReference>;
  readonly files: ReadonlyMap<string, FileEntry>;
  /** The pages that offer specifications for download, by the ID of the file. */
  readonly downloads: ReadonlyMap<string, SitePage>;
  readonly variables: Value;
  /** The files or URLs for old paths. The paths are in the form in which they are compared. */
  readonly redirects: ReadonlyMap<string, SpaceRedirect>;
  readonly tags: ReadonlyMap<string, SpaceTag>;
  /** The hashes of the texts of the specifications that pages are generated from, by name; null if there is no text. */
  readonly specifications: ReadonlyMap<string, string | null>;
  /** The pages that are replaced by pages of integrations. */
  readonly sources: readonly PageEntry[];
  /** A text that changes when pages of integrations change; '' if there are none. */
  readonly digest: string;
  /** Whether some pages have conditions. */
  readonly isConditional: boolean;
}

/** Finds the pages of integrations that replace these pages. */
export type FindComputed = (
  content: ContentSource,
  sources: readonly PageEntry[],
) => Promise<IntegrationPages>;

/** Maximum number of cached pages and files. */
const maxKept = 60_000;
/** The cached pages, by the hash of the content, because tests and previews use the same IDs for different content. */
const kept = new RecentMap<SpacePages>(maxKept, ({ byId, files }) => byId.size + files.size + 10);

/** The cache key of the pages of each space that readers saw last. Most readers need only the current revision. */
const latest = new RecentMap<string>(1000);

/** Caches pages, and removes those of an earlier revision of the space. */
function keep(key: string, { space, isPreviewed = false }: ContentSource, pages: SpacePages): void {
  kept.set(key, pages);
  if (isPreviewed) return;
  const before = latest.get(space.id);
  if (before !== undefined && before !== key) kept.delete(before);
  latest.set(space.id, key);
}

/**
 * Reads the pages of a space that a visitor of a site can open. `findComputed` finds the pages of integrations; without it, they
 * are left out.
 */
export async function readSpacePages(
  content: ContentSource,
  { claims, evaluator }: SiteMap,
  findComputed?: FindComputed,
): Promise<SpacePages> {
  const stored = await readAll(content);
  const { sources } = stored;
  const all =
    sources.length === 0 || findComputed === undefined
      ? stored
      : withComputed(stored, await findComputed(content, sources));
  if (!all.isConditional) return all;
  const seen = (page: SitePage): SitePage[] => {
    const context = { visitor: { claims }, space: { vars: all.variables }, page: { vars: page.variables } };
    return evaluator.evaluate(page.condition, context).shown
      ? [{ ...page, children: page.children.flatMap(seen) }]
      : [];
  };
  return { ...all, ...indexPages(all.roots.flatMap(seen)) };
}

/**
 * Returns pages without those at or below other paths of the site, which are given in lower case with their paths on the site.
 * The first page has the path of the space, so it is kept.
 */
export function withoutCovered(
  pages: SpacePages,
  paths: ReadonlyMap<string, string>,
): { readonly pages: SpacePages; readonly covered: ReadonlyMap<SitePage, string> } {
  const covered = new Map<SitePage, string>();
  // A page below such a path has a parent at it.
  const inside = [...paths].filter(([path]) => pages.byPath.has(path));
  if (inside.length === 0) return { pages, covered };
  const first = firstDocument(pages.roots);
  const rest = (page: SitePage): SitePage[] => {
    const path = page.path.toLowerCase();
    // A link has no path of its own.
    const isAt = (each: string): boolean => path === each && page.type !== 'link';
    const [, cover] = inside.find(([each]) => isAt(each) || path.startsWith(`${each}/`)) ?? [];
    const isCovered = cover !== undefined && page.id !== first?.id;
    if (isCovered) covered.set(page, cover);
    const children = page.children.flatMap(rest);
    return isCovered ? children : [{ ...page, children }];
  };
  return { pages: { ...pages, ...indexPages(pages.roots.flatMap(rest)) }, covered };
}

async function readAll(content: ContentSource): Promise<SpacePages> {
  const { tx, space } = content;
  const { root } = await readRevision(tx, space.revision);
  const key = `${space.organization} ${root}`;
  const before = kept.get(key);
  if (before !== undefined && (await haveSameTexts(tx, space.organization, before.specifications)))
    return before;
  const entries = await readContent(tx, space.revision);
  const entriesOfPages = entries.filter((entry) => entry.kind === 'page');
  const texts = entries.filter((entry) => entry.kind === 'text');
  const { roots } = buildTree(entriesOfPages);
  const indexed = indexPages(await sitePagesOf(content, roots));
  const pages: SpacePages = {
    ...indexed,
    linkTargets: new Map(),
    files: new Map(entries.flatMap((entry) => (entry.kind === 'file' ? [[entry.id, entry] as const] : []))),
    variables: await readVariablesOf(content),
    redirects: await readSpaceRedirects(tx, texts),
    tags: await readSpaceTags(tx, texts),
    specifications: await readTexts(content, entriesOfPages),
    sources: entriesOfPages.filter(({ source }) => source !== undefined),
    digest: '',
    isConditional: [...indexed.byId.values()].some(({ condition }) => condition !== undefined),
  };
  keep(key, content, pages);
  return pages;
}

async function readTexts(
  { tx, space }: ContentSource,
  pages: readonly PageEntry[],
): Promise<Map<string, string | null>> {
  const texts = new Map<string, string | null>();
  for (const { computed } of pages) {
    const slug = computed?.dependencies.spec.ref.spec;
    if (slug !== undefined && !texts.has(slug))
      texts.set(slug, await textOfSpecification(tx, space.organization, slug));
  }
  return texts;
}

async function sitePagesOf(content: ContentSource, nodes: readonly PageNode[]): Promise<SitePage[]> {
  const pages: SitePage[] = [];
  for (const node of nodes) {
    const { page, path } = node;
    const generated = await shapeComputed(content, node, nodes, { text: 'none' });
    if (generated !== undefined) {
      const download = await downloadOf(content, page);
      // Only the first page shows the download link.
      pages.push(
        ...generated.map((each, at) => ({
          ...generatedPage(each, page),
          ...(at === 0 && download !== undefined ? { download } : {}),
        })),
      );
    } else
      pages.push({
        id: page.id,
        type: page.type,
        title: showEmojis(page.title),
        storedTitle: page.title,
        label: showEmojis(page.linkTitle ?? page.title),
        path,
        emoji: page.emoji,
        icon: page.icon,
        description: page.description === undefined ? undefined : showEmojis(page.description),
        tag: await primaryTagOf(page),
        condition: page.condition,
        variables: page.condition === undefined ? {} : ((await settingsOf(page)).variables ?? {}),
        isHidden: page.hidden === true,
        isIndexed: page.noIndex !== true && page.noRobotsIndex !== true,
        isSearched: page.noIndex !== true,
        updatedAt: page.updatedAt,
        children: await sitePagesOf(content, node.children),
        entry: page,
      });
  }
  return pages;
}

/** Returns the ID of the file of a specification on sites. */
export function downloadId(slug: string): string {
  return `openapi-${slug}`;
}

/** Returns the file that pages generated from a specification offer for download; undefined if they offer none. */
async function downloadOf(
  { tx, space }: ContentSource,
  { computed }: PageEntry,
): Promise<FileEntry | undefined> {
  if (computed?.props.downloadLink !== true) return undefined;
  const { spec } = computed.dependencies.spec.ref;
  const version = await latestVersion(tx, space.organization, spec);
  if (version === undefined) return undefined;
  const { name, contentType, bytes } = await versionFile(tx, spec, version);
  return { kind: 'file', id: downloadId(spec), name, contentType, size: bytes.length, blob: version.text };
}

/**
 * Returns the slug of the tag that the table of contents shows for a page. For pages without tags, the front matter is not read.
 */
async function primaryTagOf(page: PageEntry): Promise<string | undefined> {
  if (page.settings?.tags === undefined && page.frontMatter?.includes('primary') !== true) return undefined;
  return (await settingsOf(page)).tags?.find(({ primary }) => primary === true)?.tag;
}

/** Returns the tag of a space with a slug. If the space does not describe the tag, its label is the slug. */
export function tagOf({ tags }: SpacePages, slug: string): Pick<SpaceTag, 'label'> & Partial<SpaceTag> {
  return tags.get(slug) ?? { label: slug };
}

/** Inserts the pages of integrations at their places. */
function withComputed(stored: SpacePages, { bySeed, digest, textOf }: IntegrationPages): SpacePages {
  const replace = (page: SitePage): SitePage[] => {
    const { entry, children } = page;
    return entry?.source === undefined
      ? [{ ...page, children: children.flatMap(replace) }]
      : (bySeed.get(entry.id) ?? []).map((computed) => generatedPage(computed, entry, textOf));
  };
  return { ...stored, ...indexPages(stored.roots.flatMap(replace)), digest };
}

/** Returns a page that is generated from a source page. The condition of the source page applies to it. */
function generatedPage(page: PageBody, source: PageEntry, textOf?: (id: string) => string): SitePage {
  const type = page.type === 'group' || page.type === 'link' ? page.type : 'document';
  return {
    id: page.id,
    type,
    title: page.title,
    storedTitle: page.title,
    label: page.title,
    path: page.path ?? '',
    icon: page.icon,
    emoji: page.emoji,
    description: page.description,
    condition: source.condition,
    variables: {},
    isHidden: page.hidden === true,
    isIndexed: source.noIndex !== true && source.noRobotsIndex !== true,
    isSearched: source.noIndex !== true,
    updatedAt: page.updatedAt ?? source.updatedAt,
    children: (page.pages ?? []).map((child) => generatedPage(child, source, textOf)),
    entry: undefined,
    href: page.type === 'link' ? page.href : undefined,
    text: type === 'document' && textOf !== undefined ? () => textOf(page.id) : undefined,
  };
}

function indexPages(
  roots: readonly SitePage[],
): Pick<SpacePages, 'byId' | 'byPath' | 'above' | 'links' | 'roots' | 'downloads'> {
  const links: SitePage[] = [];
  const downloads = new Map<string, SitePage>();
  const byId = new Map<string, SitePage>();
  const byPath = new Map<string, SitePage>();
  const above = new Map<string, readonly SitePage[]>();
  const add = (page: SitePage, parents: readonly SitePage[]): void => {
    byId.set(page.id, page);
    above.set(page.id, parents);
    const path = page.path.toLowerCase();
    if (page.download !== undefined) downloads.set(page.download.id, page);
    if (page.type === 'link') links.push(page);
    else if (!byPath.has(path)) byPath.set(path, page);
    for (const child of page.children) add(child, [...parents, page]);
  };
  for (const page of roots) add(page, []);
  return { roots, byId, byPath, above, links, downloads };
}

/** Whether a page is not listed, because it or an ancestor is hidden. */
export function isUnlisted({ above }: SpacePages, page: SitePage): boolean {
  return page.isHidden || (above.get(page.id) ?? []).some(({ isHidden }) => isHidden);
}

/** Returns the first page with a text, at any depth. It is shown at the root of its space, and for a group. */
export function firstDocument(pages: readonly SitePage[]): SitePage | undefined {
  for (const page of pages) {
    if (page.isHidden) continue;
    if (page.type === 'document') return page;
    const inner = firstDocument(page.children);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Returns the pages with a text in reading order, without hidden pages and their descendants. */
export function documentsOf(pages: readonly SitePage[]): SitePage[] {
  return pages.flatMap((page) =>
    page.isHidden ? [] : [...(page.type === 'document' ? [page] : []), ...documentsOf(page.children)],
  );
}
