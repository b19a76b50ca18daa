import { listOf, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, Type, Url } from '../../contract/schema.ts';
import { RichDocument } from '../../contract/shapes.ts';
import { Conversation, Impact } from '../conversations/contract.ts';

/** A problem that a user reports in a conversation. */
export const ConversationIssue = closed({
  object: Type.Literal('conversation-issue'),
  id: Id,
  title: Type.String(),
  details: RichDocument,
  summary: Type.String({ description: 'the details as plain text' }),
  impact: Impact,
  createdAt: DateTime,
  ingestedAt: DateTime,
  conversation: Type.String(),
  cluster: Type.Optional(Id),
  urls: closed({ location: Url }),
});

const IssueItem = closed({ issue: ConversationIssue, conversation: Conversation });
const redact = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'whether to replace names, addresses, passwords and other private data with placeholders such as [name] (default: false)',
  }),
);
const columns = [
  'issue.title',
  'issue.impact',
  'issue.createdAt',
  'issue.cluster',
  'conversation.id',
  'issue.id',
];

export const nounHelp: NounHelp = {
  description:
    'An issue is a problem or wish that a user states in a conversation. The analysis finds issues, rates their impact and puts issues with the same cause into a cluster.',
  examples: [
    'docsctl conversations issues list --conversation ticket-71',
    'docsctl conversations issues list --cluster clu_1',
  ],
};

export const listIssues = operation({
  id: 'conversations.issues.list',
  route: 'GET /orgs/:organizationId/conversations-issues',
  summary: 'List the issues found in conversations',
  description:
    'The issues that were found most recently come first. With `cluster`, those of the newest conversations come first.',
  access: 'org.read',
  query: {
    cluster: Type.Optional(Type.String({ ...Id, description: 'only issues of this cluster' })),
    conversation: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'only issues of the conversation with this ID',
      }),
    ),
    redact,
  },
  returns: listOf(IssueItem),
  cli: {
    columns,
    examples: [
      'docsctl conversations issues list',
      'docsctl conversations issues list --cluster clu_1 --redact',
    ],
  },
});

export const getIssue = operation({
  id: 'conversations.issues.get',
  route: 'GET /orgs/:organizationId/conversations-issues/:issueId',
  summary: 'Show an issue with its conversation',
  access: 'org.read',
  query: { redact },
  returns: ok(IssueItem),
  cli: { columns, examples: ['docsctl conversations issues get iss_1'] },
});
