import { listOf, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, Type, Url } from '../../contract/schema.ts';
import { RichDocument } from '../../contract/shapes.ts';
import { Conversation, Impact } from '../conversations/contract.ts';

/** A problem that a user reports in a conversation. */
export const ConversationIssue = closed({
  object: Type.Literal('conversation-issue'),
  id: Id,
  title: Type.String(),
  details: RichDocument,
  summary: Type.String({ description: 'The details as plain text' }),
  impact: Impact,
  createdAt: DateTime,
  ingestedAt: DateTime,
  conversation: Type.String(),
  cluster: Type.Optional(Id),
  urls: closed({ location: Url }),
});

const IssueItem = closed({ issue: ConversationIssue, conversation: Conversation });
const columns = [
  'issue.title',
  'issue.impact',
  'issue.createdAt',
  'issue.cluster',
  'conversation.id',
  'issue.id',
];

export const listIssues = operation({
  id: 'conversations.issues.list',
  route: 'GET /orgs/:organizationId/conversations-issues',
  summary: 'List the issues found in conversations',
  description:
    'Those that were found last come first; those of one cluster are in the order of their time, newest first.',
  access: 'org.read',
  query: {
    cluster: Type.Optional(Id),
    conversation: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Only those of this conversation' }),
    ),
  },
  returns: listOf(IssueItem),
  cli: { columns },
});

export const getIssue = operation({
  id: 'conversations.issues.get',
  route: 'GET /orgs/:organizationId/conversations-issues/:issueId',
  summary: 'Show an issue and the conversation it was found in',
  access: 'org.read',
  returns: ok(IssueItem),
  cli: { columns },
});
