import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { conversationId, conversations } from '../../core/rows/conversations.ts';
import type { Writing } from '../../core/store.ts';
import { notFound } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { checkSize, decideIngest, type GivenConversation } from './rules.ts';
import { shapeConversation } from './shape.ts';

export const listConversations: Handler<typeof contract.listConversations> = async (context, { query }) => {
  const { tx, organization } = context;
  if (query.source === undefined)
    return listPage(tx, { table: conversations, index: 'byOrganization', equals: [organization.id] }, query, (row) => shapeConversation(context, row));
  return listPage(tx, { table: conversations, index: 'bySource', equals: [organization.id, query.source] }, query, (row) => shapeConversation(context, row));
};

export const ingestConversations: Handler<typeof contract.ingestConversations> = async ({ tx, organization, now }, { body }) => {
  if (Array.isArray(body)) body.forEach((one, index) => checkSize(one, `/body/${index}`));
  else checkSize(body, '/body');
  await ingest(tx, Array.isArray(body) ? body : [body], organization.id, now);
};

export const ingestBatch: Handler<typeof contract.ingestBatch> = async ({ tx, organization, now }, { body }) => {
  body.conversations.forEach((one, index) => checkSize(one, `/body/conversations/${index}`));
  return ingest(tx, body.conversations, organization.id, now);
};

async function ingest(tx: Writing, given: readonly GivenConversation[], organization: string, now: string): Promise<{ created: number; updated: number; unchanged: number }> {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const one of given) {
    const verdict = decideIngest(await tx.get(conversations, conversationId(organization, one.id)), one, organization, now);
    if (verdict.kind === 'updated') await tx.remove(conversations, verdict.row.id);
    if (verdict.kind !== 'unchanged') await tx.insert(conversations, verdict.row);
    counts[verdict.kind]++;
  }
  return counts;
}

export const getConversation: Handler<typeof contract.getConversation> = async (context, { params }) => {
  const row = await context.tx.get(conversations, conversationId(context.organization.id, params.conversationId));
  if (row === undefined) throw notFound('conversation', params.conversationId);
  return { conversation: shapeConversation(context, row), parts: [...row.parts], metadata: row.metadata ?? {} } as never;
};
