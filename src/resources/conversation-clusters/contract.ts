import { listOf, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, optional, Type, Url } from '../../contract/schema.ts';
import { Icon, Order, RichDocument } from '../../contract/shapes.ts';
import { Impact } from '../conversations/contract.ts';

const Count = Type.Integer({ minimum: 0 });

/** A group of issues with the same cause. */
export const IssuesCluster = closed({
  object: Type.Literal('issues-cluster'),
  id: Id,
  label: Type.String(),
  createdAt: DateTime,
  updatedAt: DateTime,
  icon: Icon,
  summary: RichDocument,
  muted: Type.Boolean(),
  impact: Impact,
  weeklyPulse: Type.Array(Count, {
    minItems: 13,
    maxItems: 13,
    description: 'issues per week over the past 13 weeks',
  }),
  /** The time of its newest issue. Not in the official API. */
  lastIssueAt: Type.Optional(DateTime),
  /** Not in the official API. */
  latestPulse: Type.Optional(
    Type.Array(Count, {
      minItems: 13,
      maxItems: 13,
      description: 'issues per week over the 13 weeks up to the newest issue',
    }),
  ),
  sources: Type.Unsafe<Record<string, number>>(Type.Object({}, { additionalProperties: Count })),
  stats: closed({
    issues: Count,
    conversations: Count,
    tasksTotal: Count,
    tasksBacklog: Count,
    tasksStarted: Count,
    tasksCompleted: Count,
    tasksCancelled: Count,
  }),
  urls: closed({ location: Url, app: Url }),
});

const columns = [
  'label',
  'impact',
  'stats.issues',
  'stats.conversations',
  'muted',
  'lastIssueAt',
  'updatedAt',
  'id',
];

export const nounHelp: NounHelp = {
  description: `
A cluster is a group of issues with the same cause. Its summary says what people want and quotes some of them.
\`docsctl conversations clusters draft\` opens a change request with a first draft of an answer in the documentation.`,
  examples: [
    'docsctl conversations clusters list',
    'docsctl conversations clusters show clu_1',
    'docsctl conversations clusters draft clu_1 --space Guide',
  ],
};

export const listClusters = operation({
  id: 'conversations.clusters.list',
  route: 'GET /orgs/:organizationId/conversations-clusters',
  summary: 'List the clusters of issues, largest first',
  description:
    'In the table, `pulse` shows the number of new issues in each of the past 13 weeks, oldest first, and `latest` shows the date of the latest issue. If the past 13 weeks had no issues, `pulse` on a terminal shows the 13 weeks up to the newest issue.',
  access: 'org.read',
  query: optional({
    order: Order,
    orderBy: oneOf(['updatedAt', 'issues', 'conversations'], {
      default: 'updatedAt',
      description:
        'what to sort by: the last change, or the number of issues or conversations (default: issues; in the API: updatedAt)',
    }),
  }),
  returns: listOf(IssuesCluster),
  cli: {
    columns,
    defaults: { orderBy: 'issues' },
    examples: [
      'docsctl conversations clusters list',
      'docsctl conversations clusters list --order-by updatedAt --limit 5',
    ],
  },
});

export const getCluster = operation({
  id: 'conversations.clusters.get',
  route: 'GET /orgs/:organizationId/conversations-clusters/:clusterId',
  summary: 'Show a cluster of issues',
  access: 'org.read',
  returns: ok(IssuesCluster),
  cli: { columns, examples: ['docsctl conversations clusters get clu_1 -o json'] },
});

export const updateCluster = operation({
  id: 'conversations.clusters.update',
  route: 'PATCH /orgs/:organizationId/conversations-clusters/:clusterId',
  summary: 'Mute or unmute a cluster',
  description:
    'No change request can be created for a muted cluster. The cluster is kept, and new issues are still added to it.',
  access: 'org.create',
  body: closed({
    muted: Type.Optional(Type.Boolean({ description: 'whether the cluster is muted' })),
  }),
  returns: ok(IssuesCluster),
  cli: { columns, examples: ['docsctl conversations clusters update clu_1 --muted'] },
});
