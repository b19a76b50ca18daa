import { settingsOf } from '../content/page-settings.ts';
import { ReferenceResolver } from '../content/links/reference-resolver.ts';
import type { ContentSource } from '../content/content-source.ts';
import { isRecord } from '../contract/values.ts';
import { openSpecification, textOfSpecification } from '../content/generated/open-specification.ts';
import { defaultLayout } from '../contract/page-layout.ts';
import { renderDocument, type RenderedDocument } from '../render/render-document.ts';
import { renderPage, type Cover, type PageLayout, type PageModel } from '../render/render-page.ts';
import type { RenderContext } from '../render/render-context.ts';
import type { RichDocumentValue } from '../contract/shapes.ts';
import { readPageDocument, readPageMarkdown } from './page-document.ts';
import { openFrame, wordsFor } from './open-frame.ts';
import { pageAtAddress } from './page-address.ts';
import { createTargets, hrefOf, namesInReferences, type OpenSpace } from './page-links.ts';
import { createBreadcrumbs, createNavigation, neighborsOf } from './page-navigation.ts';
import { BlockSlots } from './block-slots.ts';
import type { MadePage } from './page-cache.ts';
import { readNavigation } from './read-navigation.ts';
import { readMetaLinks, type AlternatePage } from './meta-links.ts';
import { actionsOf } from './page-actions.ts';
import { pdfHref } from './pdf-answer.ts';
import { openSiteFiles } from './site-files.ts';
import type { ShownSpace } from './site-map.ts';
import type { SiteView } from './site-view.ts';
import { isUnlisted, tagOf, type SitePage } from './space-pages.ts';

/** Renders a page of a site as HTML. */
export async function showPage(view: SiteView, open: OpenSpace, page: SitePage): Promise<MadePage> {
  const { map } = view;
  const { shown } = open;
  const { body, outline, updates, versions, blocks } = await drawPage(view, open, page);
  const href = hrefOf(open, page);
  const metaLinks = await readMetaLinks(view, open, page);
  const frame = await openFrame(view, open, href.slice(shown.base.length), metaLinks.alternates);
  const { site, assets, words, icons, customization, preview } = frame;
  const { layout, cover, tags } = await readSettings(view, open, page);
  const { previous, next } = neighborsOf(open, page);
  const model: PageModel = {
    site,
    assets,
    title: page.title,
    description: page.description,
    icon: page.icon,
    emoji: page.emoji,
    layout: { ...layout, pagination: layout.pagination && customization.pagination.enabled },
    cover,
    tags,
    breadcrumbs: createBreadcrumbs(open, page),
    navigation: createNavigation(open, page, await readNavigation(view, open)),
    outline,
    body,
    previous,
    next,
    updatedAt: page.updatedAt,
    addresses: {
      canonical: absolute(view, metaLinks.canonical ?? href) ?? href,
      markdown: markdownHref(open, page),
      preview: absolute(view, cover?.light ?? preview),
      feed: updates.length > 0 ? view.origin + feedHref(open, page) : undefined,
      pdf: customization.pdf.enabled ? pdfHref(open, page) : undefined,
      ...actionsOf(view, open, page),
      alternates: await alternatesOf(view, site, { shown, current: href, named: metaLinks.alternates }),
    },
    feedback: view.asksForFeedback(shown)
      ? { action: `${map.base}~gitbook/feedback`, fields: { siteSpace: shown.row.id, page: page.id } }
      : undefined,
    isIndexed: page.isIndexed && !isUnlisted(open.pages, page),
  };
  return {
    body: Buffer.from(renderPage(model, { words, icons })),
    versions,
    blocks,
  };
}

/** The rendered content of a page for a visitor, with its dependencies. */
type DrawnPage = RenderedDocument & Pick<MadePage, 'versions' | 'blocks'>;

/** Renders the content of a page. With `origin`, links are absolute. */
export async function drawPage(
  view: SiteView,
  open: OpenSpace,
  page: SitePage,
  origin?: string,
): Promise<DrawnPage> {
  const content = view.contentOf(open.shown);
  const document = await readPageDocument(view, content, page, await readPageMarkdown(content, page));
  const others = await view.openSpaces(namesInReferences(document, 'space'));
  const targets = createTargets(open, others);
  const resolve: RenderContext['resolve'] =
    origin === undefined
      ? targets
      : (ref) => {
          const target = targets(ref);
          return target === undefined || !target.href.startsWith('/')
            ? target
            : { ...target, href: origin + target.href };
        };
  const specifications = await readSpecifications(content, document);
  // Feeds do not show blocks of integrations.
  const slots = new BlockSlots(origin === undefined ? (await view.installedOn(open.shown)).integrations : []);
  const rendered = await renderDocument(document, {
    resolve,
    addressOf: view.namesBroken
      ? (ref) => (isRecord(ref) && typeof ref['address'] === 'string' ? ref['address'] : undefined)
      : undefined,
    evaluate: () => undefined,
    isTrue: () => false,
    specification: specifications.find,
    drawBlock: slots.add,
    tag: (slug) => tagOf(open.pages, slug),
    pageTitle: page.entry === undefined && page.text === undefined ? undefined : page.title,
    hasHeadingLinks: (await layoutOf(page)).anchors,
    externalTarget: view.customizationOf(open.shown).externalLinks.target === 'blank' ? '_blank' : undefined,
    words: wordsFor(view, open).words,
    icons: openSiteFiles().icons,
  });
  // Generated pages depend on specifications without a reference, and the table of contents lists such pages.
  const versions = new Map([...open.pages.specifications, ...specifications.versions]);
  return { ...rendered, blocks: slots.blocks, versions };
}

/**
 * Returns the languages of a page, and the other versions that its `metaLinks` name. Languages without the page are left out; the
 * menu links to their first page. Search engines ignore links between versions that are not mutual, so only the first version in
 * each language names the others, and a page with another canonical page names none.
 */
async function alternatesOf(
  view: SiteView,
  { languages, variants }: PageModel['site'],
  { shown, current, named }: { shown: ShownSpace; current: string; named: readonly AlternatePage[] },
): Promise<PageModel['addresses']['alternates']> {
  const own: AlternatePage[] = [];
  const isNamed = shown.row.hidden !== true && variants[0]?.isCurrent === true;
  for (const link of isNamed ? languages : []) {
    const { language } = link;
    if (language === undefined) continue;
    if (link.isCurrent === true) own.push({ language, href: current });
    else if (!link.href.startsWith('/')) own.push({ language, href: link.href });
    else {
      const found = await pageAtAddress(view, link.href);
      if (found === undefined) continue;
      const { alternates } = await readMetaLinks(view, found.open, found.page);
      const back = alternates.find(({ space }) => space === shown.space.id);
      if (back === undefined || back.href === current)
        own.push({ language, href: hrefOf(found.open, found.page) });
    }
  }
  const known = new Set(own.map(({ language }) => language));
  const others = named.filter(({ language }) => language === undefined || !known.has(language));
  return [...own, ...others].map(({ language, href }) => ({ language, href: absolute(view, href) ?? href }));
}

/** Returns the URL of a path on the site; other addresses unchanged. */
function absolute({ origin }: SiteView, address: string | undefined): string | undefined {
  return address?.startsWith('/') === true ? origin + address : address;
}

/** Returns the path of the Markdown of a page. */
export function markdownHref(open: OpenSpace, page: SitePage): string {
  const href = hrefOf(open, page);
  return href.endsWith('/') ? `${href}index.md` : `${href}.md`;
}

/** Returns the path of the feed of a page with updates. */
export function feedHref(open: OpenSpace, page: SitePage): string {
  const href = hrefOf(open, page);
  return href.endsWith('/') ? `${href}rss.xml` : `${href}/rss.xml`;
}

/** Returns the layout of a page: which of its parts are shown. */
async function layoutOf({ entry }: SitePage): Promise<typeof defaultLayout> {
  return { ...defaultLayout, ...(entry === undefined ? undefined : (await settingsOf(entry)).layout) };
}

/** Reads the appearance settings in the front matter of a page. */
async function readSettings(
  view: SiteView,
  open: OpenSpace,
  page: SitePage,
): Promise<{
  readonly layout: PageLayout;
  readonly cover: Cover | undefined;
  readonly tags: PageModel['tags'];
}> {
  const settings = page.entry === undefined ? {} : await settingsOf(page.entry);
  const { width, cover: hasCover, coverSize, coverMask, ...flags } = await layoutOf(page);
  const layout: PageLayout = {
    ...flags,
    isWide: width === 'wide',
    cover: hasCover ? coverSize : 'none',
    hasCoverMask: coverMask === 'radial',
  };
  const { ref, refDark, yPos = 0, height = 240 } = settings.cover ?? {};
  const references = new ReferenceResolver(view.contentOf(open.shown));
  const imageOf = async (address: string | undefined): Promise<string | undefined> => {
    if (address === undefined || page.entry === undefined) return undefined;
    const found = await references.resolve(references.sourceOf(page.entry, page.path), address);
    return createTargets(open, await view.openSpaces(namesInReferences(found, 'space')))(found)?.href;
  };
  const light = (await imageOf(ref)) ?? (await imageOf(refDark));
  return {
    layout,
    cover:
      light === undefined
        ? undefined
        : {
            light,
            dark: await imageOf(refDark),
            shift: Math.max(-100, Math.min(100, Math.round(yPos / 5) * 5)),
            height: Math.max(20, Math.min(700, Math.round(height / 20) * 20)),
          },
    tags: (settings.tags ?? []).map(({ tag }) => tagOf(open.pages, tag)),
  };
}

/** Reads the specifications that a document refers to. */
async function readSpecifications(
  { tx, space }: ContentSource,
  document: RichDocumentValue,
): Promise<{ readonly find: RenderContext['specification']; readonly versions: MadePage['versions'] }> {
  const found = new Map<string, Record<string, unknown>>();
  const versions = new Map<string, string | null>();
  for (const slug of namesInReferences(document.nodes, 'spec')) {
    versions.set(slug, await textOfSpecification(tx, space.organization, slug));
    const opened = await openSpecification(tx, space.organization, slug);
    if (opened !== undefined) found.set(slug, opened.root);
  }
  return { find: (ref) => (isRecord(ref) ? found.get(String(ref['spec'])) : undefined), versions };
}
