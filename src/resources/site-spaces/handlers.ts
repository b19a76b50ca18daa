import type { Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { Context, Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { sites } from '../../core/rows/sites.ts';
import { seesAll } from '../../core/permissions.ts';
import { changeFrom } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { withRedirects } from '../site-redirects/moves/propose.ts';
import { insertSection, sectionOf } from '../site-sections/rules.ts';
import { checkSiteCondition } from '../site-structure/conditions.ts';
import { checkPathAllowed } from '../site-structure/paths.ts';
import { recountSpaces, removeSiteSpace } from '../site-structure/removal.ts';
import { shapeSiteSpace } from '../site-structure/shape.ts';
import { sortItem } from '../site-structure/sorting.ts';
import { isVisibleSpace } from '../site-structure/visible-space.ts';
import { withAddress } from '../sites/address.ts';
import { withVisibilityEvents } from '../sites/visibility-events.ts';
import type * as contract from './contract.ts';
import {
  checkSpaceNotUsed,
  checkPathFree,
  insertSiteSpace,
  siteSpaceOf,
  spaceOf,
  visibleSiteSpaceOf,
} from './rules.ts';
import { siteSpaces, type SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import { siteSections, type SiteSectionRow } from '../site-sections/rows.ts';
import { copySpace } from '../spaces/copy-space.ts';

export const listSiteSpaces: Handler<typeof contract.listSiteSpaces> = async (context, { query }) => {
  const { tx, site } = context;
  const shapeContext = await withAddress(context, query.shareKey);
  const hasWantedDefault = async (row: SiteSpaceRow): Promise<boolean> => {
    const parent = row.section === null ? site : await tx.get(siteSections, row.section);
    return (row.id === parent?.defaultSiteSpace) === query.default;
  };
  const isVisible = seesAll(context) ? undefined : (row: SiteSpaceRow) => isVisibleSpace(context, row);
  const filter =
    query.default === undefined
      ? isVisible
      : async (row: SiteSpaceRow) => (await hasWantedDefault(row)) && ((await isVisible?.(row)) ?? true);
  return listPage(tx, { table: siteSpaces, index: 'bySite', equals: [site.id], filter }, query, (row) =>
    shapeSiteSpace(shapeContext, row),
  );
};

export const addSiteSpace: Handler<typeof contract.addSiteSpace> = async (context, { body }) => {
  const { tx, site } = context;
  const space = await spaceOf(context, body.spaceId);
  const section =
    body.sectionId === undefined ? site.defaultSection : (await sectionOf(tx, site.id, body.sectionId)).id;
  await checkSpaceNotUsed(tx, site.id, section, space.id);
  const row = await withVisibilityEvents(context, [space.id], () =>
    insertSiteSpace(context, site, section, space, body.title),
  );
  if (section === null && site.defaultSiteSpace === null)
    await tx.update(sites, site.id, { defaultSiteSpace: row.id });
  return show({ ...context, site: await recountSpaces(tx, site.id) }, row);
};

export const deleteSiteSpace: Handler<typeof contract.deleteSiteSpace> = async (
  context,
  { params, query },
) => {
  const { tx, site } = context;
  const row = await visibleSiteSpaceOf(context, params.siteSpaceId);
  if (row.section !== null && (await tx.count(siteSpaces, 'bySection', [site.id, row.section])) === 1) {
    throw new Problem(
      'conflict',
      'This is the only space of its section, and a section needs at least one.',
      {
        hint: `Delete the section instead: \`docsctl sites sections delete ${row.section} --site ${site.id}\``,
      },
    );
  }
  const remove = () => withVisibilityEvents(context, [row.space], () => removeSiteSpace(tx, row));
  if (query.redirects === true) await withRedirects(context, true, remove);
  else await remove();
};

export const duplicateSiteSpace: Handler<typeof contract.duplicateSiteSpace> = async (
  context,
  { params },
) => {
  const { tx, site } = context;
  const { section, space, condition, hidden } = await visibleSiteSpaceOf(context, params.siteSpaceId);
  const copy = await copySpace(context, await spaceOf(context, space));
  const added =
    section !== null && (await tx.count(siteSpaces, 'bySection', [site.id, section])) === 1
      ? await copySection(context, await sectionOf(tx, site.id, section), copy)
      : await insertSiteSpace(context, site, section, copy);
  // The copy is visible only to visitors who can see the original.
  const row = await tx.update(siteSpaces, added.id, { hidden, ...defined({ condition }) });
  return show({ ...context, site: await recountSpaces(tx, site.id) }, row);
};

/** Adds a copy of a section, next to it, which contains only one space. Returns the site space in it. */
async function copySection(
  context: Context<typeof contract.duplicateSiteSpace>,
  { parent, title, icon, condition, description }: SiteSectionRow,
  space: SpaceRow,
): Promise<SiteSpaceRow> {
  const { tx, site } = context;
  const { id, defaultSiteSpace } = await insertSection(context, site, space, {
    parent,
    title,
    icon: icon ?? null,
  });
  await tx.update(siteSections, id, defined({ condition, description }));
  return siteSpaceOf(tx, site.id, defaultSiteSpace);
}

export const updateSiteSpace: Handler<typeof contract.updateSiteSpace> = async (
  context,
  { params, body },
) => {
  const { tx, site } = context;
  const row = await visibleSiteSpaceOf(context, params.siteSpaceId);
  const { path, condition, spaceId, hidden } = body;
  if (path !== undefined && path !== row.path) {
    checkPathAllowed(path);
    await checkPathFree(context, row, path);
  }
  if (spaceId !== undefined && spaceId !== row.space)
    await checkSpaceNotUsed(tx, site.id, row.section, (await spaceOf(context, spaceId)).id);
  await checkSiteCondition(site, condition, row.condition);
  const change = changeFrom({ path, condition, space: spaceId, hidden });
  const { result, redirects } = await withRedirects(context, body.redirects === true, () =>
    withVisibilityEvents(context, [row.space, spaceId ?? row.space], () =>
      tx.update(siteSpaces, row.id, change),
    ),
  );
  return { ...(await show(context, result)), ...defined({ redirects }) };
};

export const moveSiteSpace: Handler<typeof contract.moveSiteSpace> = async (context, { params, body }) => {
  const pointer = (neighbor: { siteSpace: string } | undefined) =>
    neighbor && ({ type: 'site-space', id: neighbor.siteSpace } as const);
  const position = { before: pointer(body.position?.before), after: pointer(body.position?.after) };
  const item = { type: 'site-space', id: params.siteSpaceId } as const;
  return (await sortItem(await withAddress(context), item, position)) as Static<typeof contract.SiteSpace>;
};

async function show(
  context: Context<typeof contract.updateSiteSpace>,
  row: SiteSpaceRow,
): Promise<Static<typeof contract.SiteSpace>> {
  return shapeSiteSpace(await withAddress(context), row);
}
