import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { eachRow, type ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { insertSiteSpace, spaceOf } from '../site-spaces/rules.ts';
import { showStructure } from '../site-structure/show.ts';
import { sortItem } from '../site-structure/sorting.ts';
import { isActiveKey, publishedAddress } from './address.ts';
import type * as contract from './contract.ts';
import { checkBasenameFree, newBasename, removeSite, setDefaults } from './rules.ts';
import { shapeSite } from './shape.ts';
import { claimsOfVisitor } from './visitors.ts';
import { siteSpaces } from '../site-spaces/rows.ts';
import type { Value } from '../../conditions/values.ts';
import type { Static } from '../../contract/schema.ts';
import type { SiteSectionGroup } from '../site-section-groups/contract.ts';
import type { SiteSection } from '../site-sections/contract.ts';
import { claimSchemaOf } from '../site-structure/conditions.ts';
import type { SiteStructure, SiteCustomization } from '../site-structure/contract.ts';

export const listSites: Handler<typeof contract.listSites> = async (context, { query }) => {
  const { tx, organization } = context;
  const structureContext = query.space === undefined ? undefined : await sitesShowing(tx, query.space);
  const title = query.title?.toLowerCase();
  const isFiltered =
    structureContext !== undefined ||
    title !== undefined ||
    query.published !== undefined ||
    query.type !== undefined;
  const keep = (row: SiteRow): boolean =>
    (structureContext === undefined || structureContext.has(row.id)) &&
    (title === undefined || row.title.toLowerCase().includes(title)) &&
    (query.published === undefined || row.published === query.published) &&
    (query.type === undefined || row.type === query.type);
  return listPage(
    tx,
    {
      table: sites,
      index: 'byOrganization',
      equals: [organization.id],
      filter: isFiltered ? keep : undefined,
    },
    query,
    (row) => shapeSite(context, row),
  );
};

export const createSite: Handler<typeof contract.createSite> = async (context, { body }) => {
  const { tx, organization } = context;
  const title = body.title ?? 'Untitled site';
  const id = context.newId('site');
  const row: SiteRow = {
    id,
    organization: organization.id,
    type: body.type ?? 'basic',
    title,
    basename: await newBasename(tx, organization.id, title, id),
    proxy: null,
    visibility: body.visibility ?? 'public',
    published: false,
    createdAt: context.now,
    adaptiveContent: false,
    agentsContext: 'included',
    defaultSection: null,
    defaultSiteSpace: null,
    siteSpaces: 0,
  };
  await tx.insert(sites, row);
  const shown: string[] = [];
  for (const space of body.spaces ?? [])
    shown.push((await insertSiteSpace(context, row, null, await spaceOf(tx, organization.id, space))).id);
  return shapeSite(
    context,
    await tx.update(sites, id, { siteSpaces: shown.length, defaultSiteSpace: shown[0] ?? null }),
  );
};

export const getSite: Handler<typeof contract.getSite> = async (context) => shapeSite(context, context.site);

export const deleteSite: Handler<typeof contract.deleteSite> = (context) =>
  removeSite(context, context.site, context.organization);

export const updateSite: Handler<typeof contract.updateSite> = async (context, { body }) => {
  const { tx, site } = context;
  const { defaultSiteSection, defaultSiteSpace, adaptiveContent, ...fields } = body;
  if (fields.basename !== undefined) await checkBasenameFree(tx, site, fields.basename);
  await setDefaults(tx, site, defaultSiteSection, defaultSiteSpace);
  const row = await tx.update(sites, site.id, {
    ...fields,
    ...(adaptiveContent === undefined ? {} : { adaptiveContent: adaptiveContent.enabled }),
  });
  return shapeSite(context, row);
};

export const publishSite: Handler<typeof contract.publishSite> = async (context) => {
  const { tx, site } = context;
  if (site.siteSpaces === 0) {
    throw new Problem('conflict', 'The site shows no space yet, so there is nothing to publish.', {
      hint: `Add one first: docsctl sites site-spaces add SPACE --site ${site.id}`,
    });
  }
  return shapeSite(context, await tx.update(sites, site.id, { published: true }));
};

export const unpublishSite: Handler<typeof contract.unpublishSite> = async (context) =>
  shapeSite(context, await context.tx.update(sites, context.site.id, { published: false }));

export const getPublishedSite: Handler<typeof contract.getPublishedSite> = async (context, { query }) => {
  const { tx, site } = context;
  if (!site.published)
    throw new Problem('not-found', `The site "${site.title}" is not published.`, {
      hint: `Publish it: docsctl sites publish ${site.id}`,
    });
  if (
    site.visibility === 'share-link' &&
    query.shareKey !== undefined &&
    !(await isActiveKey(tx, site, query.shareKey))
  ) {
    throw new Problem('not-found', 'No active share link of the site has this key.', {
      hint: 'Ask for a new link, or leave the key out.',
    });
  }
  const address = await publishedAddress(context, site, query.shareKey);
  const claims = await claimsOfVisitor(context, query);
  const structure = await showStructure({ ...context, address });
  return {
    object: 'published-content-site',
    site: shapeSite(context, site),
    structure: claims === undefined ? structure : await seenBy(structure, claims, site),
    customizations: { site: plainCustomization, siteSpaces: {} },
    scripts: [],
  };
};

export const getSiteStructure: Handler<typeof contract.getSiteStructure> = async (context, { query }) =>
  showStructure({ ...context, address: await publishedAddress(context, context.site, query.shareKey) });

export const sortSiteStructure: Handler<typeof contract.sortSiteStructure> = async (context, { body }) =>
  sortItem(
    { ...context, address: await publishedAddress(context, context.site, undefined) },
    body.item,
    body.position,
  );

async function sitesShowing(view: ReadTransaction, space: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const row of eachRow(view, siteSpaces, 'bySpace', [space])) ids.add(row.site);
  return ids;
}

type Structure = Static<typeof SiteStructure>;

type Section = Static<typeof SiteSection>;

type Group = Static<typeof SiteSectionGroup>;

/** What of a structure a visitor with these claims sees. A section without a space to show is not seen, nor a group without a section. */
async function seenBy(structure: Structure, claims: Value, site: SiteRow): Promise<Structure> {
  const { ConditionEvaluator } = await import('../../conditions/condition-evaluator.ts');
  const evaluator = new ConditionEvaluator(claimSchemaOf(site));
  const visitor = { claims: evaluator.filterClaims(claims).claims };
  const holds = ({ condition }: { readonly condition?: string }) =>
    evaluator.evaluate(condition, { visitor }).shown;
  const seenSection = (section: Section): Section[] => {
    const seen = holds(section) ? section.siteSpaces.filter(holds) : [];
    return seen.length === 0 ? [] : [{ ...section, siteSpaces: seen }];
  };
  const seenItem = (item: Section | Group): (Section | Group)[] => {
    if (item.object === 'site-section') return seenSection(item);
    const children = item.children.flatMap(seenItem);
    return children.length === 0 ? [] : [{ ...item, children, sections: item.sections.flatMap(seenSection) }];
  };
  if (structure.type === 'siteSpaces')
    return { type: 'siteSpaces', structure: structure.structure.filter(holds) };
  return { type: 'sections', structure: structure.structure.flatMap(seenItem) };
}

/** How every published site looks: plain, and with nothing that this program does not do. */
export const plainCustomization: Static<typeof SiteCustomization> = {
  styling: {
    theme: 'clean',
    primaryColor: { light: '#346ddb', dark: '#346ddb' },
    infoColor: { light: '#787878', dark: '#787878' },
    successColor: { light: '#1f9e5a', dark: '#1f9e5a' },
    warningColor: { light: '#c98a00', dark: '#c98a00' },
    dangerColor: { light: '#c8332b', dark: '#c8332b' },
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    font: 'Inter',
    monospaceFont: 'IBMPlexMono',
    background: 'plain',
    icons: 'regular',
    sidebar: { background: 'default', list: 'default' },
    search: 'subtle',
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  themes: { default: 'light', toggeable: true },
  pdf: { enabled: false },
  feedback: { enabled: false },
  ai: { mode: 'none' },
  advancedCustomization: { enabled: false },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: false, mcp: false },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: false },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: false },
};
