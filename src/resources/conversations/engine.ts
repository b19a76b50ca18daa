import { consolidate, isConsolidationDue } from '../../analysis/consolidate.ts';
import { defined } from '../../contract/values.ts';
import type { ReadTransaction } from '../../core/store.ts';
import type { Engine, JobContext } from '../../core/jobs.ts';
import { describeClusters } from './describe-clusters.ts';
import { StoredAnalysisState, StaleStateError, stateAfter } from './stored-state.ts';
import { applyMoves } from './apply-moves.ts';
import { analyzeSlice } from './analyze-slice.ts';
import { createNamer, type ClusterNamer } from './cluster-namer.ts';
import { createEmbedder, embedPoints, type IssueEmbedder } from './embedder.ts';
import { analysisBatches } from './rows.ts';
import { noLabel, representativePoints } from '../../analysis/describe-cluster.ts';
import { findConversation, findIssueOfPoint } from './representative-issues.ts';
import { newCluster } from './new-cluster.ts';
import { clusters, type ClusterRow } from '../conversation-issues/rows.ts';

/**
 * Finds the issues in ingested conversations and groups them into clusters. Every step is one transaction that also stores the
 * remaining work, so an interrupted run continues where it stopped.
 */
export const engine: Engine = {
  async run(context) {
    const models = { name: await createNamer(context), embedder: await createEmbedder(context) };
    const state = new StoredAnalysisState(context);
    const waiting = await context.read((view) => countWaiting(view, context.job.organization));
    for (const counts = { done: 0, total: waiting }; ;) {
      await state.pause();
      try {
        if (!(await step(context, state, models, counts))) return defined({ warning: warningOf(models) });
      } catch (error) {
        if (!(error instanceof StaleStateError)) throw error;
        state.clearCache();
      }
    }
  },
};

interface Models {
  readonly name: ClusterNamer;
  readonly embedder: IssueEmbedder | undefined;
}

function warningOf({ embedder }: Models): string | undefined {
  const failure = embedder?.failure();
  return failure === undefined ? undefined : `were grouped without the embedding model: ${failure}`;
}

/** Does the next step. Returns false if nothing is left to do. */
async function step(
  context: JobContext,
  state: StoredAnalysisState,
  { name, embedder }: Models,
  counts: { done: number; total: number },
): Promise<boolean> {
  if ((await applyMoves(context, state)) > 0) await describeClusters(context, state, name);
  const waiting = await context.read((view) =>
    view.count(analysisBatches, 'byOrganization', [context.job.organization]),
  );
  // Checked before each slice, so that the result does not depend on how often the work was interrupted.
  if (isConsolidationDue(await state.model(), waiting > 0, embedder?.model)) {
    context.progress('grouping issues');
    if (embedder !== undefined) await embedPoints(context, state, embedder);
    await consolidateAll(context, state, embedder?.model);
    return true;
  }
  const analyzed = await analyzeSlice(context, state, embedder);
  if (analyzed === undefined) {
    await describeClusters(context, state, name);
    return false;
  }
  counts.done += analyzed;
  // More may have been ingested in the meantime.
  counts.total = Math.max(counts.total, counts.done);
  const [done, total] = [counts.done, counts.total].map((count) => count.toLocaleString('en'));
  context.progress(`${done} of ${total} conversations analyzed`, { ...counts });
  return true;
}

/** Returns the number of conversations that wait for their analysis; an estimate if there are more than 200 batches. */
async function countWaiting(view: ReadTransaction, organization: string): Promise<number> {
  const where = { index: 'byOrganization', equals: [organization] } as const;
  const batches = await view.find(analysisBatches, { ...where, limit: 200 });
  const found = batches.reduce((sum, batch) => sum + batch.conversations.length, 0);
  if (batches.length < 200) return found;
  const count = await view.count(analysisBatches, where.index, where.equals);
  return Math.round((found / batches.length) * count);
}

/** Computes the clusters anew, outside of any transaction. `applyMoves` then moves the issues. */
async function consolidateAll(
  { job, read, now, newId }: JobContext,
  state: StoredAnalysisState,
  sentenceModel?: string,
): Promise<void> {
  const { writes, baseVersion, created, removed, changed } = await consolidate(state, {
    newId: () => newId('clu'),
    pause: state.pause,
    sentenceModel,
  });
  const { organization } = job;
  const rows: ClusterRow[] = [];
  for (const cluster of created) {
    const [point] = await representativePoints(stateAfter(state, writes), cluster, 1);
    const row = await read(async (view) => {
      const issue = point === undefined ? undefined : await findIssueOfPoint(view, organization, point);
      const conversation = issue === undefined ? undefined : await findConversation(view, issue);
      return newCluster(issue ?? { organization, title: noLabel }, conversation, cluster, now());
    });
    rows.push(row);
  }
  const todo = new Map([
    ['todo.changed', [...new Set([...(await state.list('todo.changed')), ...changed])]],
    ['todo.vanished', [...(await state.list('todo.vanished')), ...removed]],
  ]);
  await state.write(baseVersion, new Map([...writes, ...todo]), async (tx) => {
    for (const row of rows) await tx.insert(clusters, row);
  });
}
