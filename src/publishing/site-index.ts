import { listedSpaces } from './agent-files.ts';
import { json } from './content-types.ts';
import { missing } from './notices.ts';
import { hrefOf } from './page-links.ts';
import type { SiteAnswer } from './site-request.ts';
import { documentsOf } from './space-pages.ts';
import type { Visit } from './visit.ts';

/** Answers with a list of the pages that searches of the visitor can find, for agents: titles, addresses, and their locations. */
export async function siteIndexAnswer(visit: Visit): Promise<SiteAnswer> {
  const { map, origin } = visit.view;
  if (map.site.agentsContext === 'excluded') return missing(visit, undefined);
  const pages: object[] = [];
  for (const shown of listedSpaces(map)) {
    const open = await visit.view.openSpace(shown);
    const place = [shown.section?.row.title, map.spaces.length > 1 ? shown.title : undefined];
    for (const page of documentsOf(open.pages.roots).filter(({ isSearched }) => isSearched)) {
      const path = hrefOf(open, page);
      pages.push({
        id: page.id,
        title: page.title,
        path,
        url: origin + path,
        description: page.description === '' ? undefined : page.description,
        breadcrumbs: [
          ...place.filter((name) => name !== undefined),
          ...(open.pages.above.get(page.id) ?? []).map(({ label }) => label),
        ],
        language: shown.space.language,
        updatedAt: page.updatedAt,
      });
    }
  }
  return { status: 200, headers: json, body: JSON.stringify({ pages }) };
}
