import type { Notice } from '../render/render-notice.ts';
import { html, json } from './content-types.ts';
import { searchAddress, showNotice } from './notices.ts';
import { wordsFor } from './open-frame.ts';
import { frameOfSearch } from './search-scope.ts';
import { maxQueryLength, searchSite } from './search-site.ts';
import type { SiteAnswer } from './site-request.ts';
import type { Visit } from './visit.ts';
import { truncate } from '../contract/values.ts';

/** Answers a search in a site: with a page, or with JSON if the client accepts it. */
export async function searchAnswer({ request, view }: Visit): Promise<SiteAnswer> {
  const query = truncate(request.query.get('q') ?? '', maxQueryLength);
  const from = request.query.get('space');
  const items = await searchSite(view, query, from);
  if (/\bapplication\/json\b/.test(request.accept ?? ''))
    return { status: 200, headers: json, body: JSON.stringify({ items }) };
  const shown = frameOfSearch(view.map, from);
  const here = shown === undefined ? undefined : await view.openSpace(shown);
  const { words } = wordsFor(view, here);
  const { mode, greeting, suggestions = [] } = view.customizationOf(shown).ai;
  const isEmpty = query.trim() === '';
  const write = (): Notice => ({
    title: words.search,
    text:
      isEmpty && mode === 'assistant' ? greeting : isEmpty || items.length > 0 ? undefined : words.noResults,
    // Before the first question, the site suggests questions.
    links:
      isEmpty && mode !== 'none'
        ? suggestions.map((title) => ({
            title,
            href: `${searchAddress(view)}?q=${encodeURIComponent(title)}`,
          }))
        : [],
    search: { action: searchAddress(view), query, from: from ?? undefined },
    results: items.map(({ section, title, ...item }) => ({
      ...item,
      title: section === undefined || section === '' ? title : `${title} › ${section}`,
    })),
  });
  const body = await showNotice(view, here, write, { hasContents: false });
  return { status: 200, headers: html, body };
}
