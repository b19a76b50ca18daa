import type { Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { Context, Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { sites } from '../../core/rows/sites.ts';
import { changeFrom } from '../../core/store.ts';
import { invalid } from '../../errors/problem.ts';
import { withRedirects } from '../site-redirects/moves/propose.ts';
import { groupOf } from '../site-section-groups/rules.ts';
import { spaceOf, visibleSiteSpaceOf } from '../site-spaces/rules.ts';
import { checkSiteCondition } from '../site-structure/conditions.ts';
import { siteSpaceLevel } from '../site-structure/levels.ts';
import { checkPathAllowed } from '../site-structure/paths.ts';
import { moveToGroup } from '../site-structure/positions.ts';
import { recountSpaces, removeSection } from '../site-structure/removal.ts';
import { shapeSection } from '../site-structure/shape.ts';
import { sortItem } from '../site-structure/sorting.ts';
import { withAddress } from '../sites/address.ts';
import { checkOpensAll } from '../sites/rules.ts';
import { spacesOfSite, withVisibilityEvents } from '../sites/visibility-events.ts';
import type * as contract from './contract.ts';
import { checkPathFree, insertSection, moveRootIntoSection, sectionOf } from './rules.ts';
import { siteSections, type SiteSectionRow } from './rows.ts';

type Section = Static<typeof contract.SiteSection>;

export const listSiteSections: Handler<typeof contract.listSiteSections> = async (context, { query }) => {
  const { tx, site } = context;
  const shapeContext = await withAddress(context, query.shareKey);
  return listPage(tx, { table: siteSections, index: 'bySite', equals: [site.id] }, query, (row) =>
    shapeSection(shapeContext, row),
  );
};

export const addSection: Handler<typeof contract.addSection> = async (context, { body }) => {
  const { tx, site } = context;
  const space = await spaceOf(context, body.spaceId);
  const parent =
    body.siteSectionGroupId === undefined ? null : (await groupOf(tx, site.id, body.siteSectionGroupId)).id;
  const { result, redirects } = await withRedirects(context, body.redirects === true, async () => {
    await moveRootIntoSection(context, site);
    const row = await withVisibilityEvents(context, [space.id], () =>
      insertSection(context, site, space, { parent, title: body.title ?? null, icon: body.icon ?? null }),
    );
    const counted = await recountSpaces(tx, site.id);
    const updatedSite =
      counted.defaultSection === null ? await tx.update(sites, site.id, { defaultSection: row.id }) : counted;
    return { row, updatedSite };
  });
  return {
    ...(await show({ ...context, site: result.updatedSite }, result.row)),
    ...defined({ redirects }),
  };
};

export const deleteSection: Handler<typeof contract.deleteSection> = async (context, { params, query }) => {
  const { tx, site } = context;
  const row = await sectionOf(tx, site.id, params.siteSectionId);
  const remove = async (): Promise<void> => {
    await withVisibilityEvents(context, await spacesOfSite(tx, site.id), () =>
      removeSection(tx, site.id, row.id),
    );
    await recountSpaces(tx, site.id);
  };
  if (query.redirects === true) await withRedirects(context, true, remove);
  else await remove();
};

export const updateSection: Handler<typeof contract.updateSection> = async (context, { params, body }) => {
  const { tx, site } = context;
  const row = await sectionOf(tx, site.id, params.siteSectionId);
  const { title, path, defaultSiteSpace, condition, icon, description, siteSectionGroupId } = body;
  if (path !== undefined && path !== row.path) {
    checkPathAllowed(path);
    await checkPathFree(tx, row, path);
  }
  if (
    defaultSiteSpace !== undefined &&
    (await visibleSiteSpaceOf(context, defaultSiteSpace)).section !== row.id
  ) {
    throw invalid(
      '/body/defaultSiteSpace',
      'The site space is not in this section.',
      `Name one of this section: \`docsctl sites site-spaces list ${site.id}\``,
    );
  }
  await checkSiteCondition(site, condition, row.condition);
  if (site.published && condition !== undefined && (condition ?? undefined) !== row.condition)
    await checkOpensAll(
      context,
      (await siteSpaceLevel(tx, site.id, row.id)).map(({ space }) => space),
    );
  const group =
    typeof siteSectionGroupId === 'string' ? await groupOf(tx, site.id, siteSectionGroupId) : null;
  const { result, redirects } = await withRedirects(context, body.redirects === true, async () =>
    tx.update(siteSections, row.id, {
      ...changeFrom({ title, path, defaultSiteSpace, condition, icon, description }),
      ...(siteSectionGroupId === undefined ? {} : await moveToGroup(tx, row, group?.id ?? null)),
    }),
  );
  return { ...(await show(context, result)), ...defined({ redirects }) };
};

export const moveSection: Handler<typeof contract.moveSection> = async (context, { params, body }) => {
  const pointer = (neighbor: { siteSection: string } | undefined) =>
    neighbor && ({ type: 'site-section', id: neighbor.siteSection } as const);
  const position = { before: pointer(body.position?.before), after: pointer(body.position?.after) };
  const item = { type: 'site-section', id: params.siteSectionId } as const;
  return (await sortItem(await withAddress(context), item, position)) as Section;
};

async function show(context: Context<typeof contract.updateSection>, row: SiteSectionRow): Promise<Section> {
  return shapeSection(await withAddress(context), row);
}
