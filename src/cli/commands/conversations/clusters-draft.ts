import { mapDocumentTexts } from '../../../analysis/map-document-texts.ts';
import type { OutputOf } from '../../../contract/operation.ts';
import type { RichDocumentValue } from '../../../contract/shapes.ts';
import { Problem } from '../../../errors/problem.ts';
import { createChangeRequest } from '../../../resources/change-requests/contract.ts';
import { updateContent } from '../../../resources/content/change-request/contract.ts';
import { getCluster } from '../../../resources/conversation-clusters/contract.ts';
import { listIssues } from '../../../resources/conversation-issues/contract.ts';
import { listOrganizationChangeRequests } from '../../../resources/organization-change-requests/contract.ts';
import { block, paragraphOf, textNode } from '../../../richtext/nodes.ts';
import { requireParam } from '../../names/choose-missing.ts';
import {
  requiredArgument,
  requiredOption,
  type CommandHelp,
  type DefineCommand,
} from '../../composite-command.ts';
import { resolveOrganization } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';
import { openRedactor, privateKinds } from '../../../redaction/kinds.ts';
import { shellWord } from '../../../contract/shell-word.ts';
import { checkUnlocked } from '../../../core/check-unlocked.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import { archiveEmpty } from '../change-requests/archive-empty.ts';
import { shorten, truncate } from '../../../contract/values.ts';

interface Options {
  readonly space?: string;
  readonly subject?: string;
  readonly title?: string;
  readonly again?: boolean;
  readonly redact: boolean;
}

export const help: CommandHelp = {
  description: `
Opens a change request with one new page, which contains the summary of the cluster and quotes from its issues. It is a starting point for the person who writes the answer.

Names, addresses, passwords, email addresses, phone numbers, card numbers, IBANs and tokens in quotes are replaced by
[name], [address] and so on. docsctl finds them with rules, which can miss some, so review the draft before you merge
it. --no-redact keeps the quotes unchanged.

If the cluster already has a change request with the status draft or open, the command stops (exit 9) unless --again is given.
`,
  examples: [
    'docsctl conversations clusters draft clu_1 --space Guide',
    'docsctl conversations clusters draft clu_1 --space Guide --title "Export to PDF" --dry-run',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[cluster]', 'label or ID of the cluster'))
    .addOption(
      requiredOption('--space <space>', 'space in which the change request is opened, by title or ID'),
    )
    .option('--subject <text>', 'subject of the change request (default: the label of the cluster)')
    .option('--title <text>', 'title of the page (default: the label of the cluster)')
    .option('--again', 'open another change request if the cluster already has one')
    .option('--no-redact', 'keep names, addresses, passwords and other private data in quotes')
    .action(inSession(createDraft));
};

async function createDraft(session: Session, given: string | undefined, options: Options): Promise<void> {
  const usage = `docsctl conversations clusters draft ${given === undefined ? 'CLUSTER' : shellWord(given)} --space SPACE`;
  const organizationId = await resolveOrganization(session);
  const asked = { params: { organizationId }, hint: `Give the cluster and the space: \`${usage}\`` };
  const spaceId = await requireParam(session, ['spaceId', options.space], asked);
  const clusterId = await requireParam(session, ['clusterId', given], asked);
  const cluster = await session.call(getCluster, { params: { organizationId, clusterId } });
  if (options.again !== true) await refuseSecond(session, cluster, organizationId);
  const query = { cluster: clusterId, limit: 50, redact: options.redact };
  const { items } = await session.call(listIssues, { params: { organizationId }, query });
  const { redactText } = await openRedactor(options.redact ? privateKinds : []);
  const label = redactText(cleanText(cluster.label));
  const subject = truncate(options.subject ?? label, 100);
  const title = truncate(options.title ?? label, 255);
  const body = { subject, conversationsIssuesCluster: clusterId };
  const document = { document: draftPage(cluster, items, redactText) };
  const changes = [{ operation: 'insert_page' as const, title, document }];
  if (session.flags.dryRun === true) {
    const { printRequests } = await import('../../results/print-results.ts');
    await printRequests(session, createChangeRequest, [{ spaceId }], { body });
    return printRequests(session, updateContent, [{ spaceId, changeRequestId: 'NEW' }], {
      body: { changes },
    });
  }
  checkUnlocked(await session.call(getSpace, { params: { spaceId } }));
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
    `Change request ${number} quotes what people wrote. Review it: \`docsctl change-requests diff ${number} --space ${spaceId}\``,
  );
}

/** Refuses a second draft for a cluster that already has an open one. @throws Problem(guard-refused) */
async function refuseSecond(
  session: Session,
  { id, label, stats }: OutputOf<typeof getCluster>,
  organizationId: string,
): Promise<void> {
  if (stats.tasksTotal > 0 && stats.tasksBacklog + stats.tasksStarted === 0)
    return session.note(
      `This cluster has earlier change requests: ${stats.tasksCompleted} merged, ${stats.tasksCancelled} archived.`,
    );
  const { items } = await session.call(listOrganizationChangeRequests, {
    params: { organizationId },
    query: { conversationsIssuesCluster: id, status: ['draft', 'open'], limit: 1 },
  });
  const [request] = items;
  if (request === undefined) return;
  throw new Problem(
    'guard-refused',
    `The cluster "${label}" already has change request ${request.number} (${request.status}).`,
    {
      hint: `Show it with \`docsctl change-requests diff ${request.number} --space ${request.space}\`, or add --again to open another one.`,
    },
  );
}

const maxQuotes = 5;
const maxQuoteLength = 500;
const unwanted = /[\s\p{Cc}\p{Bidi_Control}]+/gu;

/** Drafts a page for a cluster: its summary, and quotes from its issues as plain text. All texts are redacted. */
function draftPage(
  { summary }: OutputOf<typeof getCluster>,
  issues: OutputOf<typeof listIssues>['items'],
  redact: (text: string) => string,
): RichDocumentValue {
  const texts = new Map(
    issues.map(({ issue }) => [issue.title, redact(cleanText(issue.summary) || cleanText(issue.title))]),
  );
  const quotes = [...texts.values()].slice(0, maxQuotes);
  const heading = (text: string) => block('heading-2', [textNode([{ text, marks: [] }])]);
  const nodes = [
    paragraphOf('This is a draft. Write the answer here.'),
    heading('What it is about'),
    ...mapDocumentTexts(summary, (text) => redact(text.replace(unwanted, ' '))).nodes,
    heading('What people say'),
    ...quotes.map((text) => block('blockquote', [paragraphOf(shorten(text, maxQuoteLength))])),
  ];
  return { object: 'document', data: { schemaVersion: 2 }, nodes };
}

/** Puts a text on one line, without control and bidirectional characters. */
function cleanText(text: string): string {
  return text.replace(unwanted, ' ').trim();
}
