import type { RevisionRow } from '../../core/rows/revisions.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { getExisting, type ReadTransaction } from '../../core/store.ts';
import { readRevision } from '../../content/revisions.ts';
import type { OpenRepository } from '../git-checkout.ts';
import type { SyncRun } from './sync-run.ts';

const maxMessage = 10_000;
/** Maximum number of revisions that are searched for merged change requests. */
const maxRevisions = 1000;
const maxNamed = 50;

/** Returns the message of a commit, without control characters. */
export async function readMessage({ git }: OpenRepository, commit: string): Promise<string> {
  const message = await git([
    'log',
    '-1',
    '--format=%B',
    '--no-show-signature',
    '--encoding=UTF-8',
    commit,
    '--',
  ]);
  return cleanMessage(message);
}

function cleanMessage(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
    .slice(0, maxMessage);
}

/**
 * Returns the message of an exported commit: the given one, else the change requests that were merged since the last
 * synchronization. The last line names the revision.
 */
export async function composeMessage(
  view: ReadTransaction,
  { run, since }: SyncRun,
  revision: string,
): Promise<string> {
  if (run.message !== undefined) return cleanMessage(run.message) || `Revision ${revision}`;
  const merged: string[] = [];
  let row: RevisionRow = await readRevision(view, revision);
  for (let read = 0; row.id !== since && read < maxRevisions && merged.length < maxNamed; read++) {
    if (row.mergedFrom !== undefined && !(await isImport(view, row))) {
      const { number, subject } = await getExisting(view, changeRequests, row.mergedFrom);
      merged.push(subject === '' ? `Change request ${number}` : `Change request ${number}: ${subject}`);
    }
    const [parent, imported] = row.parents;
    if (parent === undefined || (since !== undefined && imported === since)) break;
    row = await readRevision(view, parent);
  }
  const [first = 'Update the content', ...more] = merged;
  const list = more.length === 0 ? '' : `${merged.map((line) => `- ${line}`).join('\n')}\n\n`;
  const title = more.length === 0 ? first : `Merge ${merged.length} change requests`;
  return cleanMessage(`${title}\n\n${list}Revision: ${revision}`);
}

/** Whether a merge imported a commit of the repository. */
async function isImport(
  view: ReadTransaction,
  { git, parents: [, imported] }: RevisionRow,
): Promise<boolean> {
  if (git === undefined || imported === undefined) return false;
  return (await readRevision(view, imported)).git?.oid === git.oid;
}

/** Returns the variables that name the author and the time of a commit. The same content gives the same commit. */
export function identityOf({ author }: SyncRun, createdAt: string): Record<string, string> {
  const name = author.displayName.replace(/[<>\p{Cc}]/gu, '').trim() || 'docsctl';
  const email = author.email.replace(/[<>\s\p{Cc}]/gu, '') || 'docsctl@localhost';
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: createdAt,
    GIT_COMMITTER_NAME: 'docsctl',
    GIT_COMMITTER_EMAIL: 'docsctl@localhost',
    GIT_COMMITTER_DATE: createdAt,
  };
}
