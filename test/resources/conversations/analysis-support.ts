import { emptyModel, type Model, type StoredPoint } from '../../../src/analysis/state.ts';
import { eachRow } from '../../../src/core/store.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import type { IngestedConversation } from '../../../src/resources/conversations/rules.ts';
import { weeklyCounts } from '../../support/weekly-counts.ts';
import type { World } from '../../support/world.ts';
import { analysisStates, analysisStateId } from '../../../src/resources/conversations/rows.ts';
import {
  clusters,
  issues,
  type ClusterRow,
  type IssueRow,
} from '../../../src/resources/conversation-issues/rows.ts';

const subjects = ['card', 'invoice', 'password', 'domain', 'export', 'refund', 'webhook', 'invitation'];
const troubles = [
  'declined at the shop',
  'is missing from my list',
  'takes much too long',
  'expired again yesterday',
];

/** Returns a question about one of `topics` topics, in one of several wordings. */
export function wish(at: number, topics = subjects.length): string {
  const subject = subjects[at % topics]!;
  const trouble = troubles[Math.floor(at / topics) % troubles.length]!;
  return [
    `My ${subject} ${trouble}, can you help?`,
    `Why is it that the ${subject} ${trouble}?`,
    `The ${subject} ${trouble} in the app number ${at % 17}`,
  ][at % 3]!;
}

export const asked = (id: string, text: string, more: object = {}): IngestedConversation => ({
  id,
  parts: [{ type: 'message', role: 'user', body: text }],
  ...more,
});

/** Returns a conversation with a topic and a date of its own. */
export function conversationAt(at: number): IngestedConversation {
  const createdAt = new Date(Date.parse('2026-01-05T00:00:00Z') - (at % 120) * 86_400_000).toISOString();
  const second = at % 5 === 0 ? ` Another question: ${wish(at + 3)}` : '';
  return asked(`c-${at}`, wish(at) + second, { metadata: { createdAt } });
}

export const work = ({ core }: World) =>
  runDueJobs(core, { kind: 'conversations', signal: new AbortController().signal });

export interface Everything {
  readonly issues: readonly IssueRow[];
  readonly clusters: readonly ClusterRow[];
  readonly model: Model;
  /** The number of issues by cluster, as the analysis counts them. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** Reads all results of the analysis from the store. */
export function readEverything({ core, org }: World): Promise<Everything> {
  return core.store.read(async (view) => {
    const [all, every]: [IssueRow[], ClusterRow[]] = [[], []];
    for await (const row of eachRow(view, issues, 'byOrganization', [org])) all.push(row);
    for await (const row of eachRow(view, clusters, 'byUpdate', [org])) every.push(row);
    const value = async (key: string) => (await view.get(analysisStates, analysisStateId(org, key)))?.value;
    const sizes: Record<string, number> = {};
    for (const { id } of every)
      sizes[id] = (((await value(`cluster.${id}`)) as StoredPoint[] | undefined) ?? []).reduce(
        (sum, { size }) => sum + size,
        0,
      );
    return {
      issues: all,
      clusters: every,
      model: ((await value('model')) as Model | undefined) ?? emptyModel,
      sizes,
    };
  });
}

/** Computes the counters of clusters again from their issues. */
export function recount({ issues: all, clusters: every }: Everything, now: number): Record<string, object> {
  return Object.fromEntries(
    every.map(({ id }) => {
      const its = all.filter(({ cluster }) => cluster === id);
      const of = (impact: string) => its.filter((issue) => issue.impact === impact).length;
      const conversations = new Set(its.map(({ conversation }) => conversation)).size;
      const impacts = { low: of('low'), medium: of('medium'), high: of('high') };
      return [
        id,
        {
          issues: its.length,
          conversations,
          sources: { email: its.length },
          impacts,
          pulse: weeklyCounts(
            its.map(({ createdAt }) => createdAt),
            now,
          ),
        },
      ];
    }),
  );
}

/** Returns the clusters as sorted sets of conversations, independent of IDs and order. */
export function partition({ issues: all, clusters: every }: Everything): string[] {
  return every
    .map(({ id }) =>
      all
        .filter(({ cluster }) => cluster === id)
        .map(({ conversation, title }) => `${conversation}: ${title}`)
        .sort()
        .join('\n'),
    )
    .sort();
}
