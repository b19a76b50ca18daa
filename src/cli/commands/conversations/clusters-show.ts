import { isQuiet } from '../../../analysis/sparkline.ts';
import type { ItemOf, OutputOf } from '../../../contract/operation.ts';
import { plural } from '../../../contract/values.ts';
import { getCluster } from '../../../resources/conversation-clusters/contract.ts';
import { listIssues } from '../../../resources/conversation-issues/contract.ts';
import { block, paragraphOf, textNode } from '../../../richtext/nodes.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { readArguments } from '../../input/files.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';
import { resolveName, resolveOrganization } from '../../names/names.ts';
import { displayText, sparkline } from '../../output/cell.ts';
import { printResults } from '../../results/print-results.ts';
import { doEach } from '../../session/do-each.ts';
import { wantsTable, type Session } from '../../session/session.ts';

type Cluster = OutputOf<typeof getCluster>;
type Issue = ItemOf<typeof listIssues>['issue'];

const maxIssues = 8;

export const help: CommandHelp = {
  description: `
Shows what the issues of each cluster have in common, the number of issues in each of the past 13 weeks, and the latest
issues, newest first. If the past 13 weeks had no issues, the numbers are those of the 13 weeks up to the newest
issue.
`,
  examples: [
    'docsctl conversations clusters show clu_1',
    'docsctl conversations clusters list --limit 3 -o id | docsctl conversations clusters show -',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<cluster...>', `label or ID of the cluster${severalNotes.resources}`)
    .action(inSession(showClusters));
};

async function showClusters(session: Session, given: readonly string[]): Promise<void> {
  const organizationId = await resolveOrganization(session);
  const names = (await readArguments(session, given)).map((name) => ({ name }));
  const { results, failed } = await doEach(session, names, async ({ name }) => {
    const clusterId = await resolveName(session, 'clusterId', name, { organizationId });
    const cluster = await session.call(getCluster, { params: { organizationId, clusterId } });
    const { items } = await session.call(listIssues, {
      params: { organizationId },
      query: { cluster: clusterId, limit: maxIssues, redact: true },
    });
    const issues = items
      .map(({ issue }) => issue)
      .sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt));
    return { cluster, issues };
  });
  if (results.length > 0 && !wantsTable(session))
    await printResults(session, results, { noun: 'clusters' }, areSeveral(given));
  else
    for (const [index, result] of results.entries())
      await session.paged.write((index > 0 ? '\n' : '') + (await draw(session, result)));
  if (failed !== undefined) throw failed;
}

async function draw(
  { terminal, isInteractive }: Session,
  { cluster, issues }: { readonly cluster: Cluster; readonly issues: readonly Issue[] },
): Promise<string> {
  const { drawPage } = await import('../../output/markdown/render.ts');
  const heading = block('heading-2', [textNode([{ text: 'Latest issues', marks: [] }])]);
  const list = issues.map(({ title, impact, createdAt, conversation }) =>
    block('list-item', [paragraphOf(`${displayText(createdAt)} ${title} (${impact}, ${conversation})`)]),
  );
  const page = {
    title: cluster.label,
    description: describeFacts(cluster, issues[0]),
    nodes: [...cluster.summary.nodes, heading, block('list-unordered', list)],
  };
  const { columns } = terminal;
  return drawPage({ columns, color: isInteractive && terminal.color }, page);
}

function describeFacts(
  { id, impact, muted, weeklyPulse, latestPulse, lastIssueAt, stats }: Cluster,
  latest: Issue | undefined,
): string {
  const { issues, conversations, tasksTotal } = stats;
  // Servers without `lastIssueAt` still list the issues.
  const last = lastIssueAt ?? latest?.createdAt;
  return [
    id,
    `${impact} impact`,
    `${plural(issues, 'issue')} in ${plural(conversations, 'conversation')}`,
    isQuiet(weeklyPulse)
      ? `no issues in the last 13 weeks${latestPulse === undefined ? '' : `, before ${sparkline(latestPulse)}`}`
      : `13 weeks ${sparkline(weeklyPulse)}`,
    ...(last === undefined ? [] : [`latest issue ${displayText(last)}`]),
    ...(tasksTotal > 0 ? [plural(tasksTotal, 'change request')] : []),
    ...(muted ? ['muted'] : []),
  ].join(' · ');
}
