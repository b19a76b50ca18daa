import { consolidate, isConsolidationDue } from '../../analysis/consolidate.ts';
import { defined, plural } from '../../contract/values.ts';
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
    for (const done = { conversations: 0 }; ;) {
      await state.pause();
      try {
        if (!(await step(context, state, models, done))) return defined({ warning: warningOf(models) });
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
  done: { conversations: number },
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
  done.conversations += analyzed;
  context.progress(
    `${done.conversations.toLocaleString('en')} conversations analyzed${waiting > 1 ? `, ${plural(waiting - 1, 'batch', 'batches')} to go` : ''}`,
  );
  return true;
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
