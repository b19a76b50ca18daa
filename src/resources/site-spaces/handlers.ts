import type { Static } from '../../contract/schema.ts';
import type { Context, Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { sites } from '../../core/rows/sites.ts';
import { Problem } from '../../errors/problem.ts';
import { sectionOf } from '../site-sections/rules.ts';
import { acceptSiteCondition } from '../site-structure/conditions.ts';
import { recount, removeSiteSpace } from '../site-structure/removal.ts';
import { shapeSiteSpace } from '../site-structure/show.ts';
import { sortItem } from '../site-structure/sorting.ts';
import { publishedAddress } from '../sites/address.ts';
import type * as contract from './contract.ts';
import { checkNotThere, checkPathFree, insertSiteSpace, siteSpaceOf, spaceOf } from './rules.ts';
import { siteSpaces, type SiteSpaceRow } from './rows.ts';
import { siteSections } from '../site-sections/rows.ts';

export const listSiteSpaces: Handler<typeof contract.listSiteSpaces> = async (context, { query }) => {
  const { tx, site } = context;
  const structureContext = { ...context, address: await publishedAddress(context, site, query.shareKey) };
  const isDefault = async (row: SiteSpaceRow) =>
    row.id ===
    (row.section === null
      ? site.defaultSiteSpace
      : (await tx.get(siteSections, row.section))?.defaultSiteSpace);
  const keep =
    query.default === undefined
      ? undefined
      : async (row: SiteSpaceRow) => (await isDefault(row)) === query.default;
  return listPage(tx, { table: siteSpaces, index: 'bySite', equals: [site.id], filter: keep }, query, (row) =>
    shapeSiteSpace(structureContext, row),
  );
};

export const addSiteSpace: Handler<typeof contract.addSiteSpace> = async (context, { body }) => {
  const { tx, site, organization } = context;
  const space = await spaceOf(tx, organization.id, body.spaceId);
  const section =
    body.sectionId === undefined ? site.defaultSection : (await sectionOf(tx, site.id, body.sectionId)).id;
  await checkNotThere(tx, site.id, section, space.id);
  const row = await insertSiteSpace(context, site, section, space, body.title);
  if (section === null && site.defaultSiteSpace === null)
    await tx.update(sites, site.id, { defaultSiteSpace: row.id });
  return show({ ...context, site: await recount(tx, site.id) }, row);
};

export const deleteSiteSpace: Handler<typeof contract.deleteSiteSpace> = async ({ tx, site }, { params }) => {
  const row = await siteSpaceOf(tx, site.id, params.siteSpaceId);
  if (row.section !== null && (await tx.count(siteSpaces, 'bySection', [site.id, row.section])) === 1) {
    throw new Problem('conflict', 'It is the only space of its section, and a section needs one.', {
      hint: `Delete the section instead: docsctl sites sections delete ${row.section} --site ${site.id}`,
    });
  }
  await removeSiteSpace(tx, row);
};

export const updateSiteSpace: Handler<typeof contract.updateSiteSpace> = async (
  context,
  { params, body },
) => {
  const { tx, site, organization } = context;
  const row = await siteSpaceOf(tx, site.id, params.siteSpaceId);
  const { path, condition, spaceId, hidden } = body;
  if (path !== undefined) await checkPathFree(tx, row, path);
  if (spaceId !== undefined && spaceId !== row.space)
    await checkNotThere(tx, site.id, row.section, (await spaceOf(tx, organization.id, spaceId)).id);
  await acceptSiteCondition(site, condition, row.condition);
  const changed = await tx.update(siteSpaces, row.id, {
    ...(path === undefined ? {} : { path }),
    ...(condition === undefined ? {} : { condition: condition ?? undefined }),
    ...(spaceId === undefined ? {} : { space: spaceId }),
    ...(hidden === undefined ? {} : { hidden }),
  } as Partial<SiteSpaceRow>);
  return show(context, changed);
};

export const moveSiteSpace: Handler<typeof contract.moveSiteSpace> = async (context, { params, body }) => {
  const pointer = (neighbour: { siteSpace: string } | undefined) =>
    neighbour && ({ type: 'site-space', id: neighbour.siteSpace } as const);
  const position = { before: pointer(body.position?.before), after: pointer(body.position?.after) };
  const structureContext = { ...context, address: await publishedAddress(context, context.site, undefined) };
  return (await sortItem(
    structureContext,
    { type: 'site-space', id: params.siteSpaceId },
    position,
  )) as Static<typeof contract.SiteSpace>;
};

async function show(
  context: Context<typeof contract.updateSiteSpace>,
  row: SiteSpaceRow,
): Promise<Static<typeof contract.SiteSpace>> {
  return shapeSiteSpace(
    { ...context, address: await publishedAddress(context, context.site, undefined) },
    row,
  );
}
