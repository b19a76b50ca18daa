import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { can, contentRole, visibleTo } from '../../core/permissions.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { translations, type TranslationRow } from './rows.ts';
import { findOne } from '../../core/store.ts';
import { invalid, notFound, Problem } from '../../errors/problem.ts';
import { findParent } from '../collections/rules.ts';
import type * as contract from './contract.ts';
import {
  requestRun,
  checkGlossary,
  forgetUntranslated,
  findLiveSpace,
  removeTranslation,
  translationOf,
} from './rules.ts';
import { shapeTranslation } from './shape.ts';

const noStats = {
  runs: 0,
  totalWords: 0,
  totalPages: 0,
  totalDuration: 0,
  latestRunDuration: 0,
  latestPages: 0,
  latestWords: 0,
};

export const listTranslations: Handler<typeof contract.listTranslations> = (context, { query }) => {
  const { tx, organization } = context;
  const isVisible = visibleTo(tx, context);
  const filter =
    isVisible &&
    (async (row: TranslationRow) => {
      const source = await tx.get(spaces, row.source);
      return source !== undefined && isVisible(source);
    });
  return listPage(
    tx,
    { table: translations, index: 'byOrganization', equals: [organization.id], filter },
    query,
    (row) => shapeTranslation(context, row),
  );
};

export const createTranslation: Handler<typeof contract.createTranslation> = async (context, { body }) => {
  const { tx, organization, now, newId, caller } = context;
  const {
    source,
    language,
    instructions = { object: 'document', data: { schemaVersion: 2 }, nodes: [] },
  } = body;
  checkGlossary(instructions);
  const space = await findLiveSpace(tx, organization.id, source.space);
  if (space === undefined || !can(await contentRole(tx, context, space), 'read'))
    throw notFound('space', source.space);
  // The translated space is created in the same collection.
  await findParent(context, organization.id, space.parent);
  if (source.language === language)
    throw invalid(
      '/body/language',
      `The target language "${language}" is also the language of the source.`,
      'Choose another language.',
    );
  const existing = await findOne(tx, translations, 'byPair', [space.id, language]);
  if (existing !== undefined) {
    throw new Problem(
      'conflict',
      `The space "${space.title}" already has a translation into ${language}: ${existing.id}.`,
      { hint: `Bring it up to date: \`docsctl translations run ${existing.id}\`` },
    );
  }
  const row: TranslationRow = {
    id: newId('tra'),
    organization: organization.id,
    source: space.id,
    from: source.language,
    language,
    instructions,
    status: 'pending',
    createdBy: caller.user.id,
    createdAt: now,
    updatedAt: now,
    stats: noStats,
  };
  await tx.insert(translations, row);
  return shapeTranslation(context, await requestRun(tx, now, row));
};

export const getTranslation: Handler<typeof contract.getTranslation> = async (context, { params }) =>
  shapeTranslation(context, await translationOf(context, params.translationId));

export const updateTranslation: Handler<typeof contract.updateTranslation> = async (
  context,
  { params, body },
) => {
  const { tx, now } = context;
  const row = await translationOf(context, params.translationId);
  if (JSON.stringify(body.instructions) === JSON.stringify(row.instructions))
    return shapeTranslation(context, row);
  checkGlossary(body.instructions);
  return shapeTranslation(
    context,
    await requestRun(tx, now, row, { instructions: body.instructions, updatedAt: now }),
  );
};

export const deleteTranslation: Handler<typeof contract.deleteTranslation> = async (context, { params }) => {
  await removeTranslation(context, await translationOf(context, params.translationId));
};

export const runTranslation: Handler<typeof contract.runTranslation> = async (context, { params }) => {
  const { tx, organization, now } = context;
  const row = await translationOf(context, params.translationId);
  if ((await findLiveSpace(tx, organization.id, row.source)) === undefined)
    throw new Problem('conflict', 'The source space is deleted or belongs to another organization.', {
      hint: `A deleted space can be restored within 7 days: \`docsctl spaces restore ${row.source}\``,
    });
  await forgetUntranslated(tx, row);
  // A deleted target is created again.
  const isGone =
    row.target !== undefined && (await findLiveSpace(tx, organization.id, row.target)) === undefined;
  await requestRun(tx, now, row, { whole: true, ...(isGone ? { target: undefined, state: undefined } : {}) });
};
