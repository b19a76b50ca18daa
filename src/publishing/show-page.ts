import { settingsOf } from '../content/page-settings.ts';
import { ReferenceResolver } from '../content/links/reference-resolver.ts';
import type { ContentSource } from '../content/content-source.ts';
import { isRecord } from '../contract/values.ts';
import { openSpecification, textOfSpecification } from '../content/generated/open-specification.ts';
import { defaultLayout } from '../contract/page-layout.ts';
import { emojiOf } from '../render/emoji.ts';
import { markup } from '../render/markup.ts';
import { renderDocument, type RenderedDocument } from '../render/render-document.ts';
import { renderPage, type Cover, type PageLayout, type PageModel } from '../render/render-page.ts';
import type { RenderContext } from '../render/render-context.ts';
import { themeStyles } from '../render/theme.ts';
import { wordsOf, type Words } from '../render/words.ts';
import type { RichDocumentValue } from '../contract/shapes.ts';
import { readPageDocument, readPageMarkdown } from './page-document.ts';
import { createTargets, hrefOf, namesInReferences, type OpenSpace } from './page-links.ts';
import { createBreadcrumbs, createNavigation, neighborsOf } from './page-navigation.ts';
import type { MadePage } from './page-cache.ts';
import { pdfHref } from './pdf-answer.ts';
import { createFrame } from './site-frame.ts';
import { openSiteFiles, siteFile, type SiteFile } from './site-files.ts';
import type { ShownSpace } from './site-map.ts';
import type { SiteView } from './site-view.ts';
import type { SitePage } from './space-pages.ts';

/** Renders a page of a site as HTML. */
export async function showPage(view: SiteView, open: OpenSpace, page: SitePage): Promise<MadePage> {
  const { map } = view;
  const { shown } = open;
  const customization = view.customizationOf(shown);
  const linked = [
    ...customization.header.links,
    ...customization.footer.groups,
    customization.header.primaryLink,
  ];
  const drawn = await drawPage(view, open, page, linked);
  const { body, outline, updates, others, resolve, versions, language, words } = drawn;
  const files = openSiteFiles();
  const href = hrefOf(open, page);
  const { layout, cover, tags } = await readSettings(view, open, page, resolve);
  const asset = (file: SiteFile): string => `${map.base}~assets/${file.name}`;
  const { previous, next } = neighborsOf(open, page);
  const frame = createFrame({
    map,
    here: open,
    others,
    customization,
    language,
    pagePath: href.slice(shown.base.length),
  });
  const model: PageModel = {
    site: frame,
    assets: {
      styles: [asset(files.styles), asset(themeFile(view, shown))],
      early: asset(files.early),
      script: asset(files.script),
      favicon: faviconOf(customization.favicon),
    },
    title: page.title,
    description: page.description,
    icon: page.icon,
    emoji: page.emoji,
    layout: { ...layout, pagination: layout.pagination && customization.pagination.enabled },
    cover,
    tags,
    breadcrumbs: createBreadcrumbs(open, page),
    navigation: createNavigation(open, page, map.base),
    outline,
    body,
    previous,
    next,
    updatedAt: page.updatedAt,
    addresses: {
      canonical: view.origin + href,
      markdown: markdownHref(open, page),
      feed: updates.length > 0 ? view.origin + feedHref(open, page) : undefined,
      pdf: customization.pdf.enabled ? pdfHref(open, page) : undefined,
      languages: frame.languages.flatMap((link) =>
        link.language === undefined ? [] : [{ language: link.language, href: view.origin + link.href }],
      ),
    },
    isIndexed: page.isIndexed && !page.isHidden,
  };
  return {
    body: Buffer.from(renderPage(model, { words, icons: files.icons })),
    versions,
  };
}

/** The content of a page as a visitor sees it, with what it was made with. */
interface DrawnPage extends RenderedDocument, Pick<MadePage, 'versions'> {
  /** The spaces that the page or `linked` refers to. */
  readonly others: ReadonlyMap<string, OpenSpace>;
  readonly resolve: RenderContext['resolve'];
  readonly language: string;
  readonly words: Words;
}

/** Renders the content of a page. `linked` has references of the frame around it; with `origin`, links have whole URLs. */
export async function drawPage(
  view: SiteView,
  open: OpenSpace,
  page: SitePage,
  linked: unknown,
  origin?: string,
): Promise<DrawnPage> {
  const content = view.contentOf(open.shown);
  const document = await readPageDocument(content, page, await readPageMarkdown(content, page));
  const others = await view.openSpaces(namesInReferences([document, linked], 'space'));
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
  const language = open.shown.space.language ?? view.customizationOf(open.shown).internationalization.locale;
  const words = wordsOf(language);
  const specifications = await readSpecifications(content, document);
  const rendered = await renderDocument(document, {
    resolve,
    evaluate: () => undefined,
    isTrue: () => false,
    specification: specifications.find,
    words,
    icons: openSiteFiles().icons,
  });
  return { ...rendered, others, resolve, versions: specifications.versions, language, words };
}

/** The icon of the browser tab. Without one, a browser would ask for /favicon.ico. */
function faviconOf(favicon: ReturnType<SiteView['customizationOf']>['favicon']): string {
  if ('icon' in favicon) return favicon.icon.light;
  if (!('emoji' in favicon)) return 'data:,';
  const svg = markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text y=".9em" font-size="90">${emojiOf(favicon.emoji)}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg.text)}`;
}

/** The path of the Markdown of a page. */
export function markdownHref(open: OpenSpace, page: SitePage): string {
  const href = hrefOf(open, page);
  return href.endsWith('/') ? `${href}index.md` : `${href}.md`;
}

/** The path of the feed of a page with updates. */
export function feedHref(open: OpenSpace, page: SitePage): string {
  const href = hrefOf(open, page);
  return href.endsWith('/') ? `${href}rss.xml` : `${href}/rss.xml`;
}

/** The styles of a site with its own colors and fonts. */
export function themeFile(view: SiteView, shown: ShownSpace | undefined): SiteFile {
  const { styling } = view.customizationOf(shown);
  return siteFile('theme', 'css', 'text/css; charset=utf-8', Buffer.from(themeStyles(styling)));
}

/** What the front matter of a page says about its look. */
async function readSettings(
  view: SiteView,
  open: OpenSpace,
  page: SitePage,
  resolve: RenderContext['resolve'],
): Promise<{
  readonly layout: PageLayout;
  readonly cover: Cover | undefined;
  readonly tags: PageModel['tags'];
}> {
  const settings = page.entry === undefined ? {} : await settingsOf(page.entry);
  const { width, cover: hasCover, coverSize, coverMask, ...flags } = { ...defaultLayout, ...settings.layout };
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
    return resolve(await references.resolve(references.sourceOf(page.entry, page.path), address))?.href;
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
    tags: (settings.tags ?? []).map(({ tag }) => ({ label: tag })),
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
