import type { Static } from '../contract/schema.ts';
import type { SiteFrame, PageLink, SectionTab } from '../render/render-frame.ts';
import { safeAddress } from '../render/addresses.ts';
import { showEmojis } from '../render/emoji-names.ts';
import type { SiteCustomization } from '../resources/site-customization/schemas.ts';
import { searchOrigin } from './search-scope.ts';
import { signOutPath } from './request-addresses.ts';
import { socialLink } from './social-link.ts';
import type { AlternatePage } from './meta-links.ts';
import { fileHref, hrefOf, type OpenSpace } from './page-links.ts';
import { isSection, placeOf, type ShownItem, type ShownSpace, type SiteMap } from './site-map.ts';

type Customization = Static<typeof SiteCustomization>;
type Link = {
  readonly title: string;
  readonly localizedTitle?: Record<string, string>;
  readonly to: unknown;
};

/** Languages that are written from right to left. */
const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'yi']);

/** The data for the frame of a page, besides the page. */
export interface FrameContext {
  readonly map: SiteMap;
  /** The space that the page is in; undefined for a page of the whole site. */
  readonly here: OpenSpace | undefined;
  /** Spaces that contain targets of the customization's links. */
  readonly others: ReadonlyMap<string, OpenSpace>;
  readonly customization: Customization;
  readonly language: string;
  /** The path of the page in its space. Other versions and languages may have the same path. */
  readonly pagePath: string;
  /** Other versions of the page, which its `metaLinks` name. */
  readonly alternates: readonly AlternatePage[];
  /** Returns the language of a space: its own, or the one of the site. */
  readonly languageOf: (shown: ShownSpace) => string;
  /** Whether the page shows a link to sign out. */
  readonly isSignedIn: boolean;
  /** The IDs of the spaces that have a page for the visitor at their path. Menus leave out the others. */
  readonly withStart: ReadonlySet<string>;
}

/**
 * Creates the frame of a page: header, sections, versions and languages, and footer, according to the customization of the site.
 */
export function createFrame(context: FrameContext): SiteFrame {
  const { map, here, customization, language } = context;
  const { header, footer, themes, announcement, favicon, socialAccounts, externalLinks, privacyPolicy } =
    customization;
  const local = (text: string, texts: Record<string, string> | undefined): string =>
    showEmojis(texts?.[language] ?? text);
  const linkOf = ({ title, localizedTitle, to }: Link): PageLink[] => {
    const href = addressOf(to, context);
    return href === undefined ? [] : [{ title: local(title, localizedTitle), href }];
  };
  const links = header.links.filter(
    ({ condition }) => map.evaluator.evaluate(condition, { visitor: { claims: map.claims } }).shown,
  );
  const { variants, languages } = alternatives(context);
  return {
    title: local(customization.title ?? map.site.title, customization.localizedTitle),
    home: addressOf(header.primaryLink, context) ?? map.base,
    hasHeader: header.preset !== 'none',
    logo: imageOf(header.logo, context),
    externalTarget: externalLinks.target === 'blank' ? '_blank' : undefined,
    emoji: 'emoji' in favicon ? favicon.emoji : undefined,
    language,
    direction: directionOf(language),
    sections: map.items.flatMap((item) => tabOf(item, context)),
    variants,
    languages,
    headerLinks: links.flatMap((item): SectionTab[] => {
      const { style } = item;
      const own = linkOf(item);
      const inner = item.links.flatMap(linkOf);
      if (inner.length === 0) return own.map((link) => ({ ...link, style }));
      // In a menu, the first entry is the link of the menu itself.
      const children = [...own, ...inner];
      const title = local(item.title, item.localizedTitle);
      return [{ title, href: children[0]?.href ?? '', children, style }];
    }),
    social: socialAccounts.filter(({ display }) => display.header).map(socialLink),
    footer: {
      logo: imageOf(footer.logo, context),
      groups: footer.groups.map((group) => ({
        title: local(group.title, group.localizedTitle),
        links: group.links.flatMap(linkOf),
      })),
      copyright: footer.copyright,
      social: socialAccounts.filter(({ display }) => display.footer).map(socialLink),
      privacyPolicy: privacyPolicy.url,
      hasTrademark: customization.trademark.enabled,
    },
    announcement:
      announcement?.enabled === true
        ? {
            message: local(announcement.message, announcement.localizedMessage),
            style: announcement.style,
            link: announcement.link === undefined ? undefined : linkOf(announcement.link)[0],
          }
        : undefined,
    theme: themes.default === 'system' ? 'auto' : themes.default,
    hasThemeToggle: themes.toggeable,
    signOut: context.isSignedIn ? `${map.base}${signOutPath}` : undefined,
    search: `${map.base}~gitbook/search`,
    searchFrom: searchOrigin(map, here?.shown),
    isIndexed: map.site.visibility === 'public',
  };
}

/** Returns the path or URL of a link of the customization; undefined if the visitor cannot open it. */
function addressOf(to: unknown, { map, here, others, withStart }: FrameContext): string | undefined {
  const target = (to ?? {}) as { kind?: string; url?: string; space?: string; page?: string; file?: string };
  if (target.kind === 'url') return safeAddress(target.url ?? '');
  const shown = placeOf(map, target.space ?? '');
  if (shown === undefined) return undefined;
  if (target.kind === 'space') return withStart.has(shown.space.id) ? shown.base : undefined;
  const open = shown.space.id === here?.shown.space.id ? here : others.get(shown.space.id);
  if (target.kind === 'file') {
    const file = open?.pages.files.get(target.file ?? '');
    return open === undefined || file === undefined ? undefined : fileHref(open.shown, file);
  }
  const page = open?.pages.byId.get(target.page ?? '');
  return open === undefined || page === undefined ? undefined : hrefOf(open, page);
}

/** Returns an image of the customization for both themes; undefined if the visitor cannot open it. */
export function imageOf(
  image: { readonly light: unknown; readonly dark: unknown } | undefined,
  context: FrameContext,
): { readonly light: string; readonly dark?: string | undefined } | undefined {
  const [light, dark] = [image?.light, image?.dark].map((source) => imageAddress(source, context));
  if (light !== undefined) return { light, dark };
  return dark === undefined ? undefined : { light: dark };
}

/** Returns the path or URL of an image, which is a URL or a file of a space. */
export function imageAddress(source: unknown, context: FrameContext): string | undefined {
  return addressOf(typeof source === 'string' ? { kind: 'url', url: source } : source, context);
}

/**
 * Returns the tab of an item; none if the visitor can open none of its spaces, or if all of them are hidden and the page is in
 * none of them.
 */
function tabOf(item: ShownItem, context: FrameContext): SectionTab[] {
  if ('url' in item) {
    const { title, icon, description, url } = item;
    return [{ title, icon, description, href: safeAddress(url) ?? '#' }];
  }
  if (isSection(item)) {
    const { title, icon, description, id } = item.row;
    const isCurrent = context.here?.shown.section?.row.id === id;
    const open = item.spaces.filter(({ space }) => context.withStart.has(space.id));
    const listed = open.filter(({ row }) => !row.hidden);
    if (listed.length === 0 && !(isCurrent && open.length > 0)) return [];
    const href = listed.find(({ base }) => base === item.base) ?? listed[0] ?? item;
    return [{ title, icon, description, href: href.base, isCurrent }];
  }
  const { title, icon, items } = item;
  const children = items.flatMap((inner) => tabOf(inner, context));
  const [first] = children;
  if (first === undefined) return [];
  const isCurrent = children.some((child) => child.isCurrent === true);
  return [{ title, icon, href: first.href, isCurrent, children }];
}

/** Returns the other versions and languages of a page: the spaces of the same section. */
function alternatives({
  map,
  here,
  pagePath,
  alternates,
  languageOf,
  withStart,
}: FrameContext): Pick<SiteFrame, 'variants' | 'languages'> {
  if (here === undefined) return { variants: [], languages: [] };
  const { shown } = here;
  const own = map.spaces.filter(
    ({ section, row, space }) =>
      section?.row.id === shown.section?.row.id &&
      (row.id === shown.row.id || (!row.hidden && withStart.has(space.id))),
  );
  const languages = new Set(own.map(languageOf));
  const linkTo = (target: (typeof own)[number]): PageLink => ({
    title: target.title,
    // The link leads to the page that `metaLinks` name, else to the page at the same path, else to the first page.
    href:
      alternates.find(({ space }) => space === target.space.id && space !== shown.space.id)?.href ??
      (pagePath === '' ? target.base : `${target.base}${pagePath}?fallback=true`),
    isCurrent: target.row.id === shown.row.id,
    language: target.space.language,
  });
  const languageLinks = [...languages].flatMap((language) => {
    const first = language === languageOf(shown) ? shown : own.find((each) => languageOf(each) === language);
    return first === undefined ? [] : [{ ...linkTo(first), title: nameOf(language), language }];
  });
  return {
    variants: own.filter((each) => languageOf(each) === languageOf(shown)).map(linkTo),
    languages: languages.size > 1 ? languageLinks : [],
  };
}

/** Returns the name of a language in that language. */
function nameOf(language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}

/** Returns the direction in which a language is written. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(language) ? 'rtl' : 'ltr';
}
