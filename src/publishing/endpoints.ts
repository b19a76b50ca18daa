import { renderNavigation } from '../render/render-navigation.ts';
import { llmsOf, robotsOf, sitemapIndexOf, sitemapOf } from './agent-files.ts';
import { blockAction } from './block-action.ts';
import { html, json, markdown, plain, xml } from './content-types.ts';
import { feedbackAnswer } from './feedback-answer.ts';
import { missing, onlyMethods } from './notices.ts';
import { fullTextAnswer } from './full-text.ts';
import { wordsFor } from './open-frame.ts';
import { createBranch } from './page-navigation.ts';
import { readNavigation } from './read-navigation.ts';
import type { OpenSpace } from './page-links.ts';
import { pdfAnswer } from './pdf-answer.ts';
import { searchAnswer } from './search-answer.ts';
import { sitemapAt } from './sitemap-names.ts';
import { openSiteFiles } from './site-files.ts';
import type { EndpointAnswer, SiteAnswer } from './site-request.ts';
import { siteIndexAnswer } from './site-index.ts';
import type { Visit } from './visit.ts';

/** Answers a request to one of the special addresses of a site, after the visitor was admitted. */
type Endpoint = (visit: Visit) => EndpointAnswer | Promise<EndpointAnswer>;

/** The special addresses of a site that are not pages, by their path below the site. */
export const siteEndpoints: Readonly<Record<string, Endpoint>> = {
  'robots.txt': ({ view }) => ({ status: 200, headers: plain, body: robotsOf(view) }),
  'sitemap.xml': async (visit) =>
    visit.view.map.site.visibility === 'public'
      ? { status: 200, headers: xml, body: await sitemapIndexOf(visit.view), isShared: true }
      : missing(visit, undefined),
  'llms.txt': (visit) =>
    forAgents(visit, async ({ view }) => ({
      status: 200,
      headers: markdown,
      body: await llmsOf(view),
      isShared: true,
    })),
  'llms-full.txt': (visit) => forAgents(visit, fullTextAnswer),
  // Static hosts show this file for missing paths.
  '404.html': (visit) => missing({ ...visit, visitor: { ...visit.visitor, segments: [] } }, undefined),
  '~gitbook/search': searchAnswer,
  '~gitbook/site-index': siteIndexAnswer,
  '~gitbook/mcp': () => onlyMethods('POST'),
  '~gitbook/navigation': branchAnswer,
  '~gitbook/visitor': ({ view }) => ({
    status: 200,
    headers: json,
    body: JSON.stringify({ claims: view.map.claims }),
  }),
};

/** The addresses of a site that accept POST. */
export const sitePosts: Readonly<Record<string, Endpoint>> = {
  '~gitbook/blocks': blockAction,
  '~gitbook/feedback': feedbackAnswer,
  '~gitbook/mcp': async (visit) => (await import('./mcp-answer.ts')).mcpAnswer(visit),
};

/** Returns the endpoint at a path of a space that is not a page; undefined for other paths. */
export function spaceEndpoint(open: OpenSpace, path: string): Endpoint | undefined {
  if (path === '~gitbook/pdf') return (visit) => pdfAnswer(visit, open);
  const at = sitemapAt(open, path);
  if (at === -1) return undefined;
  return async (visit) =>
    visit.view.map.site.visibility === 'public' && !open.shown.row.hidden
      ? { status: 200, headers: xml, body: await sitemapOf(visit.view, open, at), isShared: true }
      : missing(visit, open);
}

async function forAgents(visit: Visit, answer: Endpoint): Promise<EndpointAnswer> {
  return visit.view.map.site.agentsContext === 'excluded' ? missing(visit, undefined) : answer(visit);
}

/** Answers with the pages below one page, for navigation that is loaded when a reader opens it. */
async function branchAnswer(visit: Visit): Promise<SiteAnswer> {
  const { request, view } = visit;
  const id = request.query.get('page') ?? '';
  for (const shown of view.map.spaces) {
    const open = await view.openSpace(shown);
    const page = open.pages.byId.get(id);
    if (page === undefined) continue;
    const { target } = view.customizationOf(shown).externalLinks;
    const body = renderNavigation(createBranch(open, page, await readNavigation(view, open)), {
      icons: openSiteFiles().icons,
      words: wordsFor(view, open).words,
      externalTarget: target === 'blank' ? '_blank' : undefined,
    }).text;
    return { status: 200, headers: html, body };
  }
  return missing(visit, undefined);
}
