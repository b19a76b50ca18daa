import { html, json } from './content-types.ts';
import { searchAddress, showNotice } from './notices.ts';
import { wordsFor } from './open-frame.ts';
import { maxQueryLength, searchSite } from './search-site.ts';
import type { SiteAnswer } from './site-request.ts';
import type { Visit } from './visit.ts';

/** Answers a search in a site: a page, or data for a reader that asks for JSON. */
export async function searchAnswer({ request, view }: Visit): Promise<SiteAnswer> {
  const query = (request.query.get('q') ?? '').slice(0, maxQueryLength);
  const from = request.query.get('space');
  const items = await searchSite(view, query, from);
  if (/\bapplication\/json\b/.test(request.accept ?? ''))
    return { status: 200, headers: json, body: JSON.stringify({ items }) };
  const { words } = wordsFor(view);
  const body = await showNotice(view, undefined, () => ({
    title: words.search,
    text: query !== '' && items.length === 0 ? words.noResults : undefined,
    search: { action: searchAddress(view), query, from: from ?? undefined },
    results: items.map(({ section, title, ...item }) => ({
      ...item,
      title: section === undefined ? title : `${title} › ${section}`,
    })),
  }));
  return { status: 200, headers: html, body };
}
