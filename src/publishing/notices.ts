import { renderFrame, type SiteFrame } from '../render/render-frame.ts';
import { renderBareNotice, renderNotice, type Notice } from '../render/render-notice.ts';
import { wordsOf } from '../render/words.ts';
import { commonHeaders } from './answer-headers.ts';
import { html, plain } from './content-types.ts';
import { openFrame, wordsFor } from './open-frame.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import { createNavigation } from './page-navigation.ts';
import { readNavigation } from './read-navigation.ts';
import { openSiteFiles } from './site-files.ts';
import { similarPages } from './similar-pages.ts';
import { directionOf } from './site-frame.ts';
import type { SiteAnswer, SiteRequest } from './site-request.ts';
import type { SiteView } from './site-view.ts';
import type { Visit } from './visit.ts';

/** Answers that a site has no such page, in the frame of the space that contains the path, or else of the first space. */
export async function missing({ view, visitor }: Visit, open: OpenSpace | undefined): Promise<SiteAnswer> {
  const isOpen = open !== undefined && (await view.hasStart(open.shown));
  const first = isOpen ? undefined : await view.firstWithStart([]);
  const here = isOpen ? open : first && (await view.openSpace(first));
  const { words } = wordsFor(view, here);
  const similar =
    open === undefined
      ? []
      : (await similarPages(open, visitor.segments)).map((page) => ({
          href: hrefOf(open, page),
          title: page.title,
        }));
  const query = (visitor.segments.at(-1) ?? '')
    .replace(/[-_]+/g, ' ')
    .replace(/\.(?:md|html?)$/i, '')
    .trim();
  const search = { href: searchAddress(view, query), title: `${words.search}: ${query}` };
  const body = await showNotice(view, here, ({ title, home }) => ({
    title: words.notFound,
    group: similar.length === 0 ? undefined : { title: words.similarPages, links: similar },
    ways: [...(query === '' ? [] : [search]), { href: home, title }],
  }));
  return { status: 404, headers: html, body };
}

/** Returns the address of a search in a site. */
export function searchAddress({ map }: SiteView, query?: string): string {
  const search = query === undefined ? '' : `?${new URLSearchParams({ q: query }).toString()}`;
  return `${map.base}~gitbook/search${search}`;
}

/** Shows a notice in the frame of a space, by default with its table of contents, or in the frame of the whole site. */
export async function showNotice(
  view: SiteView,
  here: OpenSpace | undefined,
  write: (site: SiteFrame) => Notice,
  { hasContents = true }: { hasContents?: boolean } = {},
): Promise<string> {
  const { site, assets, words, icons } = await openFrame(view, here);
  const notice = write(site);
  const page = {
    // The page already has a search form.
    site: notice.search === undefined ? site : { ...site, search: undefined },
    assets,
    title: notice.title,
    isIndexed: false,
    navigation:
      here === undefined || !hasContents
        ? []
        : createNavigation(here, undefined, await readNavigation(view, here)),
    hasSidebar: here !== undefined && hasContents,
    isWide: false,
    main: renderNotice(notice, words),
  };
  return renderFrame(page, { words, icons });
}

/** Answers that there is no site at an address, or none for this visitor. The page is the same for all visitors. */
export function unknownSite({ isSecure }: SiteRequest): SiteAnswer {
  const headers = commonHeaders({ isSecure, isPrivate: true, hasKey: true });
  return { status: 404, headers: { ...headers, ...html }, body: bareNotice('notFound') };
}

/**
 * Returns a page that does not name a site, by default in English. It loads its styles below `base`, the path of the site or
 * server.
 */
export function bareNotice(title: 'notFound' | 'signIn', base = '/', language = 'en'): string {
  const words = wordsOf(language);
  const { styles, early } = openSiteFiles();
  return renderBareNotice(
    { title: words[title], text: title === 'signIn' ? words.signInHelp : undefined },
    {
      words,
      language,
      direction: directionOf(language),
      styles: `${base}~assets/${styles.name}`,
      early: `${base}~assets/${early.name}`,
    },
  );
}

/** Answers a request whose method its address does not support. */
export function onlyMethods(allow: string): SiteAnswer {
  return {
    status: 405,
    headers: { ...plain, allow },
    body: `This method is not allowed here. Allowed: ${allow}.\n`,
  };
}
