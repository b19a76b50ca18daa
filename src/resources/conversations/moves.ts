import { type Move } from '../../analysis/state.ts';
import { nextMoves } from '../../analysis/consolidate.ts';
import type { JobContext } from '../../core/jobs.ts';
import type { WriteTransaction } from '../../core/store.ts';
import type { KeptState } from './kept-state.ts';
import { Tally } from './tally.ts';
import { clusters, issues, type IssueRow } from '../conversation-issues/rows.ts';
import { defined } from '../../contract/values.ts';

/** Issues that one transaction carries along. */
const atOnce = 500;

/** Carries issues to the clusters that the last consolidation put them in, and removes the clusters that it ended; whatever was carried already is passed over. Gives the number of pages of moves. */
export async function carryMoves(context: JobContext, state: KeptState): Promise<number> {
  let pages = 0;
  for (let page = await nextMoves(state); page !== undefined; page = await nextMoves(state)) {
    const { moves, writes } = page;
    for (let place: ClusterPosition | undefined = { at: 0 }; place !== undefined;) {
      const from: ClusterPosition = place;
      place = await context.write((tx) => carry(tx, context, moves, from));
      await state.breathe();
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

/** How far the moves of a page are carried out: which one is next, and the issue of it that was last. */
interface ClusterPosition {
  readonly at: number;
  readonly after?: string;
}

/** Carries some issues; gives the place to go on from. */
async function carry(
  tx: WriteTransaction,
  { job, now }: JobContext,
  moves: readonly Move[],
  { at, after }: ClusterPosition,
): Promise<ClusterPosition | undefined> {
  const tally = new Tally();
  let place: ClusterPosition = defined({ at, after });
  for (let left = atOnce; left > 0 && place.at < moves.length;) {
    const move = moves[place.at]!;
    const rows = await tx.find(issues, {
      index: 'byPoint',
      equals: [job.organization, move.point],
      limit: left,
      ...(place.after === undefined ? {} : { after: [place.after] }),
    });
    for (const row of rows) await moveIssue(tx, tally, row, move);
    place = rows.length < left ? { at: place.at + 1 } : { at: place.at, after: rows.at(-1)!.id };
    left -= rows.length;
  }
  await tally.save(tx, now());
  return place.at < moves.length ? place : undefined;
}

async function moveIssue(
  tx: WriteTransaction,
  tally: Tally,
  row: IssueRow,
  { point, into = point, cluster }: Move,
): Promise<void> {
  if (row.cluster === cluster && row.point === into) return;
  if (row.cluster !== cluster) {
    const all = await tx.find(issues, {
      index: 'byConversation',
      equals: [row.organization, row.conversation],
      limit: 100,
    });
    const others = all.filter(({ id }) => id !== row.id);
    tally.issue(row.cluster, row, -1);
    tally.issue(cluster, row, 1);
    if (!others.some((other) => other.cluster === row.cluster)) tally.conversation(row.cluster, -1);
    if (!others.some((other) => other.cluster === cluster)) tally.conversation(cluster, 1);
  }
  await tx.update(issues, row.id, { cluster, point: into });
}
