import type { ImportPlan } from '../../../content-sync/plan-import.ts';
import { countChanges, sendImport } from '../../../content-sync/send-import.ts';
import { yieldToEvents } from '../../../contract/event-loop.ts';
import type { OutputOf } from '../../../contract/operation.ts';
import { isProblem, Problem } from '../../../errors/problem.ts';
import { getChangeRequest, updateChangeRequest } from '../../../resources/change-requests/contract.ts';
import { batchContent } from '../../../resources/content/change-request/contract.ts';
import { createProgress } from '../../output/progress.ts';
import type { Session } from '../../session/session.ts';
import { shellWord } from '../../../contract/shell-word.ts';
import { isTimedOut } from '../../input/timeout.ts';

type ChangeRequestParams = { readonly spaceId: string; readonly changeRequestId: string };

/** Reads the change request that an import extends. @throws Problem(not-found), Problem(conflict) if it is merged or archived */
export async function readOpenChangeRequest(
  session: Session,
  spaceId: string,
  number: string,
): Promise<OutputOf<typeof getChangeRequest>> {
  const found = await session.call(getChangeRequest, { params: { spaceId, changeRequestId: number } });
  const isMerged = found.status === 'merged';
  if (!isMerged && found.status !== 'archived') return found;
  throw new Problem(
    'conflict',
    `Change request ${found.number} is ${isMerged ? 'already merged' : 'archived'}. Nothing was imported.`,
    {
      hint: isMerged
        ? 'Import into a new change request: give --change-request without a number.'
        : `Open it again first: \`docsctl change-requests update ${found.number} --space ${shellWord(spaceId)} --status open\`. Or give --change-request without a number.`,
    },
  );
}

/** How much of an import was sent to a change request. */
export interface Sent {
  part: 'nothing' | 'some' | 'all';
}

/** Sends an import, with a progress line, and records the progress in `sent`. */
export async function send(
  session: Session,
  params: ChangeRequestParams,
  plan: ImportPlan,
  sent: Sent,
): Promise<void> {
  const { signal, clock } = session.runtime;
  const { place } = await session.api();
  const progress = createProgress(session.terminal, { label: 'imported', total: countChanges(plan), clock });
  const sendBatch: Parameters<typeof sendImport>[1] = async (changes) => {
    await yieldToEvents(signal);
    try {
      const answer = await session.call(batchContent, { params, body: { changes } });
      sent.part = 'some';
      for (const one of changes) progress.tick(one.operation === 'delete_files' ? one.files.length : 1);
      return answer;
    } catch (error) {
      // If there was no answer, the server may have applied the batch.
      if (!(error instanceof Problem) || error.status >= 500) sent.part = 'some';
      throw error;
    }
  };
  try {
    await sendImport(plan, sendBatch, { remote: /^https?:/.test(place) });
    sent.part = 'all';
  } finally {
    progress.done();
  }
}

interface UnfinishedImport {
  readonly params: ChangeRequestParams;
  readonly number: number;
  /** Whether the import created the change request. */
  readonly isNew: boolean;
  readonly sent: Sent;
}

/** Notes the state after a failed import, and returns the error to throw. An interruption already describes it. */
export async function endImport(
  session: Session,
  unfinished: UnfinishedImport,
  error: unknown,
): Promise<unknown> {
  const left = await abandon(session, unfinished);
  const { signal } = session.runtime;
  if (isProblem(error, 'interrupted') && !isTimedOut(signal))
    return new Problem('interrupted', `Interrupted. ${left}`);
  session.note(left);
  // The server's hint tells how to merge the change request, but it is archived now.
  if (!unfinished.isNew || !isProblem(error, 'conflict')) return error;
  // Only conflicts between pages have violations. The others come from merge rules or a lock.
  return error.withHint(
    error.violations.length > 0
      ? 'Run the command again. The import then overwrites the pages that were changed meanwhile.'
      : 'Add --change-request to leave the import in a change request, which can be merged later.',
  );
}

/**
 * Archives the change request of a failed import, so that an incomplete import is not merged. It works after an interruption too.
 */
async function abandon(session: Session, { params, number, isNew, sent }: UnfinishedImport): Promise<string> {
  if (!isNew) return describeExtended(number, sent);
  try {
    const api = await session.api();
    const { status } = await api.call(getChangeRequest, { params });
    if (status === 'merged') return `The import was merged as change request ${number} before the error.`;
    await api.call(updateChangeRequest, { params, body: { status: 'archived' } });
    return `The space was not changed, and the unfinished change request ${number} was archived.`;
  } catch {
    return `Change request ${number} of the import could not be archived. If it is open, do not merge it: the import is unfinished.`;
  }
}

function describeExtended(number: number, { part }: Sent): string {
  if (part === 'nothing') return `Nothing was imported into change request ${number}.`;
  return part === 'all'
    ? `The import is complete in change request ${number}. Only the report about it failed.`
    : `The space was not changed. Part of the import is in change request ${number}: import again to send the rest.`;
}
