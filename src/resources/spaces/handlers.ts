import { extendContext, loadedHandler, type DeferringHandler, type Handler } from '../../core/handler.ts';
import { both, listPage, titleFilter } from '../../core/listing.ts';
import { can, contentRole, visibleTo } from '../../core/permissions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { findParent, positionAmong, positionBeside } from '../collections/rules.ts';
import { createInitialRevision } from '../../content/revisions.ts';
import type * as contract from './contract.ts';
import { chooseEmojiOrIcon, newSpaceRow } from './rows.ts';
import { listFormerSites } from './former-sites.ts';
import { checkMergeRules, isBeyondRestore } from './rules.ts';
import { shapeForCaller, shapeSpace } from './shape.ts';
import { defined } from '../../contract/values.ts';
import { readPlaces } from '../sites/publication.ts';

export const listSpaces: Handler<typeof contract.listSpaces> = async (context, { query }) => {
  const { tx, organization } = context;
  const hasTitle = titleFilter(query.title);
  const isDeleted = query.deleted === true;
  const canBeRestored = async (row: SpaceRow) =>
    !isBeyondRestore(row, context.now) &&
    can(await contentRole(tx, context, row), 'admin') &&
    (hasTitle?.(row) ?? true);
  const places = isDeleted ? new Map() : await readPlaces(tx, organization.id);
  return listPage(
    tx,
    {
      table: spaces,
      index: 'byOrganization',
      equals: [organization.id, isDeleted ? 'deleted' : 'live'],
      filter: isDeleted ? canBeRestored : both(hasTitle, visibleTo(tx, context)),
    },
    query,
    (row) => shapeForCaller(extendContext(context, { places }), row),
  );
};

export const createSpace: Handler<typeof contract.createSpace> = async (context, { body }) => {
  const { tx, organization } = context;
  const parent = body.parent ?? null;
  await findParent(context, organization.id, parent, undefined, 'create an empty space');
  const id = context.newId('spc');
  const row = newSpaceRow(
    context.now,
    defined({
      id,
      organization: organization.id,
      parent,
      position: await positionAmong(tx, organization.id, parent),
      revision: await createInitialRevision(tx, context, { organization: organization.id, space: id }),
      title: body.title,
      emoji: body.emoji,
      language: body.language,
      editMode: body.editMode,
    }),
  );
  await tx.insert(spaces, row);
  return shapeForCaller(context, row);
};

export const getSpace: Handler<typeof contract.getSpace> = (context, { query }) =>
  shapeSpace(context, context.space, context.role, query.shareKey);

export const updateSpace: Handler<typeof contract.updateSpace> = async (context, { body }) => {
  const { tx, space } = context;
  const { emoji, icon, ...fields } = body;
  const isAdministration = fields.defaultLevel !== undefined || fields.mergeRules !== undefined;
  if (isAdministration && context.caller.integration !== undefined)
    throw new Problem(
      'forbidden',
      'An integration cannot change the default level or the merge rules of a space.',
      {
        hint: 'Ask an administrator of the space.',
      },
    );
  if (fields.mergeRules !== undefined) await checkMergeRules(tx, space.organization, fields.mergeRules);
  const change = { ...fields, ...chooseEmojiOrIcon(emoji, icon) } as Partial<SpaceRow>;
  if (Object.keys(change).length === 0) return shapeSpace(context, space, context.role);
  const row = await tx.update(spaces, space.id, { ...change, updatedAt: context.now });
  return shapeForCaller(context, row);
};

export const deleteSpace = loadedHandler<typeof contract.deleteSpace>(
  async () => (await import('./delete-space.ts')).deleteSpace,
);

export const restoreSpace: Handler<typeof contract.restoreSpace> = async (context) => {
  const { tx, space, now } = context;
  if (isBeyondRestore(space, now)) throw notFound('space', space.id);
  if (space.state === 'live') throw new Problem('conflict', `The space "${space.title}" is not deleted.`);
  // Meanwhile, another space or collection may have got its old position.
  const position = await positionAmong(tx, space.organization, space.parent);
  const change = { state: 'live', deletedAt: null, position, formerSites: undefined } as const;
  const row = await tx.update(spaces, space.id, change);
  const formerSites = await listFormerSites(context, space);
  const shaped = await shapeSpace(context, row, context.role);
  return formerSites.length === 0 ? shaped : { ...shaped, formerSites };
};

export const duplicateSpace = loadedHandler<typeof contract.duplicateSpace>(async () => {
  const { copySpace } = await import('./copy-space.ts');
  return async (context, { body }) =>
    shapeForCaller(context, await copySpace(context, context.space, body.title));
});

export const moveSpace: Handler<typeof contract.moveSpace> = async (context, { body }) => {
  const { tx, space } = context;
  const { organization, parent: current } = space;
  const collection = await findParent(
    context,
    organization,
    body.parent === undefined ? current : body.parent,
    current,
  );
  const parent = collection?.id ?? null;
  const position = await positionBeside(context, organization, parent, body.position);
  const row = await tx.update(spaces, space.id, { parent, position });
  return shapeForCaller(context, row);
};

export const transferSpace = loadedHandler<typeof contract.transferSpace>(
  async () => (await import('./transfer-space.ts')).transferSpace,
);

export const listSpaceLinks = loadedHandler<typeof contract.listSpaceLinks>(async () => {
  const { listLinks } = await import('../content/links/list-links.ts');
  return (context, { query }) => listLinks(context, query);
});
export const exportSpacePdf = loadedHandler<typeof contract.exportSpacePdf>(async () => {
  const { createPdfUrl } = await import('../content/pdf/create-pdf.ts');
  return (context, { query }) => createPdfUrl(context, query);
});
export const downloadSpacePdf: DeferringHandler<typeof contract.downloadSpacePdf> = async (
  context,
  { query },
) => (await import('../content/pdf/create-pdf.ts')).createPdf(context, query);

export const searchSpace: DeferringHandler<typeof contract.searchSpace> = async (context, input) =>
  (await import('./search.ts')).searchSpace(context, input);
