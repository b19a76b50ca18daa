import { wordsOf } from '../render/words.ts';
import { commonHeaders } from './answer-headers.ts';
import { html } from './content-types.ts';
import { renderNotice } from './notice-page.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import { similarPages } from './similar-pages.ts';
import type { SiteAnswer, SiteRequest } from './site-request.ts';
import type { SiteView } from './site-view.ts';
import type { Visit } from './visit.ts';

export function missing({ view, visitor }: Visit, open: OpenSpace | undefined): SiteAnswer {
  const { language, words } = wordsFor(view, open);
  const similar =
    open === undefined
      ? []
      : similarPages(open, visitor.segments).map((page) => ({ href: hrefOf(open, page), title: page.title }));
  const body = renderNotice(
    {
      title: words.notFound,
      text: similar.length === 0 ? undefined : words.similarPages,
      base: view.map.base,
      search: {
        action: `${view.map.base}~gitbook/search`,
        query: visitor.segments.at(-1)?.replace(/[-_]+/g, ' ') ?? '',
      },
      links: [...similar, { href: view.map.base, title: view.map.site.title }],
    },
    words,
    language,
  );
  return { status: 404, headers: html, body };
}

export function unknownSite(request: SiteRequest): SiteAnswer {
  const words = wordsOf('en');
  const headers = commonHeaders({ isSecure: request.isSecure, isPrivate: true, hasKey: true });
  return {
    status: 404,
    headers: { ...headers, ...html },
    body: renderNotice({ title: words.notFound }, words, 'en'),
  };
}

export function wordsFor(view: SiteView, open?: OpenSpace) {
  const language =
    open?.shown.space.language ?? view.customizationOf(open?.shown).internationalization.locale;
  return { language, words: wordsOf(language) };
}
