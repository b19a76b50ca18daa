import { analyze, type AnalyzedBatch, type IssueOf } from '../../analysis/analyze.ts';
import type { SentenceEmbedder } from '../../analysis/sentence-vectors.ts';
import { highestImpact } from '../../analysis/impact.ts';
import { withdrawIssues } from '../../analysis/place-issues.ts';
import type { JobContext } from '../../core/jobs.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { detailsToText } from './details.ts';
import type { IssueEmbedder } from './embedder.ts';
import { StaleStateError, stateAfter, type StoredAnalysisState } from './stored-state.ts';
import { newCluster } from './new-cluster.ts';
import { isUnchanged } from './rules.ts';
import { Tally } from './tally.ts';
import {
  conversations,
  type ConversationRow,
  analysisBatches,
  type AnalysisBatchRow,
  conversationId,
} from './rows.ts';
import { clusters, issues, type IssueRow } from '../conversation-issues/rows.ts';

/** Limits for one transaction: analyzed conversations, looked-up IDs, and characters of text. */
const maxSlice = { conversations: 400, ids: 2000, characters: 4_000_000 };

interface Slice {
  readonly conversations: readonly ConversationRow[];
  /** The issues of earlier versions of the conversations. */
  readonly before: readonly IssueRow[];
  /** The batches with the conversations that remain in them. */
  readonly batches: readonly AnalysisBatchRow[];
}

/**
 * Analyzes the conversations that have waited longest and stores the result, all in one transaction. Returns their number;
 * undefined if none is waiting.
 */
export async function analyzeSlice(
  context: JobContext,
  state: StoredAnalysisState,
  embedder: IssueEmbedder | undefined,
): Promise<number | undefined> {
  const slice = await context.read((view) => readSlice(view, context.job.organization));
  if (slice === undefined) return undefined;
  const points = slice.before.map(({ point }) => point);
  const withdrawn = points.length === 0 ? undefined : await withdrawIssues(state, points);
  const { removed = [], writes = [] } = withdrawn ?? {};
  const after = withdrawn === undefined ? state : stateAfter(state, withdrawn.writes);
  const found = await analyze(after, slice.conversations, {
    newId: () => context.newId('clu'),
    embedder: embedder === undefined ? undefined : forFoundIssues(embedder),
  });
  const analyzed = slice.conversations.map((conversation, at) => ({
    conversation,
    issues: (found.issues[at] ?? []).map((issue) => createIssueRow(issue, conversation, context)),
  }));
  const touched = [...slice.before, ...analyzed.flatMap((each) => each.issues)].map(({ cluster }) => cluster);
  const changed = new Set([...(await state.list('todo.changed')), ...touched]);
  for (const cluster of removed) changed.delete(cluster);
  await state.write(
    withdrawn?.baseVersion ?? found.baseVersion,
    new Map([...writes, ...found.writes, ['todo.changed', [...changed]] as const]),
    (tx) => saveSlice(tx, slice, { analyzed, created: found.created, removed, now: context.now() }),
  );
  return slice.conversations.length;
}

/** Embeds issues that have no rows yet. */
function forFoundIssues(embedder: IssueEmbedder): SentenceEmbedder<IssueOf<ConversationRow>> {
  return {
    model: embedder.model,
    embed: (found) =>
      embedder.embed(
        found.map(({ title, details, conversation }) => ({
          title,
          text: detailsToText(details),
          conversation,
        })),
      ),
  };
}

/** Returns the next conversations of the oldest batches that were not analyzed since their last change. */
async function readSlice(view: ReadTransaction, organization: string): Promise<Slice | undefined> {
  const waiting = await view.find(analysisBatches, {
    index: 'byOrganization',
    equals: [organization],
    limit: maxSlice.conversations,
  });
  if (waiting.length === 0) return undefined;
  const taken = new Map<string, ConversationRow>();
  const before: IssueRow[] = [];
  const batches: AnalysisBatchRow[] = [];
  let [ids, characters] = [0, 0];
  const isFull = () =>
    taken.size >= maxSlice.conversations || ids >= maxSlice.ids || characters >= maxSlice.characters;
  for (const batch of waiting) {
    const idsBefore = ids;
    for (const id of batch.conversations) {
      if (isFull()) break;
      ids++;
      const row = await view.get(conversations, conversationId(organization, id));
      if (row === undefined || row.processedAt !== undefined || taken.has(row.id)) continue;
      taken.set(row.id, row);
      characters += row.parts.reduce((sum, { body }) => sum + body.length, 0);
      before.push(
        ...(await view.find(issues, { index: 'byConversation', equals: [organization, id], limit: 100 })),
      );
    }
    batches.push({ ...batch, conversations: batch.conversations.slice(ids - idsBefore) });
    if (isFull()) break;
  }
  return { conversations: [...taken.values()], before, batches };
}

function createIssueRow(
  { title, details, impact, point, cluster }: AnalyzedBatch['issues'][number][number],
  { id, organization, source, metadata, ingestedAt }: ConversationRow,
  { newId }: JobContext,
): IssueRow {
  return {
    id: newId('iss'),
    organization,
    conversation: id.slice(organization.length + 1),
    cluster,
    point,
    title,
    text: detailsToText(details),
    impact,
    source,
    createdAt: metadata?.createdAt ?? ingestedAt,
    ingestedAt,
  };
}

interface SliceResult {
  readonly analyzed: readonly {
    readonly conversation: ConversationRow;
    readonly issues: readonly IssueRow[];
  }[];
  readonly created: readonly string[];
  readonly removed: readonly string[];
  readonly now: string;
}

async function saveSlice(
  tx: WriteTransaction,
  { before, batches }: Slice,
  { analyzed, created, removed, now }: SliceResult,
): Promise<void> {
  for (const { conversation } of analyzed)
    if (!isUnchanged(await tx.get(conversations, conversation.id), conversation)) throw new StaleStateError();
  const tally = new Tally();
  countConversations(tally, before, -1);
  for (const issue of before) {
    tally.countIssue(issue.cluster, issue, -1);
    await tx.remove(issues, issue.id);
  }
  const missing = new Set(created);
  for (const { conversation, issues: found } of analyzed) {
    countConversations(tally, found, 1);
    for (const issue of found) {
      if (missing.delete(issue.cluster))
        await tx.insert(clusters, newCluster(issue, conversation, issue.cluster, now));
      tally.countIssue(issue.cluster, issue, 1);
      await tx.insert(issues, issue);
    }
    await tx.update(conversations, conversation.id, {
      processedAt: now,
      impact: highestImpact(found.map(({ impact }) => impact)),
    });
  }
  await tally.save(tx, now);
  for (const cluster of removed) await tx.remove(clusters, cluster);
  for (const { id, conversations: left } of batches) {
    if (left.length === 0) await tx.remove(analysisBatches, id);
    else await tx.update(analysisBatches, id, { conversations: left });
  }
}

/** Counts each conversation once for each cluster that contains issues of it. */
function countConversations(tally: Tally, from: readonly IssueRow[], by: 1 | -1): void {
  const seen = new Set<string>();
  for (const { conversation, cluster } of from) {
    const key = JSON.stringify([cluster, conversation]);
    if (!seen.has(key)) tally.countConversation(cluster, by);
    seen.add(key);
  }
}
