import { plural, truncate } from '../contract/values.ts';
import { emojiOf } from '../contract/emoji.ts';
import { markup, type Content } from '../render/markup.ts';
import { listClusters } from '../resources/conversation-clusters/contract.ts';
import { listCollections } from '../resources/collections/contract.ts';
import { listMembers } from '../resources/members/contract.ts';
import { listSpecs } from '../resources/openapi/contract.ts';
import { getOrganization } from '../resources/organizations/contract.ts';
import { listSites } from '../resources/sites/contract.ts';
import { listSpaces } from '../resources/spaces/contract.ts';
import {
  facts,
  findForm,
  pager,
  pageQuery,
  picture,
  rows,
  section,
  timeOf,
  visibilityWords,
  type Listed,
  type Row,
} from './page-parts.ts';
import { readOptional, type PageContext, type PageView } from './page-view.ts';

/** The page of an organization: its contents that the member may see. */
export async function organizationPage(
  context: PageContext,
  { organizationId = '' }: Readonly<Record<string, string>>,
): Promise<PageView> {
  const params = { organizationId };
  const { api, pageOf } = context;
  const wanted = truncate(context.query.get('find') ?? '', 50);
  const organization = await api.call(getOrganization, { params });
  const spaces = await api.call(listSpaces, {
    params,
    query: { ...pageQuery(context, 'spaces'), ...(wanted === '' ? {} : { title: wanted }) },
  });
  const sites = await api.call(listSites, { params, query: pageQuery(context, 'sites') });
  const collections = await api.call(listCollections, { params, query: pageQuery(context, 'collections') });
  const specs = await readOptional(context, listSpecs, { params, query: pageQuery(context, 'specs') });
  const clusters = await readOptional(context, listClusters, {
    params,
    query: { ...pageQuery(context, 'clusters'), orderBy: 'issues' },
  });
  const members = await readOptional(context, listMembers, { params, query: { limit: 0 } });
  return {
    kind: 'Organization',
    title: organization.title,
    picture: organization.urls.logo,
    trail: [],
    body: [
      facts([
        ['Members', members?.count],
        ['Hostname', organization.hostname],
        ['Single sign-on', organization.sso && 'required'],
        ['Created', timeOf(organization.createdAt)],
      ]),
      section(
        'Spaces',
        [
          wanted === '' && spaces.next === undefined && !context.query.has('spaces')
            ? ''
            : findForm(context, 'Find a space by its title'),
          rows(
            spaces.items.map(({ title, urls, emoji, icon, changeRequestsOpen, visibility }) => ({
              title: [
                picture(icon),
                emoji === undefined ? '' : markup`<span aria-hidden="true">${emojiOf(emoji)} </span>`,
                title,
              ],
              href: pageOf(urls.app),
              tags: [
                visibility === 'private' ? undefined : visibility,
                changeRequestsOpen === 0 ? undefined : plural(changeRequestsOpen, 'open change request'),
              ],
            })),
            wanted === ''
              ? 'There are no spaces that you can open.'
              : `No space has "${wanted}" in its title.`,
          ),
          pager(context, 'spaces', spaces, 'find'),
        ],
        spaces.count,
      ),
      section(
        'Sites',
        [
          rows(
            sites.items.map(({ title, urls, published, visibility }) => ({
              title,
              href: pageOf(urls.app),
              tags: [published ? 'published' : 'not published'],
              note: visibilityWords[visibility],
            })),
            'There are no sites that you can open.',
          ),
          pager(context, 'sites', sites),
        ],
        sites.count,
      ),
      sectionIfAny(context, 'Collections', 'collections', collections, ({ title, urls, description }) => ({
        title,
        href: pageOf(urls.app),
        note: description,
      })),
      sectionIfAny(context, 'OpenAPI specifications', 'specs', specs, ({ slug, urls, visibility }) => ({
        title: slug,
        href: pageOf(urls.app),
        tags: [visibility],
      })),
      sectionIfAny(
        context,
        'What people ask about',
        'clusters',
        clusters,
        ({ label, urls, stats, muted }) => ({
          title: label,
          href: pageOf(urls.app),
          tags: [muted ? 'muted' : undefined],
          note: plural(stats.issues, 'issue'),
        }),
      ),
    ],
  };
}

/** Renders a section with a list of resources; nothing if there are none, or if the member may not see them. */
function sectionIfAny<T>(
  context: PageContext,
  title: string,
  key: string,
  list: (Listed & { readonly items: readonly T[] }) | undefined,
  rowOf: (item: T) => Row,
): Content {
  if (list === undefined || list.count === 0) return '';
  return section(title, [rows(list.items.map(rowOf), ''), pager(context, key, list)], list.count);
}
