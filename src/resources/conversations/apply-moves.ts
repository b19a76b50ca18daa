import type { Move } from '../../analysis/state.ts';
import { nextMoves } from '../../analysis/consolidate.ts';
import type { JobContext } from '../../core/jobs.ts';
import type { WriteTransaction } from '../../core/store.ts';
import type { StoredAnalysisState } from './stored-state.ts';
import { Tally } from './tally.ts';
import { clusters, issues, type IssueRow } from '../conversation-issues/rows.ts';

const issuesPerTransaction = 500;

/**
 * Moves issues to their clusters of the last consolidation, and removes the clusters that it dissolved. Skips issues that were
 * already moved. Returns the number of pages of moves.
 */
export async function applyMoves(context: JobContext, state: StoredAnalysisState): Promise<number> {
  let pages = 0;
  for (let page = await nextMoves(state); page !== undefined; page = await nextMoves(state)) {
    const { moves, writes } = page;
    for (let position: MovePosition | undefined = { at: 0, after: undefined }; position !== undefined;) {
      const from: MovePosition = position;
      position = await context.write((tx) => applySomeMoves(tx, context, moves, from));
      await state.pause();
    }
    await state.write((await state.model()).version, writes);
    pages++;
  }
  const vanished = await state.list('todo.vanished');
  if (vanished.length === 0) return pages;
  const changed = (await state.list('todo.changed')).filter((id) => !vanished.includes(id));
  await state.write(
    (await state.model()).version,
    new Map([
      ['todo.vanished', undefined],
      ['todo.changed', changed],
    ]),
    async (tx) => {
      for (const id of vanished) await tx.remove(clusters, id);
    },
  );
  return pages;
}

/** The next move of a page, and the last issue that was moved for it. */
interface MovePosition {
  readonly at: number;
  readonly after: string | undefined;
}

/** Moves some issues. Returns the position at which to continue; undefined at the end of the page. */
async function applySomeMoves(
  tx: WriteTransaction,
  { job, now }: JobContext,
  moves: readonly Move[],
  position: MovePosition,
): Promise<MovePosition | undefined> {
  const tally = new Tally();
  let { at, after } = position;
  let remaining = issuesPerTransaction;
  for (const move of moves.slice(at)) {
    const rows = await tx.find(issues, {
      index: 'byPoint',
      equals: [job.organization, move.point],
      limit: remaining,
      ...(after === undefined ? {} : { after: [after] }),
    });
    for (const row of rows) await moveIssue(tx, tally, row, move);
    remaining -= rows.length;
    after = remaining === 0 ? rows.at(-1)?.id : undefined;
    if (remaining === 0) break;
    at++;
  }
  await tally.save(tx, now());
  return at < moves.length ? { at, after } : undefined;
}

async function moveIssue(
  tx: WriteTransaction,
  tally: Tally,
  row: IssueRow,
  { point, into = point, cluster }: Move,
): Promise<void> {
  if (row.cluster === cluster && row.point === into) return;
  if (row.cluster !== cluster) {
    const siblings = await tx.find(issues, {
      index: 'byConversation',
      equals: [row.organization, row.conversation],
      limit: 100,
    });
    const others = siblings.filter(({ id }) => id !== row.id);
    tally.countIssue(row.cluster, row, -1);
    tally.countIssue(cluster, row, 1);
    if (!others.some((other) => other.cluster === row.cluster)) tally.countConversation(row.cluster, -1);
    if (!others.some((other) => other.cluster === cluster)) tally.countConversation(cluster, 1);
  }
  await tx.update(issues, row.id, { cluster, point: into });
}
