import { getOrInsert } from '../contract/values.ts';
import { markup } from '../render/markup.ts';
import { emojiOf } from '../contract/emoji.ts';
import { RecentMap } from '../core/recent-map.ts';
import type { PageAssets, SiteFrame } from '../render/render-frame.ts';
import type { Icons } from '../render/icons.ts';
import { themeStyles } from '../render/theme.ts';
import { wordsOf, type Words } from '../render/words.ts';
import { namesInReferences, type OpenSpace } from './page-links.ts';
import { createFrame, imageAddress, imageOf, type FrameContext } from './site-frame.ts';
import { siteFile, type SiteFile } from './site-file.ts';
import { openSiteFiles } from './site-files.ts';
import type { ShownSpace } from './site-map.ts';
import type { SiteView } from './site-view.ts';

/** The frame of a page, and the data for rendering the page. */
interface OpenFrame {
  readonly site: SiteFrame;
  readonly assets: PageAssets;
  readonly words: Words;
  readonly icons: Icons;
  readonly customization: ReturnType<SiteView['customizationOf']>;
  /** The path or URL of the preview image that other services show for links to the site. */
  readonly preview: string | undefined;
}

/** Opens the frame of pages in a space, or of pages of the site outside of spaces. */
export async function openFrame(
  view: SiteView,
  here: OpenSpace | undefined,
  /** The path of the page in its space. */
  pagePath = '',
  /** Other versions of the page, which its `metaLinks` name. */
  alternates: FrameContext['alternates'] = [],
): Promise<OpenFrame> {
  const { map } = view;
  const customization = view.customizationOf(here?.shown);
  const { header, footer, announcement, favicon, socialPreview } = customization;
  const linked = [header, footer, announcement?.link, favicon, socialPreview];
  const others = await view.openSpaces(namesInReferences(linked, 'space'));
  const { language, words } = wordsFor(view, here);
  const { styles, early, script, diagrams, icons } = openSiteFiles();
  const languageOf = (shown: ShownSpace): string => view.languageOf(shown);
  const { isSignedIn } = view;
  const withStart = new Set<string>();
  for (const shown of map.spaces) if (await view.hasStart(shown)) withStart.add(shown.space.id);
  const context = {
    map,
    here,
    others,
    customization,
    language,
    pagePath,
    alternates,
    languageOf,
    isSignedIn,
    withStart,
  };
  const site = createFrame(context);
  const addressOf = ({ name }: SiteFile): string => `${map.base}~assets/${name}`;
  const injected = await view.scripts();
  const scripts = (needsCookies: boolean): string[] =>
    injected
      .filter((one) => one.needsCookies === needsCookies)
      .map(({ name }) => `${map.base}~gitbook/scripts/${name}`);
  const asked = scripts(true);
  const assets = {
    scripts: scripts(false),
    consent:
      asked.length === 0
        ? undefined
        : { scripts: asked, path: map.base, policy: customization.privacyPolicy.url },
    styles: [addressOf(styles), addressOf(themeFile(view, here?.shown))],
    early: addressOf(early),
    script: addressOf(script),
    diagrams: diagrams && addressOf(diagrams.frame),
    favicon: faviconOf(favicon, context),
  };
  const preview = imageAddress(socialPreview.url, context);
  return { site, assets, words, icons, customization, preview };
}

/** Returns the language of a space, or of the site, and the texts in it. */
export function wordsFor(
  view: SiteView,
  open?: OpenSpace,
): { readonly language: string; readonly words: Words } {
  const language = view.languageOf(open?.shown);
  return { language, words: wordsOf(language) };
}

/** Stylesheets by the JSON of their settings. */
const themes = new RecentMap<SiteFile>(100);

/** Returns the stylesheet of a site with its colors and fonts. */
export function themeFile(view: SiteView, shown: ShownSpace | undefined): SiteFile {
  const { styling, header } = view.customizationOf(shown);
  const settings = { ...styling, header };
  return getOrInsert(themes, JSON.stringify(settings), () =>
    siteFile('theme', 'css', 'text/css; charset=utf-8', Buffer.from(themeStyles(settings))),
  );
}

/** Returns the icon of the browser tab. If there were none, browsers would request /favicon.ico. */
function faviconOf(
  favicon: ReturnType<SiteView['customizationOf']>['favicon'],
  context: FrameContext,
): PageAssets['favicon'] {
  if ('icon' in favicon) return imageOf(favicon.icon, context) ?? { light: 'data:,' };
  if (!('emoji' in favicon)) return { light: 'data:,' };
  const svg = markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text y=".9em" font-size="90">${emojiOf(favicon.emoji)}</text></svg>`;
  return { light: `data:image/svg+xml,${encodeURIComponent(svg.text)}` };
}
