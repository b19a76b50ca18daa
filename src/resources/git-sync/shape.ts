import type { Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { GitRunRow } from './rows.ts';
import type { GitSyncRun } from './schemas.ts';

/** Returns a run in the form of the API for a user, without credentials. */
export function shapeGitRun(row: GitRunRow, user: string): Static<typeof GitSyncRun> {
  const { id, direction, state, url, ref, createdAt, startedAt, completedAt } = row;
  const { commit, revision, changeRequestNumber, changes, changeCount, warnings, problem } = row;
  return {
    object: 'git-sync-run',
    id,
    direction,
    state,
    repository: url,
    ref,
    createdAt,
    ...defined({ startedAt, completedAt, commit, revision, changeRequest: changeRequestNumber }),
    changes: changes.map((change) => ({ ...change })),
    changeCount,
    ...(row.redirects === undefined || row.requestedBy !== user ? {} : { redirects: [...row.redirects] }),
    warnings: [...warnings],
    ...(problem === undefined ? {} : { problem: defined(problem) }),
  };
}

/** Removes an address that is not a web address, so that no browser opens it. Earlier versions accepted any address. */
export function withWebAddress<T extends { url?: string | undefined }>(shown: T): T {
  const { url, ...rest } = shown;
  return url === undefined || isWebAddress(url) ? shown : (rest as T);
}

/** Whether an address starts with https:// or http://. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url);
}
