import type { Static } from '../../contract/schema.ts';
import { readContent } from '../../content/revisions.ts';
import { buildTree } from '../../content/tree.ts';
import type { ContentSource } from '../../content/content-source.ts';
import type { Services } from '../../core/handler.ts';
import { isContentSource } from '../integration-events/content-sources.ts';
import { scanSections } from '../../richtext/scan-sections.ts';
import { listOnSpace } from '../integration-events/targets.ts';
import type { PageBody } from '../content/schemas.ts';
import { appUrl, shapePages } from '../content/shape.ts';
import type { SearchedPage } from './contract.ts';
import { TermMatcher } from './match-terms.ts';
import { TermFinder } from './snippet.ts';

type Found = Static<typeof SearchedPage>;

/** Maximum number of matching sections of a page in a response. */
const maxSections = 8;

/** Searches the pages of a space that integrations compute. */
export type ComputedSearch = (services: Services, query: string) => Promise<Found[]>;

/** Prepares the search of pages that integrations compute. Returns undefined if the space has none, as most spaces. */
export async function openComputedSearch(content: ContentSource): Promise<ComputedSearch | undefined> {
  const { tx, space } = content;
  if (!(await listOnSpace(tx, space)).some(({ integration }) => isContentSource(integration)))
    return undefined;
  const pages = (await readContent(tx, space.revision)).filter((entry) => entry.kind === 'page');
  if (!pages.some(({ source }) => source !== undefined)) return undefined;
  const stored = await shapePages(content, buildTree(pages).roots, { text: 'none' });
  return async (services, query) => {
    const { computeAll } = await import('../content/integration-pages/compute-pages.ts');
    const all = await computeAll(services, content, stored, { text: 'markdown' });
    return searchPages(content, all, query);
  };
}

/** Finds computed pages that contain words of a query. Pages with more words come first. */
function searchPages(content: ContentSource, pages: readonly PageBody[], query: string): Found[] {
  const [matcher, finder] = [new TermMatcher(query), new TermFinder(query)];
  const found: { rank: number; page: Found }[] = [];
  const visit = (page: PageBody, ancestors: Found['ancestors']): void => {
    const { id, title, path, markdown, computedSeed } = page;
    for (const below of page.pages ?? []) visit(below, [...ancestors, { title }]);
    // Pages from specifications have no text here, because they are in the index.
    if (computedSeed === undefined || path === undefined || markdown === undefined) return;
    const ranked = scanSections(markdown).flatMap((section, index) => {
      const rank = matcher.rank(`${title}\n${section.title}\n${section.body}`);
      return rank === undefined ? [] : [{ section, index, rank }];
    });
    if (ranked.length === 0) return;
    const best = ranked.sort((one, other) => one.rank - other.rank || one.index - other.index);
    const sections = new Map<string, Found['sections'][number]>();
    for (const { section, index } of best.slice(0, maxSections)) {
      if (sections.has(section.anchor)) continue;
      const place = section.anchor === '' ? path : `${path}#${section.anchor}`;
      sections.set(section.anchor, {
        id: `${content.space.id}.${id}.${index}`,
        title: section.title === '' ? title : section.title,
        path: place,
        body: finder.excerpt(section.body).text,
        urls: { app: appUrl(content, `/${place}`) },
      });
    }
    found.push({
      rank: best[0]?.rank ?? 0,
      page: {
        id,
        title,
        path,
        sections: [...sections.values()],
        ancestors,
        urls: { app: appUrl(content, `/${path}`) },
      },
    });
  };
  for (const page of pages) visit(page, []);
  return found.sort((one, other) => one.rank - other.rank).map(({ page }) => page);
}
