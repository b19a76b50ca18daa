import type { Static } from '../../contract/schema.ts';
import type { Context, Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { changeFrom, type WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { sectionOf } from '../site-sections/rules.ts';
import { moveToGroup, positionIn } from '../site-structure/positions.ts';
import { sortItem } from '../site-structure/sorting.ts';
import { shapeGroup } from '../site-structure/shape.ts';
import { withAddress } from '../sites/address.ts';
import type * as contract from './contract.ts';
import { checkNesting, removeGroup, groupOf } from './rules.ts';
import { siteSections } from '../site-sections/rows.ts';
import { siteSectionGroups, type SiteSectionGroupRow } from './rows.ts';

export const listSectionGroups: Handler<typeof contract.listSectionGroups> = async (context, { query }) => {
  const { tx, site } = context;
  const shapeContext = await withAddress(context);
  return listPage(tx, { table: siteSectionGroups, index: 'bySite', equals: [site.id] }, query, (row) =>
    shapeGroup(shapeContext, row),
  );
};

export const addSectionGroup: Handler<typeof contract.addSectionGroup> = async (context, { body }) => {
  const { tx, site } = context;
  const parent = body.parent === undefined ? null : await groupOf(tx, site.id, body.parent);
  await checkNesting(tx, undefined, parent);
  const row: SiteSectionGroupRow = {
    id: context.newId('sitesg'),
    organization: site.organization,
    site: site.id,
    parent: parent?.id ?? null,
    title: body.title,
    ...(body.icon == null ? {} : { icon: body.icon }),
    position: await positionIn(tx, { of: 'sections', site: site.id, within: parent?.id ?? null }),
    createdAt: context.now,
  };
  await tx.insert(siteSectionGroups, row);
  for (const section of new Set(body.sections)) await moveInto(tx, row, section);
  return show(context, row);
};

export const deleteSectionGroup: Handler<typeof contract.deleteSectionGroup> = async (
  { tx, site },
  { params },
) => {
  await removeGroup(tx, await groupOf(tx, site.id, params.siteSectionGroupId));
};

export const updateSectionGroup: Handler<typeof contract.updateSectionGroup> = async (
  context,
  { params, body },
) => {
  const { tx, site } = context;
  const row = await groupOf(tx, site.id, params.siteSectionGroupId);
  const { title, icon, parentSectionGroupId } = body;
  const changed = await tx.update(siteSectionGroups, row.id, {
    ...changeFrom({ title, icon }),
    ...(parentSectionGroupId === undefined ? {} : await moveTo(tx, row, parentSectionGroupId)),
  });
  return show(context, changed);
};

export const addSectionToGroup: Handler<typeof contract.addSectionToGroup> = async (
  context,
  { params, body },
) => {
  const { tx, site } = context;
  const row = await groupOf(tx, site.id, params.siteSectionGroupId);
  await moveInto(tx, row, body.sectionId);
  return show(context, row);
};

export const moveSectionGroup: Handler<typeof contract.moveSectionGroup> = async (
  context,
  { params, body },
) => {
  const item = { type: 'site-section-group', id: params.siteSectionGroupId } as const;
  const moved = await sortItem(await withAddress(context), item, body.position);
  return moved as Static<typeof contract.SiteSectionGroup>;
};

export const removeSectionFromGroup: Handler<typeof contract.removeSectionFromGroup> = async (
  { tx, site },
  { params },
) => {
  const group = await groupOf(tx, site.id, params.siteSectionGroupId);
  const section = await sectionOf(tx, site.id, params.siteSectionId);
  if (section.parent !== group.id)
    throw new Problem('not-found', `The section "${section.title}" is not in the group "${group.title}".`, {
      hint: `Show the structure of the site: \`docsctl sites structure ${site.id}\``,
    });
  await tx.update(siteSections, section.id, await moveToGroup(tx, section, group.parent));
};

/** Moves a section to the end of a group. Does nothing if it is already in the group. */
async function moveInto(tx: WriteTransaction, group: SiteSectionGroupRow, id: string): Promise<void> {
  const section = await sectionOf(tx, group.site, id);
  if (section.parent !== group.id)
    await tx.update(siteSections, section.id, await moveToGroup(tx, section, group.id));
}

async function moveTo(
  tx: WriteTransaction,
  row: SiteSectionGroupRow,
  id: string | null,
): Promise<Pick<SiteSectionGroupRow, 'parent' | 'position'>> {
  const parent = id === null ? null : await groupOf(tx, row.site, id);
  await checkNesting(tx, row, parent);
  return moveToGroup(tx, row, parent?.id ?? null);
}

async function show(
  context: Context<typeof contract.updateSectionGroup>,
  row: SiteSectionGroupRow,
): Promise<Static<typeof contract.SiteSectionGroup>> {
  return shapeGroup(await withAddress(context), row);
}
