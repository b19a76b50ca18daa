import type { OutputOf } from '../contract/operation.ts';
import { notFound } from '../errors/problem.ts';
import { empty, markup, type Content, type Markup } from '../render/markup.ts';
import { getCustomHostname } from '../resources/custom-hostnames/contract.ts';
import { listShareLinks } from '../resources/site-share-links/contract.ts';
import { getSite, getSiteStructure } from '../resources/sites/contract.ts';
import {
  facts,
  outsideLink,
  pager,
  pageQuery,
  rows,
  section,
  timeOf,
  visibilityWords,
} from './page-parts.ts';
import { readOptional, type PageContext, type PageMaker } from './page-view.ts';
import { organizationTrail } from './trails.ts';

type Item = OutputOf<typeof getSiteStructure>['structure'][number];

/** The page of a site: its visibility and its structure. */
export const sitePage: PageMaker = async (context, { organizationId = '', siteId = '' }) => {
  const trail = await organizationTrail(context, organizationId);
  const params = { organizationId, siteId };
  const site = await context.api.call(getSite, { params });
  if (site.id !== siteId) throw notFound('site', siteId);
  const { structure } = await context.api.call(getSiteStructure, { params });
  const links =
    site.visibility === 'share-link'
      ? await readOptional(context, listShareLinks, { params, query: pageQuery(context, 'links') })
      : undefined;
  return {
    kind: 'Site',
    title: site.title,
    trail,
    body: [
      facts([
        ['Published', site.published ? 'yes' : 'no'],
        ['Address', site.published ? outsideLink(site.urls.published) : undefined],
        ['Hostname', await hostnameOf(context, organizationId, site)],
        ['Proxy', site.proxy?.origin],
        ['Created', timeOf(site.createdAt)],
      ]),
      section(
        'Audience',
        markup`<p><strong>${site.visibility}</strong>: ${visibilityWords[site.visibility]}</p>${
          site.adaptiveContent.enabled
            ? markup`<p>Conditions decide what a visitor sees. They are shown beside the sections and spaces below.</p>`
            : empty
        }${site.agentsContext === 'excluded' ? markup`<p>AI agents are asked not to use it.</p>` : empty}`,
      ),
      links === undefined
        ? empty
        : section(
            'Share links',
            [
              rows(
                links.items.map(({ name, active, createdAt }) => ({
                  title: name,
                  tags: [active ? 'active' : 'off'],
                  note: timeOf(createdAt),
                })),
                'There are no share links, so nobody can read the site.',
              ),
              pager(context, 'links', links),
            ],
            links.count,
          ),
      section(
        'Structure',
        structure.length === 0
          ? markup`<p class="none">The site shows no space that you can open.</p>`
          : markup`<ul class="structure">${structure.map((item) => itemOf(context, item))}</ul>`,
      ),
    ],
  };
};

/** Returns the hostname of a site, with its state if it does not lead to the site yet. */
async function hostnameOf(
  context: PageContext,
  organization: string,
  { hostname, urls }: OutputOf<typeof getSite>,
): Promise<Content | undefined> {
  if (hostname === undefined || urls.published?.startsWith(`https://${hostname}/`) === true) return hostname;
  const known = await readOptional(context, getCustomHostname, {
    params: { hostname },
    query: { organization },
  });
  if (known?.state === 'active') return hostname;
  const note = known?.problem ?? 'The site is not shown there yet.';
  return markup`${hostname}${tags(known?.state ?? 'not active')} <span class="row-note">${note}</span>`;
}

/** Renders a section, group, space or link of a site, with its contents. */
function itemOf(context: PageContext, item: Item): Markup {
  const condition = 'condition' in item && item.condition !== undefined ? conditionOf(item.condition) : empty;
  switch (item.object) {
    case 'site-space':
      return markup`<li>${linkTo(context.pageOf(item.space.urls.app), item.title)} <span class="kind-mark">space</span>${tags(item.default && 'default', item.hidden === true && 'hidden')} <span class="row-note">/${item.path}</span>${condition}</li>`;
    case 'site-section':
      return markup`<li><strong>${item.title}</strong> <span class="kind-mark">section</span>${tags(item.default && 'default')} <span class="row-note">/${item.path}</span>${condition}${below(item.siteSpaces.map((space) => itemOf(context, space)))}</li>`;
    case 'site-section-group':
      return markup`<li><strong>${item.title}</strong> <span class="kind-mark">group</span>${condition}${below(item.children.map((child) => itemOf(context, child)))}</li>`;
    case 'site-external-link':
      return markup`<li>${item.title} <span class="kind-mark">link</span>${tags(item.draft && 'draft')} <span class="row-note">${outsideLink(item.url)}</span>${condition}</li>`;
  }
}

function linkTo(href: string | undefined, title: string): Content {
  return href === undefined ? title : markup`<a href="${href}">${title}</a>`;
}

function tags(...names: readonly (string | false)[]): Content {
  return names.map((name) => (name === false ? empty : markup` <span class="tag">${name}</span>`));
}

function conditionOf(condition: string): Markup {
  return condition === '' ? empty : markup` <span class="row-note">if <code>${condition}</code></span>`;
}

function below(items: readonly Markup[]): Markup {
  return items.length === 0 ? empty : markup`<ul>${items}</ul>`;
}
