import { listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, oneOf, optional, Type, Url } from '../../contract/schema.ts';

/** Maximum number of conversations in one call, so that its transaction is quick. */
export const maxBatch = 500;

/** The help desk of the caller chooses the ids. A URL cannot contain "." and "..". */
const ConversationId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^(?!\\.{1,2}$)[^\\u0000-\\u001f\\u007f]+$',
});

export const ConversationPart = closed({
  type: Type.Literal('message'),
  role: oneOf(['user', 'assistant', 'team-member']),
  body: Type.String({ maxLength: 2_000_000 }),
});

/** Type.Record would not check keys with a line break. */
const Attributes = Type.Unsafe<Record<string, string>>(
  Type.Object({}, { additionalProperties: Type.String({ maxLength: 4096 }), maxProperties: 100 }),
);

export const ConversationMetadata = closed(
  optional({
    url: Type.String({ maxLength: 2048 }),
    attributes: Attributes,
    createdAt: DateTime,
  }),
);

/** A conversation to ingest, with at most 2 MB of text. */
export const ConversationInput = closed({
  id: ConversationId,
  ...optional({
    subject: Type.String({ maxLength: 512 }),
    source: Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        'where the conversation comes from (default: integration:NAME:INSTALLATION for integrations, else email)',
    }),
    metadata: ConversationMetadata,
  }),
  parts: Type.Array(ConversationPart, { maxItems: 10_000 }),
});

export const Impact = oneOf(['low', 'medium', 'high']);

/** A support conversation. */
export const Conversation = closed({
  object: Type.Literal('conversation'),
  id: ConversationId,
  subject: Type.Optional(Type.String()),
  createdAt: DateTime,
  processedAt: Type.Optional(DateTime),
  source: Type.String({
    description: 'as ingested: "email", "integration:NAME:INSTALLATION" or another word',
  }),
  impact: Type.Optional(Impact),
  urls: closed({ location: Url, source: Type.Optional(Url) }),
});

export const nounHelp: NounHelp = {
  description: `
A conversation is a support ticket or chat with its messages. docsctl reads conversations from files, finds the issues that people report in them, and groups issues with the same cause into clusters. Clusters show which answers the documentation lacks.

Nothing leaves the store, unless a language model or an embedding model is configured.`,
  examples: [
    'docsctl conversations ingest support.ndjson --wait',
    'docsctl conversations clusters list',
    'docsctl conversations get ticket-71',
  ],
};

export const listConversations = operation({
  id: 'conversations.list',
  route: 'GET /orgs/:organizationId/conversations',
  summary: 'List the conversations of an organization',
  access: 'org.read',
  query: {
    source: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          'only conversations with this value in the field `source`, such as email; not the attribute "source", which `docsctl conversations ingest --source` sets',
      }),
    ),
  },
  returns: listOf(Conversation),
  cli: {
    examples: ['docsctl conversations list'],
    columns: ['subject', 'source', 'createdAt', 'processedAt', 'id'],
  },
});

export const ingestConversations = operation({
  id: 'conversations.ingest',
  route: 'POST /orgs/:organizationId/conversations',
  summary: 'Ingest support conversations',
  description:
    'Takes one conversation or an array of up to 500. Ingesting the same conversation again changes nothing. A conversation with a known ID and different content replaces the existing one.',
  access: 'org.create',
  body: Type.Union([ConversationInput, Type.Array(ConversationInput, { maxItems: maxBatch })]),
  returns: noContent(),
  cli: { composite: true, examples: ['docsctl conversations ingest -f support.ndjson'] },
});

export const ingestBatch = operation({
  id: 'conversations.ingest-batch',
  route: 'POST /orgs/:organizationId/conversations/batch',
  summary: 'Ingest support conversations and count the new ones',
  description:
    'Ingests up to 500 conversations and returns how many were new, changed and unchanged. With onDuplicate "keep", existing conversations with different content are kept, and their indexes are returned.',
  access: 'org.create',
  body: closed({
    conversations: Type.Array(ConversationInput, { maxItems: maxBatch }),
    onDuplicate: Type.Optional(oneOf(['replace', 'keep'])),
  }),
  returns: ok(
    closed({
      created: Type.Integer({ minimum: 0 }),
      updated: Type.Integer({ minimum: 0 }),
      unchanged: Type.Integer({ minimum: 0 }),
      kept: Type.Optional(
        Type.Array(Type.Integer({ minimum: 0 }), {
          description: 'with onDuplicate "keep": the indexes, from 0, of the conversations that were kept',
        }),
      ),
    }),
  ),
  cli: { composite: true },
});

export const getConversation = operation({
  id: 'conversations.get',
  route: 'GET /orgs/:organizationId/conversations/:conversationId',
  summary: 'Show a conversation with its messages',
  access: 'org.read',
  returns: ok(
    closed({
      conversation: Conversation,
      parts: Type.Array(ConversationPart),
      metadata: ConversationMetadata,
    }),
  ),
  cli: {
    columns: ['conversation.subject', 'conversation.createdAt', 'conversation.id'],
    examples: ['docsctl conversations get ticket-71', 'docsctl conversations get ticket-71 -o csv'],
  },
});

export const getAnalysis = operation({
  id: 'conversations.analysis',
  route: 'GET /orgs/:organizationId/conversations-analysis',
  summary: 'Show whether the analysis of conversations is up to date',
  description:
    'The state is idle (all issues and clusters are up to date), waiting, running or failed. This operation is not in the official API of GitBook.',
  access: 'org.read',
  returns: ok(
    closed({
      object: Type.Literal('conversations-analysis'),
      state: oneOf(['idle', 'waiting', 'running', 'failed']),
      batches: Type.Integer({
        minimum: 0,
        description: 'batches of conversations that are not analyzed yet',
      }),
      problem: Type.Optional(closed({ reason: Type.String(), message: Type.String(), at: DateTime })),
    }),
  ),
  cli: { columns: ['state', 'batches', 'problem.message'], examples: ['docsctl conversations analysis'] },
});
