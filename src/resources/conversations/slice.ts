import { analyze, type AnalyzedBatch } from '../../analysis/analyze.ts';
import { highestImpact } from '../../analysis/impact.ts';
import { withdrawIssues } from '../../analysis/place-issues.ts';
import type { JobContext } from '../../core/jobs.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { textOfDetails } from './details.ts';
import { Outdated, stateAfter, type KeptState } from './kept-state.ts';
import { newCluster } from './new-cluster.ts';
import { sameContent } from './rules.ts';
import { Tally } from './tally.ts';
import {
  conversations,
  type ConversationRow,
  analysisBatches,
  type AnalysisBatchRow,
  conversationId,
} from './rows.ts';
import { clusters, issues, type IssueRow } from '../conversation-issues/rows.ts';

/** What one transaction takes in: conversations, ids looked at, characters of text. */
const most = { conversations: 400, ids: 2000, characters: 4_000_000 };

interface Slice {
  readonly conversations: readonly ConversationRow[];
  /** What was found in them when they had another content. */
  readonly before: readonly IssueRow[];
  /** The batches that are done with it, or what is left of them. */
  readonly batches: readonly AnalysisBatchRow[];
}

/** Analyses the conversations that wait longest, and writes what was found, all in one transaction. Gives their number; undefined where none waits. */
export async function analyseSlice(context: JobContext, state: KeptState): Promise<number | undefined> {
  const slice = await context.read((view) => readSlice(view, context.job.organization));
  if (slice === undefined) return undefined;
  const newId = (): string => context.newId('clu');
  const withdrawn =
    slice.before.length === 0
      ? undefined
      : await withdrawIssues(
          state,
          slice.before.map(({ point }) => point),
        );
  const after = withdrawn === undefined ? state : stateAfter(state, withdrawn.writes);
  const found = await analyze(after, slice.conversations, { newId });
  const vanished = withdrawn?.removed ?? [];
  const rows = rowsOf(slice.conversations, found, context);
  const touched = [...slice.before, ...rows.flat()].map(({ cluster }) => cluster);
  const changed = [...new Set([...(await state.list('todo.changed')), ...touched])].filter(
    (id) => !vanished.includes(id),
  );
  const writes = new Map([...(withdrawn?.writes ?? []), ...found.writes, ['todo.changed', changed] as const]);
  await state.write(withdrawn?.baseVersion ?? found.baseVersion, writes, (tx) =>
    keep(tx, slice, { rows, began: found.created, vanished, now: context.now() }),
  );
  return slice.conversations.length;
}

/** The next conversations of the oldest batches that were not analysed since they changed. */
async function readSlice(view: ReadTransaction, organization: string): Promise<Slice | undefined> {
  const waiting = await view.find(analysisBatches, {
    index: 'byOrganization',
    equals: [organization],
    limit: most.conversations,
  });
  if (waiting.length === 0) return undefined;
  const taken = new Map<string, ConversationRow>();
  const before: IssueRow[] = [];
  const batches: AnalysisBatchRow[] = [];
  let [ids, characters] = [0, 0];
  const isFull = (): boolean =>
    taken.size >= most.conversations || ids >= most.ids || characters >= most.characters;
  for (const batch of waiting) {
    let at = 0;
    for (; at < batch.conversations.length && !isFull(); at++, ids++) {
      const id = batch.conversations[at]!;
      const row = await view.get(conversations, conversationId(organization, id));
      if (row === undefined || row.processedAt !== undefined || taken.has(row.id)) continue;
      taken.set(row.id, row);
      characters += row.parts.reduce((sum, { body }) => sum + body.length, 0);
      before.push(
        ...(await view.find(issues, { index: 'byConversation', equals: [organization, id], limit: 100 })),
      );
    }
    batches.push({ ...batch, conversations: batch.conversations.slice(at) });
    if (isFull()) break;
  }
  return { conversations: [...taken.values()], before, batches };
}

/** The issues of each conversation as rows. */
function rowsOf(from: readonly ConversationRow[], found: AnalyzedBatch, { newId }: JobContext): IssueRow[][] {
  return from.map(({ id, organization, source, metadata, ingestedAt }, at) =>
    found.issues[at]!.map(({ title, details, impact, point, cluster }) => ({
      id: newId('iss'),
      organization,
      conversation: id.slice(organization.length + 1),
      cluster,
      point,
      title,
      text: textOfDetails(details),
      impact,
      source,
      createdAt: metadata?.createdAt ?? ingestedAt,
      ingestedAt,
    })),
  );
}

interface Found {
  readonly rows: readonly (readonly IssueRow[])[];
  readonly began: readonly string[];
  readonly vanished: readonly string[];
  readonly now: string;
}

async function keep(
  tx: WriteTransaction,
  { conversations: given, before, batches }: Slice,
  { rows, began, vanished, now }: Found,
): Promise<void> {
  for (const row of given) if (!sameContent(await tx.get(conversations, row.id), row)) throw new Outdated();
  const tally = new Tally();
  countConversations(tally, before, -1);
  for (const issue of before) {
    tally.issue(issue.cluster, issue, -1);
    await tx.remove(issues, issue.id);
  }
  for (const cluster of began)
    await tx.insert(
      clusters,
      newCluster(
        rows.flat().find((issue) => issue.cluster === cluster)!,
        cluster,
        now,
      ),
    );
  for (const [at, its] of rows.entries()) {
    countConversations(tally, its, 1);
    for (const issue of its) {
      tally.issue(issue.cluster, issue, 1);
      await tx.insert(issues, issue);
    }
    await tx.update(conversations, given[at]!.id, {
      processedAt: now,
      impact: highestImpact(its.map(({ impact }) => impact)),
    });
  }
  await tally.save(tx, now);
  for (const cluster of vanished) await tx.remove(clusters, cluster);
  for (const { id, conversations: left } of batches) {
    if (left.length === 0) await tx.remove(analysisBatches, id);
    else await tx.update(analysisBatches, id, { conversations: left });
  }
}

/** Counts each conversation once in each cluster that issues of it are in. */
function countConversations(tally: Tally, its: readonly IssueRow[], by: 1 | -1): void {
  const seen = new Set<string>();
  for (const { conversation, cluster } of its) {
    const key = JSON.stringify([cluster, conversation]);
    if (!seen.has(key)) tally.conversation(cluster, by);
    seen.add(key);
  }
}
