import type { Context, Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { jobId, jobs } from '../../core/rows/jobs.ts';
import { notFound } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { checkSize, decideIngest, type GivenConversation } from './rules.ts';
import { shapeConversation } from './shape.ts';
import { conversations, analysisBatches, conversationId } from './rows.ts';
import type { NewId } from '../../core/ids.ts';
import { enqueue } from '../../core/jobs.ts';
import type { WriteTransaction } from '../../core/store.ts';

export const listConversations: Handler<typeof contract.listConversations> = async (context, { query }) => {
  const { tx, organization } = context;
  if (query.source === undefined)
    return listPage(
      tx,
      { table: conversations, index: 'byOrganization', equals: [organization.id] },
      query,
      (row) => shapeConversation(context, row),
    );
  return listPage(
    tx,
    { table: conversations, index: 'bySource', equals: [organization.id, query.source] },
    query,
    (row) => shapeConversation(context, row),
  );
};

export const ingestConversations: Handler<typeof contract.ingestConversations> = async (
  context,
  { body },
) => {
  if (Array.isArray(body)) body.forEach((one, index) => checkSize(one, `/body/${index}`));
  else checkSize(body, '/body');
  await ingest(context, Array.isArray(body) ? body : [body]);
};

export const ingestBatch: Handler<typeof contract.ingestBatch> = async (context, { body }) => {
  body.conversations.forEach((one, index) => checkSize(one, `/body/conversations/${index}`));
  if (body.onDuplicate !== 'keep') return ingest(context, body.conversations);
  const kept: number[] = [];
  return { ...(await ingest(context, body.conversations, kept)), kept };
};

/** With a list for what is kept, conversations that are there with another content stay as they are, and the list is given their places. */
async function ingest(
  { tx, organization, now, newId }: Context<typeof contract.ingestBatch>,
  context: readonly GivenConversation[],
  kept?: number[],
): Promise<{ created: number; updated: number; unchanged: number }> {
  const changed: string[] = [];
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const [place, one] of context.entries()) {
    const verdict = decideIngest(
      await tx.get(conversations, conversationId(organization.id, one.id)),
      one,
      organization.id,
      now,
    );
    if (verdict.kind === 'updated' && kept !== undefined) {
      kept.push(place);
      continue;
    }
    if (verdict.kind === 'updated') await tx.remove(conversations, verdict.row.id);
    if (verdict.kind !== 'unchanged') {
      await tx.insert(conversations, verdict.row);
      changed.push(one.id);
    }
    counts[verdict.kind]++;
  }
  await queueAnalysis({ tx, organization: organization.id, now, newId }, changed);
  return counts;
}

export const getConversation: Handler<typeof contract.getConversation> = async (context, { params }) => {
  const row = await context.tx.get(
    conversations,
    conversationId(context.organization.id, params.conversationId),
  );
  if (row === undefined) throw notFound('conversation', params.conversationId);
  return {
    conversation: shapeConversation(context, row),
    parts: [...row.parts],
    metadata: row.metadata ?? {},
  };
};

export const getAnalysis: Handler<typeof contract.getAnalysis> = async ({ tx, organization }) => {
  const job = await tx.get(jobs, jobId(jobKind, organization.id));
  const batches = await tx.count(analysisBatches, 'byOrganization', [organization.id]);
  const state =
    job === undefined
      ? 'idle'
      : job.queue === 'failed'
        ? 'failed'
        : job.owner === null
          ? 'waiting'
          : 'running';
  return {
    object: 'conversations-analysis',
    state,
    batches,
    ...(job?.problem === undefined ? {} : { problem: { message: job.problem.message, at: job.problem.at } }),
  };
};

/** The kind of the jobs that analyse conversations; the subject is the organization. */
export const jobKind = 'conversations';

/** Has conversations analysed that were taken in, outside of this transaction. One row for all of them: no index on conversations is paid for by each. */
async function queueAnalysis(
  {
    tx,
    organization,
    now,
    newId,
  }: {
    readonly tx: WriteTransaction;
    readonly organization: string;
    readonly now: string;
    readonly newId: NewId;
  },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.insert(analysisBatches, { id: newId('batch'), organization, conversations: ids });
  await enqueue(tx, now, { kind: jobKind, organization, subject: organization });
}
