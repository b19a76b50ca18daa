import type { CallingIntegration } from '../../core/callers.ts';
import type { Context, Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { jobId, jobs } from '../../core/rows/jobs.ts';
import { notFound } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { checkSize, decideIngest, type IngestedConversation } from './rules.ts';
import { shapeConversation } from './shape.ts';
import { conversations, analysisBatches, conversationId } from './rows.ts';
import { enqueue } from '../../core/jobs.ts';

export const listConversations: Handler<typeof contract.listConversations> = async (context, { query }) => {
  const { tx, organization } = context;
  const selection =
    query.source === undefined
      ? ({ index: 'byOrganization', equals: [organization.id] } as const)
      : ({ index: 'bySource', equals: [organization.id, query.source] } as const);
  return listPage(tx, { table: conversations, ...selection }, query, (row) =>
    shapeConversation(context, row),
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

type IngestContext = Context<typeof contract.ingestBatch>;

/** Returns the default source of conversations: the integration, if an installation of one ingests them. */
function sourceOf(integration: CallingIntegration | undefined): string | undefined {
  const installation = integration?.installation;
  return installation && `integration:${integration?.name}:${installation.id}`;
}

/**
 * Stores conversations. With `kept`, existing conversations with different content are not replaced, and their indexes are added
 * to `kept`.
 */
async function ingest(
  context: IngestContext,
  given: readonly IngestedConversation[],
  kept?: number[],
): Promise<{ created: number; updated: number; unchanged: number }> {
  const { tx, organization, now } = context;
  const source = sourceOf(context.caller.integration);
  const changed: string[] = [];
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const ids = given.map(({ id }) => conversationId(organization.id, id));
  // Read together, so that a store on another machine answers in one round trip.
  const rows = await Promise.all(ids.map((id) => tx.get(conversations, id)));
  const known = new Map(ids.map((id, at) => [id, rows[at]]));
  for (const [index, one] of given.entries()) {
    const id = ids[index] as string;
    const decision = decideIngest(known.get(id), one, organization.id, now, source);
    if (decision.kind === 'updated' && kept !== undefined) {
      kept.push(index);
      continue;
    }
    if (decision.kind === 'updated') await tx.remove(conversations, decision.row.id);
    if (decision.kind !== 'unchanged') {
      await tx.insert(conversations, decision.row);
      known.set(id, decision.row);
      changed.push(one.id);
    }
    counts[decision.kind]++;
  }
  await queueAnalysis(context, changed);
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
  const job = await tx.get(jobs, jobId(analysisJobKind, organization.id));
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
    ...(job?.problem && { problem: job.problem }),
  };
};

/** The kind of the jobs that analyze conversations. Their subject is the organization. */
const analysisJobKind = 'conversations';

/** Enqueues the analysis of ingested conversations. One row lists all of them, which is cheaper than an index entry for each. */
async function queueAnalysis(
  { tx, organization: { id: organization }, now, newId }: IngestContext,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.insert(analysisBatches, { id: newId('batch'), organization, conversations: ids });
  await enqueue(tx, now, { kind: analysisJobKind, organization, subject: organization });
}
