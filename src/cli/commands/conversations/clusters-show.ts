import type { Command } from 'commander';
import type { OutputOf } from '../../../contract/operation.ts';
import type { RichNode } from '../../../contract/shapes.ts';
import { getCluster } from '../../../resources/conversation-clusters/contract.ts';
import { listIssues } from '../../../resources/conversation-issues/contract.ts';
import { block, textNode } from '../../../richtext/nodes.ts';
import { createNames } from '../../names.ts';
import { displayText, sparkline } from '../../output/cell.ts';
import type { Session } from '../../session.ts';
import type { RunInSession } from '../../composite-command.ts';

type Cluster = OutputOf<typeof getCluster>;
type Issue = OutputOf<typeof listIssues>['items'][number]['issue'];

/** Issues that are shown. */
const most = 8;

export function define(command: Command, run: RunInSession): void {
  command
    .argument('<cluster>', 'cluster, by id or label')
    .addHelpText(
      'after',
      '\nShows what a cluster is about, how often it was met in the past 13 weeks and when last, and its latest issues, newest first.\n\nExample:\n  docsctl conversations clusters show "Card declined"\n',
    )
    .action((given: string) =>
      run(async (session) => {
        const names = createNames(session);
        const organizationId = await names.resolve('organizationId', undefined, {}, getCluster.id);
        const clusterId = await names.resolve('clusterId', given, { organizationId }, getCluster.id);
        const api = await session.api();
        const { signal } = session.runtime;
        const cluster = await api.call(getCluster, { params: { organizationId, clusterId } }, { signal });
        const { items } = await api.call(
          listIssues,
          { params: { organizationId }, query: { cluster: clusterId, limit: most } },
          { signal },
        );
        await show(
          session,
          cluster,
          items
            .map(({ issue }) => issue)
            .sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt)),
        );
      }),
    );
}

async function show(session: Session, cluster: Cluster, issues: readonly Issue[]): Promise<void> {
  const { terminal, format } = session;
  if (format !== 'table' || session.flags.query !== undefined) {
    const printer = await session.printer();
    await printer.one({ cluster, issues });
    return printer.end();
  }
  const [{ renderPage }, { createStyler }] = await Promise.all([
    import('../../output/markdown/render.ts'),
    import('../../output/style.ts'),
  ]);
  const { label, summary } = cluster;
  const nodes = [...summary.nodes, heading('Latest issues'), block('list-unordered', issues.map(itemOf))];
  const ink = await createStyler(session.isInteractive && terminal.color);
  await terminal.stdout.write(
    renderPage(
      { title: label, description: factsOf(cluster, issues[0]), nodes },
      { columns: terminal.columns, ink },
    ),
  );
}

function factsOf(
  { id, impact, muted, weeklyPulse, lastIssueAt, stats }: Cluster,
  latest: Issue | undefined,
): string {
  const { issues, conversations, tasksTotal } = stats;
  // A server that does not tell it shows its issues all the same.
  const last = lastIssueAt ?? latest?.createdAt;
  return [
    id,
    `${impact} impact`,
    `${issues} ${issues === 1 ? 'issue' : 'issues'} in ${conversations} ${conversations === 1 ? 'conversation' : 'conversations'}`,
    ...(weeklyPulse.some((count) => count > 0)
      ? [`13 weeks ${sparkline(weeklyPulse)}`]
      : ['quiet for 13 weeks']),
    ...(last === undefined ? [] : [`latest issue ${displayText(last)}`]),
    ...(tasksTotal > 0 ? [`${tasksTotal} change ${tasksTotal === 1 ? 'request' : 'requests'}`] : []),
    ...(muted ? ['muted'] : []),
  ].join(' · ');
}

const paragraph = (text: string): RichNode => block('paragraph', [textNode([{ text, marks: [] }])]);
const heading = (text: string): RichNode => block('heading-2', [textNode([{ text, marks: [] }])]);

function itemOf({ title, impact, createdAt, conversation }: Issue): RichNode {
  return block('list-item', [paragraph(`${displayText(createdAt)} ${title} (${impact}, ${conversation})`)]);
}
