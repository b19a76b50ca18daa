import type { OutputOf } from '../../contract/operation.ts';
import { defined } from '../../contract/values.ts';
import type { Context, Handler } from '../../core/handler.ts';
import { both, listPage } from '../../core/listing.ts';
import { visibleTo } from '../../core/permissions.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { collectRows } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { insertSiteSpace, spaceOf } from '../site-spaces/rules.ts';
import { claimsOnSite } from '../site-structure/conditions.ts';
import { shapeStructure } from '../site-structure/shape.ts';
import { sortItem } from '../site-structure/sorting.ts';
import { isVisibleSpace } from '../site-structure/visible-space.ts';
import { checkShareKey, withAddress } from './address.ts';
import type * as contract from './contract.ts';
import { publishedStructure } from './published-structure.ts';
import { checkBasenameFree, checkOpensAll, createBasename, removeSite, setDefaults } from './rules.ts';
import { shapeSite } from './shape.ts';
import { spacesOfSite, withVisibilityEvents } from './visibility-events.ts';
import { claimsOfVisitor } from './visitors.ts';
import { siteSpaces, type SiteSpaceRow } from '../../core/rows/site-spaces.ts';

export const listSites: Handler<typeof contract.listSites> = async (context, { query }) => {
  const { tx, organization } = context;
  const { space, published, type } = query;
  const withSpace = space === undefined ? undefined : await findSitesWithSpace(context, space);
  const title = query.title?.toLowerCase();
  const isFiltered = [space, title, published, type].some((one) => one !== undefined);
  const matches = (row: SiteRow) =>
    (withSpace === undefined || withSpace.has(row.id)) &&
    (title === undefined || row.title.toLowerCase().includes(title)) &&
    (published === undefined || row.published === published) &&
    (type === undefined || type.some((one) => one === row.type));
  const filter = both(isFiltered ? matches : undefined, visibleTo(tx, context));
  return listPage(
    tx,
    { table: sites, index: 'byOrganization', equals: [organization.id], filter },
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
    basename: await createBasename(tx, organization.id, title, id),
    proxy: null,
    visibility: body.visibility ?? 'public',
    published: false,
    createdAt: context.now,
    adaptiveContent: false,
    agentsContext: 'included',
    defaultSection: null,
    defaultSiteSpace: null,
    siteSpaces: body.spaces?.length ?? 0,
  };
  await tx.insert(sites, row);
  const added: SiteSpaceRow[] = [];
  for (const space of body.spaces ?? [])
    added.push(await insertSiteSpace(context, row, null, await spaceOf(context, space, 'read')));
  const [first] = added;
  return shapeSite(context, await tx.update(sites, id, { defaultSiteSpace: first?.id ?? null }));
};

export const getSite: Handler<typeof contract.getSite> = async (context) => shapeSite(context, context.site);

export const deleteSite: Handler<typeof contract.deleteSite> = async (context) =>
  withVisibilityEvents(context, await spacesOfSite(context.tx, context.site.id), () =>
    removeSite(context, context.site, context.organization),
  );

export const updateSite: Handler<typeof contract.updateSite> = async (context, { body }) => {
  const { tx, site } = context;
  const { defaultSiteSection, defaultSiteSpace, adaptiveContent, redirects: make, ...fields } = body;
  if (fields.basename !== undefined) await checkBasenameFree(tx, site, fields.basename);
  const isAdaptive = adaptiveContent?.enabled ?? site.adaptiveContent;
  const isOther = isAdaptive !== site.adaptiveContent || isOtherAudience(site.visibility, fields.visibility);
  if (site.published && isOther) await checkOpensAll(context);
  const redirects = await changeDefaults(context, defaultSiteSection, defaultSiteSpace, make === true);
  const row = await updateWithEvents(context, {
    ...fields,
    ...defined({ adaptiveContent: adaptiveContent?.enabled }),
  });
  return { ...shapeSite(context, row), ...defined({ redirects }) };
};

/** Whether a new visibility lets people read a site who could not read it before. */
function isOtherAudience(before: SiteRow['visibility'], after = before): boolean {
  return before !== after && before !== 'public' && before !== 'unlisted';
}

/** Changes the default section and site space. Returns redirects from the addresses that change. */
async function changeDefaults(
  context: Context<typeof contract.updateSite>,
  section: string | undefined,
  siteSpace: string | undefined,
  make: boolean,
): Promise<OutputOf<typeof contract.updateSite>['redirects']> {
  if (section === undefined && siteSpace === undefined) return undefined;
  const { withRedirects } = await import('../site-redirects/moves/propose.ts');
  const { redirects } = await withRedirects(context, make, () => setDefaults(context, section, siteSpace));
  return redirects;
}

export const publishSite: Handler<typeof contract.publishSite> = async (context) => {
  const { site } = context;
  if (site.siteSpaces === 0) {
    throw new Problem(
      'conflict',
      `The site "${site.title}" has no spaces yet, so there is nothing to publish.`,
      {
        hint: `Add a space first: \`docsctl sites site-spaces add SPACE --site ${site.id}\``,
      },
    );
  }
  if (!site.published) await checkOpensAll(context);
  return shapeSite(context, await updateWithEvents(context, { published: true }));
};

export const unpublishSite: Handler<typeof contract.unpublishSite> = async (context) =>
  shapeSite(context, await updateWithEvents(context, { published: false }));

/** Changes a site, and records an event for each space whose visibility changes. */
async function updateWithEvents(
  context: Context<typeof contract.updateSite>,
  change: Partial<SiteRow>,
): Promise<SiteRow> {
  const { tx, site } = context;
  const changesAudience = 'published' in change || 'visibility' in change;
  const affected = changesAudience ? await spacesOfSite(tx, site.id) : [];
  return withVisibilityEvents(context, affected, () => tx.update(sites, site.id, change));
}

export const getPublishedSite: Handler<typeof contract.getPublishedSite> = async (context, { query }) => {
  const { tx, site } = context;
  if (!site.published)
    throw new Problem('not-found', `The site "${site.title}" is not published.`, {
      hint: `Publish it: \`docsctl sites publish ${site.id}\``,
    });
  await checkShareKey(tx, site, query.shareKey);
  const given = await claimsOfVisitor(context, query);
  const claims = given && claimsOnSite(site, given);
  const addressed = await withAddress(context, query.shareKey);
  const whole = await shapeStructure(addressed);
  const structure = await publishedStructure(whole, claims, site);
  const { publishedCustomizations } = await import('./published-customizations.ts');
  const { scriptsOfSite } = await import('../site-integrations/site-scripts.ts');
  return {
    object: 'published-content-site',
    site: shapeSite(context, site, addressed.address),
    structure,
    customizations: await publishedCustomizations(context, structure, claims),
    scripts: await scriptsOfSite(context),
  };
};

export const getSiteStructure: Handler<typeof contract.getSiteStructure> = async (context, { query }) =>
  shapeStructure(await withAddress(context, query.shareKey));

export const sortSiteStructure: Handler<typeof contract.sortSiteStructure> = async (context, { body }) =>
  sortItem(await withAddress(context), body.item, body.position);

/** Returns the sites that show a space, if the caller can open them. */
async function findSitesWithSpace(
  context: Context<typeof contract.listSites>,
  space: string,
): Promise<ReadonlySet<string>> {
  const rows = await collectRows(context.tx, siteSpaces, 'bySpace', [space]);
  const [first] = rows;
  const isVisible = first !== undefined && (await isVisibleSpace(context, first));
  return new Set(isVisible ? rows.map(({ site }) => site) : []);
}
