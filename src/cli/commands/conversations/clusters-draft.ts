import type { Command } from 'commander';
import type { OutputOf } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { createChangeRequest, updateChangeRequest } from '../../../resources/change-requests/contract.ts';
import { updateContent } from '../../../resources/content/change-request/contract.ts';
import { getCluster } from '../../../resources/conversation-clusters/contract.ts';
import { listIssues } from '../../../resources/conversation-issues/contract.ts';
import { listOrganizationChangeRequests } from '../../../resources/organization-change-requests/contract.ts';
import { createNames } from '../../names.ts';
import type { Session } from '../../session.ts';
import type { RunInSession } from '../../composite-command.ts';
import type { RichDocumentValue, RichNode } from '../../../contract/shapes.ts';
import { block, textNode } from '../../../richtext/nodes.ts';
import { shellWord } from '../../suggestions.ts';

interface Options {
  readonly space?: string;
  readonly subject?: string;
  readonly title?: string;
  readonly again?: boolean;
}

export function define(command: Command, run: RunInSession): void {
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
    const { printRequests } = await import('../../dry-run.ts');
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

/** Characters of an issue that are quoted, and issues. */
export const longest = 500;

export const most = 5;

/** A page to begin with, out of what is known of a cluster. What people wrote stays text, whatever signs are in it. */
export function clusterPage(
  { summary }: OutputOf<typeof getCluster>,
  issues: OutputOf<typeof listIssues>['items'],
): RichDocumentValue {
  const quoted = new Map(issues.map(({ issue }) => [issue.title, plain(issue.summary)]));
  const quotes = [...quoted]
    .slice(0, most)
    .map(([title, text]) => block('blockquote', [paragraph(cut(text === '' ? plain(title) : text))]));
  const nodes = [
    paragraph('This is a draft: write the answer here.'),
    heading('What it is about'),
    ...summary.nodes.map(plainNode),
    heading('What people say'),
    ...quotes,
  ];
  return { object: 'document', data: { schemaVersion: 2 }, nodes };
}

export const odd = /[\s\p{Cc}\p{Bidi_Control}]+/gu;

/** Text on one line, without what commands a terminal or turns the order of letters around. */
export function plain(text: string): string {
  return text.replace(odd, ' ').trim();
}

/** A node of the summary, whose bullets quote as well. */
export function plainNode(node: RichNode): RichNode {
  const leaves = node['leaves'] as readonly { readonly text: string }[] | undefined;
  return {
    ...node,
    ...(leaves === undefined
      ? {}
      : { leaves: leaves.map((leaf) => ({ ...leaf, text: leaf.text.replace(odd, ' ') })) }),
    ...(node.nodes === undefined ? {} : { nodes: node.nodes.map(plainNode) }),
  };
}

export function paragraph(text: string): RichNode {
  return block('paragraph', [textNode([{ text, marks: [] }])]);
}

export function heading(text: string): RichNode {
  return block('heading-2', [textNode([{ text, marks: [] }])]);
}

export function cut(text: string): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
