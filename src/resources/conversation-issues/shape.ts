import type { OutputOf } from '../../contract/operation.ts';
import type { Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { ReadContext } from '../../core/handler.ts';
import { notFound } from '../../errors/problem.ts';
import { knownDataOf, redactIssue, redactTextOf } from '../conversations/private-data.ts';
import { textToDetails } from '../conversations/details.ts';
import { shapeConversation } from '../conversations/shape.ts';
import type { ConversationIssue, getIssue } from './contract.ts';
import { conversations, conversationId } from '../conversations/rows.ts';
import type { IssueRow } from './rows.ts';

/** Returns an issue and its conversation in the form of the API, without private data if `redact` is set. */
export async function shapeItem(
  context: ReadContext,
  row: IssueRow,
  redact = false,
): Promise<OutputOf<typeof getIssue>> {
  const conversation = await context.tx.get(
    conversations,
    conversationId(row.organization, row.conversation),
  );
  if (conversation === undefined) throw notFound('conversation', row.conversation);
  if (!redact)
    return { issue: shapeIssue(context, row), conversation: shapeConversation(context, conversation) };
  const redactText = redactTextOf(knownDataOf(conversation));
  const { subject, ...rest } = shapeConversation(context, conversation);
  return {
    issue: shapeIssue(context, redactIssue(row, redactText)),
    conversation: {
      ...rest,
      ...defined({ subject: subject === undefined ? undefined : redactText(subject) }),
    },
  };
}

function shapeIssue({ url }: ReadContext, row: IssueRow): Static<typeof ConversationIssue> {
  const { id, title, text, impact, createdAt, ingestedAt, conversation, cluster } = row;
  return {
    object: 'conversation-issue',
    id,
    title,
    details: textToDetails(text),
    summary: text,
    impact,
    createdAt,
    ingestedAt,
    conversation,
    cluster,
    urls: { location: url(`/v1/orgs/${row.organization}/conversations-issues/${id}`) },
  };
}
