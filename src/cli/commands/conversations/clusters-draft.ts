import type { OutputOf } from '../../../contract/operation.ts';
import type { RichDocumentValue, RichNode } from '../../../contract/shapes.ts';
import { Problem } from '../../../errors/problem.ts';
import { createChangeRequest } from '../../../resources/change-requests/contract.ts';
import { updateContent } from '../../../resources/content/change-request/contract.ts';
import { getCluster } from '../../../resources/conversation-clusters/contract.ts';
import { listIssues } from '../../../resources/conversation-issues/contract.ts';
import { listOrganizationChangeRequests } from '../../../resources/organization-change-requests/contract.ts';
import { block, paragraphOf, textNode } from '../../../richtext/nodes.ts';
import { requireArgument, type DefineCommand } from '../../composite-command.ts';
import { resolveName, resolveOrganization } from '../../names.ts';
import type { Session } from '../../session.ts';
import { shellWord } from '../../suggestions.ts';
import { archiveEmpty } from '../change-requests/archive-empty.ts';
import type { CommandHelp } from '../../command-help.ts';

interface Options {
  readonly space?: string;
  readonly subject?: string;
  readonly title?: string;
  readonly again?: boolean;
}

export const help: CommandHelp = {
  description: `
Opens a change request for a cluster, with a page that holds its summary and some of its issues: a beginning for whoever
writes the answer. The cluster counts the change request among its tasks; while one of them is a draft or open, no other is
made without --again. It quotes what people wrote: look through it before you merge.
`,
  examples: ['docsctl conversations clusters draft "Card declined" --space Handbook'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<cluster>', 'cluster, by id or label')
    .option('--space <id|title>', 'the space that shall answer it')
    .option('--subject <text>', 'subject of the change request (default: the label of the cluster)')
    .option('--title <text>', 'title of the page (default: the label of the cluster)')
    .option('--again', 'open one more, where a change request of the cluster is there already')
    .action(inSession(createDraft));
};

async function createDraft(session: Session, given: string, options: Options): Promise<void> {
  const usage = `docsctl conversations clusters draft ${shellWord(given)} --space SPACE`;
  const space = requireArgument(options.space, 'In which space?', usage);
  const organizationId = await resolveOrganization(session);
  const clusterId = await resolveName(session, 'clusterId', given, { organizationId });
  const spaceId = await resolveName(session, 'spaceId', space, { organizationId });
  const cluster = await session.call(getCluster, { params: { organizationId, clusterId } });
  if (options.again !== true) await refuseSecond(session, cluster, organizationId);
  const query = { cluster: clusterId, limit: 50 };
  const { items } = await session.call(listIssues, { params: { organizationId }, query });
  const label = cleanText(cluster.label);
  const subject = (options.subject ?? label).slice(0, 100).toWellFormed();
  const title = (options.title ?? label).slice(0, 255).toWellFormed();
  const body = { subject, conversationsIssuesCluster: clusterId };
  const document = { document: draftPage(cluster, items) };
  const changes = [{ operation: 'insert_page' as const, title, document }];
  if (session.flags.dryRun === true) {
    const { printRequests } = await import('../../print-results.ts');
    await printRequests(session, createChangeRequest, [{ spaceId }], { body });
    return printRequests(session, updateContent, [{ spaceId, changeRequestId: 'NEW' }], {
      body: { changes },
    });
  }
  const { id, number } = await session.call(createChangeRequest, { params: { spaceId }, body });
  const params = { spaceId, changeRequestId: id };
  try {
    await session.call(updateContent, { params, body: { changes } });
  } catch (error) {
    await archiveEmpty(session, params);
    throw error;
  }
  const result = { number, id, space: spaceId, cluster: clusterId, title };
  await session.print(result, { columns: ['number', 'id', 'title', 'cluster'] });
  session.note(
    `Change request ${number} quotes what people wrote: look through it with \`docsctl change-requests diff ${number} --space ${spaceId}\`.`,
  );
}

/** Refuses a second answer to a cluster while a first one is being written. @throws Problem(guard-refused) */
async function refuseSecond(
  session: Session,
  { id, label, stats }: OutputOf<typeof getCluster>,
  organizationId: string,
): Promise<void> {
  if (stats.tasksTotal > 0 && stats.tasksBacklog + stats.tasksStarted === 0)
    return session.note(
      `This cluster had change requests before: ${stats.tasksCompleted} merged, ${stats.tasksCancelled} archived.`,
    );
  const { items } = await session.call(listOrganizationChangeRequests, {
    params: { organizationId },
    query: { conversationsIssuesCluster: id, status: ['draft', 'open'], limit: 1 },
  });
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

const maxQuotes = 5;
const maxQuoteLength = 500;
const unwanted = /[\s\p{Cc}\p{Bidi_Control}]+/gu;

/** Drafts a page for a cluster: its summary, and quotes from its issues as plain text. */
function draftPage(
  { summary }: OutputOf<typeof getCluster>,
  issues: OutputOf<typeof listIssues>['items'],
): RichDocumentValue {
  const texts = new Map(
    issues.map(({ issue }) => [issue.title, cleanText(issue.summary) || cleanText(issue.title)]),
  );
  const quotes = [...texts.values()].slice(0, maxQuotes);
  const heading = (text: string) => block('heading-2', [textNode([{ text, marks: [] }])]);
  const nodes = [
    paragraphOf('This is a draft: write the answer here.'),
    heading('What it is about'),
    ...summary.nodes.map(cleanNode),
    heading('What people say'),
    ...quotes.map((text) => block('blockquote', [paragraphOf(cut(text))])),
  ];
  return { object: 'document', data: { schemaVersion: 2 }, nodes };
}

/** Puts a text on one line, without control and bidirectional characters. */
function cleanText(text: string): string {
  return text.replace(unwanted, ' ').trim();
}

/** Cleans the texts of a node of the summary, whose bullets quote as well. */
function cleanNode(node: RichNode): RichNode {
  const leaves = node['leaves'] as readonly { readonly text: string }[] | undefined;
  return {
    ...node,
    ...(leaves && { leaves: leaves.map((leaf) => ({ ...leaf, text: leaf.text.replace(unwanted, ' ') })) }),
    ...(node.nodes && { nodes: node.nodes.map(cleanNode) }),
  };
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= maxQuoteLength ? text : `${characters.slice(0, maxQuoteLength - 1).join('')}…`;
}
