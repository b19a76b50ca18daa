import type { Static } from '../../contract/schema.ts';
import type { Context, Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { sites } from '../../core/rows/sites.ts';
import { invalid } from '../../errors/problem.ts';
import { groupOf } from '../site-section-groups/rules.ts';
import { siteSpaceOf, spaceOf } from '../site-spaces/rules.ts';
import { acceptSiteCondition } from '../site-structure/conditions.ts';
import { placeIn } from '../site-structure/positions.ts';
import { recount, removeSection } from '../site-structure/removal.ts';
import { shapeSection } from '../site-structure/show.ts';
import { sortItem } from '../site-structure/sorting.ts';
import { publishedAddress } from '../sites/address.ts';
import type * as contract from './contract.ts';
import { checkPathFree, insertSection, rootIntoSection, sectionOf } from './rules.ts';
import { siteSections, type SiteSectionRow } from './rows.ts';

export const listSiteSections: Handler<typeof contract.listSiteSections> = async (context, { query }) => {
  const { tx, site } = context;
  const structureContext = { ...context, address: await publishedAddress(context, site, query.shareKey) };
  return listPage(tx, { table: siteSections, index: 'bySite', equals: [site.id] }, query, (row) =>
    shapeSection(structureContext, row),
  );
};

export const addSection: Handler<typeof contract.addSection> = async (context, { body }) => {
  const { tx, site, organization } = context;
  const space = await spaceOf(tx, organization.id, body.spaceId);
  const parent =
    body.siteSectionGroupId === undefined ? null : (await groupOf(tx, site.id, body.siteSectionGroupId)).id;
  await rootIntoSection(context, site);
  const row = await insertSection(context, site, space, {
    parent,
    title: body.title ?? null,
    icon: body.icon ?? null,
  });
  const counted = await recount(tx, site.id);
  const now =
    counted.defaultSection === null ? await tx.update(sites, site.id, { defaultSection: row.id }) : counted;
  return show({ ...context, site: now }, row);
};

export const deleteSection: Handler<typeof contract.deleteSection> = async ({ tx, site }, { params }) => {
  const row = await sectionOf(tx, site.id, params.siteSectionId);
  await removeSection(tx, site.id, row.id);
  await recount(tx, site.id);
};

export const updateSection: Handler<typeof contract.updateSection> = async (context, { params, body }) => {
  const { tx, site } = context;
  const row = await sectionOf(tx, site.id, params.siteSectionId);
  const { title, path, defaultSiteSpace, condition, icon, description, siteSectionGroupId } = body;
  if (path !== undefined) await checkPathFree(tx, row, path);
  if (
    defaultSiteSpace !== undefined &&
    (await siteSpaceOf(tx, site.id, defaultSiteSpace)).section !== row.id
  ) {
    throw invalid(
      '/body/defaultSiteSpace',
      'The site space is not in this section.',
      'Name one of this section; `sites site-spaces list` shows them.',
    );
  }
  await acceptSiteCondition(site, condition, row.condition);
  const changed = await tx.update(siteSections, row.id, {
    ...(title === undefined ? {} : { title }),
    ...(path === undefined ? {} : { path }),
    ...(defaultSiteSpace === undefined ? {} : { defaultSiteSpace }),
    ...(condition === undefined ? {} : { condition: condition ?? undefined }),
    ...(icon === undefined ? {} : { icon: icon ?? undefined }),
    ...(description === undefined ? {} : { description: description ?? undefined }),
    ...(siteSectionGroupId === undefined ? {} : await moveTo(context, row, siteSectionGroupId)),
  } as Partial<SiteSectionRow>);
  return show(context, changed);
};

export const moveSection: Handler<typeof contract.moveSection> = async (context, { params, body }) => {
  const pointer = (neighbour: { siteSection: string } | undefined) =>
    neighbour && ({ type: 'site-section', id: neighbour.siteSection } as const);
  const position = { before: pointer(body.position?.before), after: pointer(body.position?.after) };
  const structureContext = { ...context, address: await publishedAddress(context, context.site, undefined) };
  return (await sortItem(
    structureContext,
    { type: 'site-section', id: params.siteSectionId },
    position,
  )) as Static<typeof contract.SiteSection>;
};

/** The end of another group, or of the root for null; where the section is there already it stays in its place. */
async function moveTo(
  { tx, site }: Context<typeof contract.updateSection>,
  row: SiteSectionRow,
  group: string | null,
): Promise<Pick<SiteSectionRow, 'parent' | 'position'>> {
  const parent = group === null ? null : (await groupOf(tx, site.id, group)).id;
  return {
    parent,
    position:
      parent === row.parent
        ? row.position
        : await placeIn(tx, { of: 'sections', site: site.id, within: parent }),
  };
}

async function show(
  context: Context<typeof contract.updateSection>,
  row: SiteSectionRow,
): Promise<Static<typeof contract.SiteSection>> {
  return shapeSection({ ...context, address: await publishedAddress(context, context.site, undefined) }, row);
}
