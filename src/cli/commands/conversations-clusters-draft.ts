import type { Command } from 'commander';
import type { OutputOf } from '../../contract/operation.ts';
import { Problem } from '../../errors/problem.ts';
import { createChangeRequest, updateChangeRequest } from '../../resources/change-requests/contract.ts';
import { updateContent } from '../../resources/content/change-request/contract.ts';
import { getCluster } from '../../resources/conversation-clusters/contract.ts';
import { listIssues } from '../../resources/conversation-issues/contract.ts';
import { listOrganizationChangeRequests } from '../../resources/organization-change-requests/contract.ts';
import { clusterPage, plain } from '../cluster-page.ts';
import { createNames } from '../names.ts';
import { shellWord } from '../shell-word.ts';
import type { Session } from '../session.ts';
import type { RunIn } from '../composite-command.ts';

interface Options {
  readonly space?: string;
  readonly subject?: string;
  readonly title?: string;
  readonly again?: boolean;
}

export function define(command: Command, run: RunIn): void {
  command
    .argument('<cluster>', 'cluster, by id or label')
    .option('--space <id|title>', 'the space that shall answer it')
    .option('--subject <text>', 'subject of the change request (default: the label of the cluster)')
    .option('--title <text>', 'title of the page (default: the label of the cluster)')
    .option('--again', 'open one more, where a change request of the cluster is there already')
    .addHelpText(
      'after',
      `
Opens a change request for a cluster, with a page that holds its summary and some of its issues: a beginning for whoever
writes the answer. The cluster counts the change request among its tasks; while one of them is a draft or open, no other is
made without --again. It quotes what people wrote: look through it before you merge.

Example:
  docsctl conversations clusters draft "Card declined" --space Handbook
`,
    )
    .action((given: string, options: Options) => run((session) => draft(session, given, options)));
}

async function draft(session: Session, given: string, options: Options): Promise<void> {
  if (options.space === undefined)
    throw new Problem('usage', 'In which space?', {
      hint: `docsctl conversations clusters draft ${shellWord(given)} --space SPACE`,
    });
  const names = createNames(session);
  const organizationId = await names.resolve('organizationId', undefined, {}, getCluster.id);
  const clusterId = await names.resolve('clusterId', given, { organizationId }, getCluster.id);
  const spaceId = await names.resolve('spaceId', options.space, { organizationId }, createChangeRequest.id);
  const api = await session.api();
  const { signal } = session.runtime;
  const cluster = await api.call(getCluster, { params: { organizationId, clusterId } }, { signal });
  if (options.again !== true) await refuseSecond(session, cluster, organizationId);
  const { items } = await api.call(
    listIssues,
    { params: { organizationId }, query: { cluster: clusterId, limit: 50 } },
    { signal },
  );
  const label = plain(cluster.label);
  const { subject = label, title = label } = options;
  const body = { subject: subject.slice(0, 100).toWellFormed(), conversationsIssuesCluster: clusterId };
  const changes = [
    {
      operation: 'insert_page' as const,
      title: title.slice(0, 255).toWellFormed(),
      document: { document: clusterPage(cluster, items) },
    },
  ];
  if (session.flags.dryRun === true) {
    const { printRequests } = await import('../dry-run.ts');
    await printRequests(session, createChangeRequest, [{ spaceId }], {}, body);
    return printRequests(session, updateContent, [{ spaceId, changeRequestId: 'NEW' }], {}, { changes });
  }
  const { id, number } = await api.call(createChangeRequest, { params: { spaceId }, body }, { signal });
  const params = { spaceId, changeRequestId: id };
  try {
    await api.call(updateContent, { params, body: { changes } }, { signal });
  } catch (error) {
    await api
      .call(updateChangeRequest, { params, body: { status: 'archived' } })
      .catch(() => session.note('An empty change request was left behind.'));
    throw error;
  }
  const printer = await session.printer({ columns: ['number', 'id', 'title', 'cluster'] });
  await printer.one({ number, id, space: spaceId, cluster: clusterId, title: changes[0]!.title });
  await printer.end();
  session.note(
    `Change request ${number} quotes what people wrote: look through it with \`docsctl change-requests diff ${number} --space ${spaceId}\`.`,
  );
}

/** Two answers to one question help nobody; what was merged or archived is no answer that is still being written. */
async function refuseSecond(
  session: Session,
  { id, label, stats }: OutputOf<typeof getCluster>,
  organizationId: string,
): Promise<void> {
  if (stats.tasksTotal > 0 && stats.tasksBacklog + stats.tasksStarted === 0)
    return session.note(
      `This cluster had change requests before: ${stats.tasksCompleted} merged, ${stats.tasksCancelled} archived.`,
    );
  const api = await session.api();
  const query = { conversationsIssuesCluster: id, status: ['draft' as const, 'open' as const], limit: 1 };
  const { items } = await api.call(
    listOrganizationChangeRequests,
    { params: { organizationId }, query },
    { signal: session.runtime.signal },
  );
  const [request] = items;
  if (request === undefined) return;
  throw new Problem(
    'guard-refused',
    `Change request ${request.number} (${request.status}) is there for the cluster "${label}" already.`,
    {
      hint: `See it with \`docsctl change-requests diff ${request.number} --space ${request.space}\`, or open one more with --again.`,
    },
  );
}
