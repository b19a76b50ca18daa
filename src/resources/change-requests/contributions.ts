import type { WriteContext } from '../../core/handler.ts';
import type { ChangeRequestRow } from '../../core/rows/change-requests.ts';
import { collectRows, type ReadTransaction } from '../../core/store.ts';
import { comments } from '../comments/rows.ts';
import { contributors, participantId } from './rows.ts';

/**
 * The contributions of a user to a change request: the number of edits, or of comments and replies, and the time of the last one.
 */
interface Contribution {
  /** `<type>.<user>`. */
  readonly id: string;
  readonly user: string;
  readonly type: 'edit' | 'comment';
  readonly count: number;
  readonly updatedAt: string;
}

/** Counts an edit of the content of a change request for the caller. */
export async function addContribution(
  { tx, caller, now }: Pick<WriteContext, 'tx' | 'caller' | 'now'>,
  { id: changeRequest, space }: Pick<ChangeRequestRow, 'id' | 'space'>,
): Promise<void> {
  const user = caller.user.id;
  const id = participantId(changeRequest, user);
  const row = await tx.get(contributors, id);
  if (row === undefined)
    await tx.insert(contributors, {
      id,
      space,
      changeRequest,
      user,
      count: 1,
      createdAt: now,
      updatedAt: now,
    });
  else await tx.update(contributors, id, { count: row.count + 1, updatedAt: now });
}

/** Lists the users who edited a change request, then those who commented on it, each ordered by their first contribution. */
export async function listContributions(
  view: ReadTransaction,
  { id }: ChangeRequestRow,
): Promise<Contribution[]> {
  const found = new Map<string, Contribution>();
  const add = (
    type: Contribution['type'],
    { user, count, updatedAt }: Pick<Contribution, 'user' | 'count' | 'updatedAt'>,
  ): void => {
    const key = `${type}.${user}`;
    const known = found.get(key);
    const isNewer = known === undefined || updatedAt > known.updatedAt;
    found.set(key, {
      id: key,
      user,
      type,
      count: count + (known?.count ?? 0),
      updatedAt: isNewer ? updatedAt : known.updatedAt,
    });
  };
  for (const row of await collectRows(view, contributors, 'byChangeRequest', [id])) add('edit', row);
  for (const { postedBy, postedAt, repliers } of await collectRows(view, comments, 'byPlace', [id])) {
    add('comment', { user: postedBy, count: 1, updatedAt: postedAt });
    for (const replier of repliers) add('comment', replier);
  }
  return [...found.values()];
}
