import { defined } from '../../contract/values.ts';
import type { OutputOf } from '../../contract/operation.ts';
import type { ResourceScope, ReadContext } from '../../core/handler.ts';
import { can } from '../../core/permissions.ts';
import type { TranslationRow } from './rows.ts';
import type * as contract from './contract.ts';
import { findLiveSpace } from './rules.ts';

type TranslationContext = ResourceScope & ReadContext;

/** Returns a translation in the form of the API. Only callers who may run it see the problem of a run. */
export async function shapeTranslation(
  { tx, url, organization, role }: TranslationContext,
  row: TranslationRow,
): Promise<OutputOf<typeof contract.getTranslation>> {
  const {
    id,
    status,
    source,
    from,
    language,
    instructions,
    createdAt,
    updatedAt,
    stats,
    target,
    state,
    problem,
  } = row;
  const space = state === undefined ? undefined : await findLiveSpace(tx, organization.id, target);
  const result = state && space && { space: space.id, revision: state.published };
  const isEditor = can(role, 'create');
  return {
    object: 'translation',
    id,
    status,
    source: { space: source, language: from },
    language,
    instructions,
    ...defined({ result }),
    createdAt,
    updatedAt,
    stats: {
      ...stats,
      totalDuration: seconds(stats.totalDuration),
      latestRunDuration: seconds(stats.latestRunDuration),
    },
    ...(problem === undefined || !isEditor ? {} : { problem }),
    permissions: { view: true, edit: isEditor },
    urls: { location: url(`/v1/orgs/${organization.id}/translations/${id}`) },
  };
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 1000);
}
