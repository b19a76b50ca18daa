import type { OutputOf, PathParams } from '../../contract/operation.ts';
import type { Static } from '../../contract/schema.ts';
import { commentColumns } from '../../resources/comments/columns.ts';
import { changeRequestColumns } from '../../resources/change-requests/columns.ts';
import type { SemanticChangeBody } from '../../resources/content/changes/schemas.ts';
import type { IssuesCluster } from '../../resources/conversation-clusters/contract.ts';
import type { getIssue } from '../../resources/conversation-issues/contract.ts';
import type { getConversation } from '../../resources/conversations/contract.ts';
import type { Job } from '../../resources/jobs/contract.ts';
import type { OpenAPISpec } from '../../resources/openapi/contract.ts';
import { shownState } from '../../resources/openapi/shown-state.ts';
import type { SiteRedirect } from '../../resources/site-redirects/contract.ts';
import type { aggregateSiteEvents } from '../../resources/site-insights/contract.ts';
import { dimensions, measures } from '../../resources/site-insights/declarations.ts';
import type { SAMLProvider } from '../../resources/saml/contract.ts';
import type { SearchedPage, SearchedSpace } from '../../resources/search/contract.ts';
import type { Backlink, Link } from '../../resources/content/links/schemas.ts';
import { changeRow } from '../commands/change-requests/change-rows.ts';
import { chosenCounts, groupRows } from '../commands/sites/event-groups.ts';
import { clusterRow, createClusterRows } from '../commands/conversations/cluster-rows.ts';
import { conversationRows, drawConversation } from '../commands/conversations/draw-conversation.ts';
import { describeExpiry } from '../commands/saml/describe-expiry.ts';
import { describePlace } from '../commands/spaces/link-place.ts';
import { wantsTable, type Session } from '../session/session.ts';
import { excerptOf } from './excerpt.ts';

interface ViewContext {
  readonly session: Session;
  readonly query: Readonly<Record<string, unknown>>;
}

/** How tables and CSV show an answer whose items are not suitable as rows. */
export interface TableView {
  readonly columns: readonly string[];
  /** Fewer columns for a terminal, if all of them would leave no room for the most important one. */
  readonly interactiveColumns?: readonly string[];
  /** The columns on a terminal with --wide (default: `interactiveColumns`). */
  readonly wideColumns?: readonly string[];
  /** Returns the columns that the body of a request chooses. */
  readonly chosen?: (body: unknown) => readonly string[] | undefined;
  /** Additional fields of the rows. */
  readonly fields: readonly string[];
  /** Reads data that the items of a list do not contain. Returns a function that converts items to rows. */
  readonly open?: (
    session: Session,
    organizationId: string,
    params: PathParams,
  ) => Promise<(items: readonly unknown[]) => readonly object[] | Promise<readonly object[]>>;
  /** Returns the rows of one item of a list, or of a whole answer that is not a list. */
  readonly rows: (value: unknown, context: ViewContext) => readonly object[];
  /** Reads the rows of a whole answer that contains only their IDs. */
  readonly read?: (session: Session, value: unknown, params: PathParams) => Promise<readonly object[]>;
  /** Whether the rows do not name their parent resource. If several parents are shown, a column names them. */
  readonly needsOwner?: true;
  /** Returns a note about parts of an answer that the rows leave out. */
  readonly note?: (value: unknown) => string | undefined;
  /** The unit of the limit and the count of a list, if an item has several rows: "the pages of 2 of 3 spaces". */
  readonly counted?: { readonly of: string; readonly noun: string };
  /** The note of an empty list. */
  readonly emptyNote?: (session: Session, params: PathParams, query: ViewContext['query']) => Promise<string>;
  readonly listNote?: (query: ViewContext['query']) => string | undefined;
  /** Draws the whole answer as a page on a terminal. */
  readonly page?: (session: Session, value: unknown) => Promise<string>;
}

/** Declares a view of items of a type. By default each item is one row. */
function view<T extends object>(
  definition: Omit<TableView, 'rows' | 'page'> & {
    rows?: (value: T, context: ViewContext) => readonly object[];
    page?: (session: Session, value: T) => Promise<string>;
  },
): TableView {
  return { rows: (value: T) => [value], ...definition } as TableView;
}

const links = view<Static<typeof Link>>({
  columns: ['status', 'place', 'href', 'relation'],
  fields: ['place'],
  rows: (link) => [{ ...link, place: describePlace(link, undefined) }],
});

const backlinks = view<Static<typeof Backlink>>({
  columns: ['title', 'path', 'place', 'href'],
  fields: ['title', 'path', 'place'],
  rows: (link) => {
    const { source, page } = link;
    const place = source === undefined ? undefined : describePlace(link, undefined);
    return [{ ...link, title: source?.title, path: source?.path ?? page, place }];
  },
});

const changes = view<{ changes: SemanticChangeBody[] }>({
  columns: ['type', 'path', 'title', 'details'],
  fields: ['type', 'path', 'title', 'details', 'page.id', 'file.id', 'reusableContent.id'],
  needsOwner: true,
  rows: (answer) => answer.changes.map(changeRow),
  note: (answer) => {
    const { more } = answer as { more?: number };
    return more === undefined ? undefined : `${more} more. Show up to 1000 with --limit.`;
  },
});

const clusters = view<Static<typeof IssuesCluster>>({
  columns: ['label', 'impact', 'stats.issues=issues', 'pulse', 'lastIssueAt=latest', 'muted', 'id'],
  interactiveColumns: ['label', 'impact', 'stats.issues=issues', 'share', 'pulse', 'latest', 'muted', 'id'],
  fields: ['share', 'pulse', 'latest'],
  open: async ({ isInteractive }) => createClusterRows(isInteractive),
  rows: (cluster, { session }) => [clusterRow(cluster, session.isInteractive)],
});

const issues = {
  columns: ['issue.title', 'issue.impact', 'issue.createdAt', 'issue.cluster', 'conversation.id', 'issue.id'],
  interactiveColumns: [
    'issue.title=title',
    'issue.impact=impact',
    'date',
    'conversation.id=conversation',
    'issue.id=id',
  ],
  fields: ['date'],
  rows: (item: OutputOf<typeof getIssue>) => [{ ...item, date: item.issue.createdAt.slice(0, 10) }],
};

const events = view({
  columns: ['payload.type', 'delivery.state', 'delivery.attempts', 'createdAt', 'installationId', 'id'],
  interactiveColumns: [
    'createdAt=time',
    'payload.type=type',
    'delivery.state=state',
    'delivery.attempts=tries',
    'delivery.status=status',
    'delivery.error=error',
    'id',
  ],
  fields: ['payload.type'],
});

const providers = view<Static<typeof SAMLProvider>>({
  columns: ['label', 'status', 'expires', 'defaultRole', 'ssoURL', 'id'],
  fields: ['expires'],
  rows: (provider, { session }) => [{ ...provider, expires: describeExpiry(provider.certificate, session) }],
});

const invited = view({
  columns: ['email', 'role', 'id'],
  fields: ['email', 'role', 'id'],
  read: async (session, value, { organizationId = '' }) => {
    const { describeInvited } = await import('./invited-members.ts');
    return describeInvited(session, organizationId, (value as { users: readonly string[] }).users);
  },
});

const tokens = view({
  columns: ['name', 'role', 'user.email', 'createdAt', 'expiresAt', 'id'],
  fields: [],
  listNote: (query) =>
    query['mine'] === true
      ? undefined
      : 'Tokens for all organizations of a user, such as the one from `docsctl init`, are listed only for that user, with --mine.',
});

const specifications = view<Static<typeof OpenAPISpec>>({
  columns: ['slug', 'processingState', 'visibility', 'sourceURL', 'lastProcessedAt', 'error'],
  interactiveColumns: ['slug', 'state', 'visibility', 'sourceURL', 'error'],
  fields: ['error', 'state'],
  rows: (specification) => {
    const { lastProcessErrorCode: code, lastProcessedErrors: [first] = [] } = specification;
    const state = shownState(specification);
    if (code === undefined) return [{ ...specification, state }];
    return [{ ...specification, state, error: `${first?.code ?? code}: ${first?.message ?? ''}` }];
  },
});

const conversation = view<OutputOf<typeof getConversation>>({
  columns: ['conversation.id=conversation', 'conversation.createdAt=createdAt', 'role', 'text'],
  fields: ['role', 'text', 'conversation', 'metadata'],
  rows: conversationRows,
  page: drawConversation,
});

const translations = view({
  columns: ['language', 'source.language', 'status', 'updatedAt', 'source.space', 'id', 'problem.message'],
  interactiveColumns: [
    'title',
    'state=status',
    'language',
    'from',
    'stats.latestKept=untranslated',
    'updatedAt',
  ],
  fields: ['title', 'from', 'languageName', 'state'],
  open: async (session, organizationId) =>
    (await import('../commands/translations/names.ts')).nameTranslations(session, organizationId, false),
});

const jobs = view<Static<typeof Job>>({
  columns: ['id', 'state', 'attempts', 'dueAt', 'problem.message'],
  interactiveColumns: ['id', 'trouble=state', 'attempts', 'dueAt'],
  fields: ['trouble'],
  rows: (job) => [
    { ...job, trouble: job.problem === null ? job.state : `${job.state}: ${job.problem.message}` },
  ],
});

const files = view({
  columns: ['name', 'contentType', 'size', 'id'],
  interactiveColumns: ['name', 'git.path=path', 'contentType=type', 'bytes=size', 'share', 'id'],
  fields: ['bytes', 'share'],
  open: async () => (await import('../commands/spaces/file-sizes.ts')).addFileSizes,
});

const comments = view({
  columns: commentColumns,
  interactiveColumns: [
    'postedBy.displayName',
    'body.markdown',
    'about',
    'status',
    'replies',
    'postedAt',
    'id',
  ],
  fields: ['about'],
  open: async (session) => (await import('../commands/comments/targets.ts')).describeTargets(session),
});

const allChangeRequests = view({
  columns: [...changeRequestColumns, 'space'],
  // A number is unique only in its space.
  interactiveColumns: ['space', ...changeRequestColumns],
  fields: [],
});

const revisionColumns = ['type', 'createdBy.displayName', 'createdAt', 'pages', 'files'];
const revisions = view({
  columns: [...revisionColumns, 'changeRequest', 'id'],
  interactiveColumns: [...revisionColumns, 'from=change request', 'id'],
  fields: ['from'],
  open: async (session, _, { spaceId = '' }) =>
    (await import('../commands/revisions/request-numbers.ts')).addRequestNumbers(session, spaceId),
});

const deletedSpaces = view({
  columns: ['title', 'visibility', 'deletedAt', 'parent', 'id'],
  interactiveColumns: ['title', 'deleted', 'parent', 'id'],
  fields: ['deleted'],
  open: async ({ runtime }) =>
    (await import('../commands/spaces/deleted.ts')).describeDeletions(runtime.clock()),
});

const views: Readonly<Record<string, TableView>> = {
  'spaces.list --deleted': deletedSpaces,
  'spaces.files.list': files,
  'change-requests.files.list': files,
  'revisions.files.list': files,
  search: view<Static<typeof SearchedSpace>>({
    columns: ['space.title=space', 'title', 'path', 'excerpt'],
    fields: ['space.id', 'space.title', 'path', 'heading', 'excerpt', 'urls.app'],
    counted: { of: 'the pages of ', noun: 'space' },
    emptyNote: async (_, __, { query }) => noneFound('', query),
    rows: ({ id, title, pages }, context) =>
      pages.map((page) => {
        const row = pageRow(page, context);
        // A heading without a text below it is the hit itself.
        return { space: { id, title }, ...row, excerpt: row.excerpt === '' ? row.heading : row.excerpt };
      }),
  }),
  'spaces.search': view<Static<typeof SearchedPage>>({
    columns: ['path', 'title', 'heading', 'excerpt'],
    fields: ['heading', 'excerpt'],
    emptyNote: async (session, params, { query }) =>
      noneFound(` of "${await titleOfSpace(session, params)}"`, query),
    rows: (page, context) => [pageRow(page, context)],
  }),
  'spaces.comments.list': comments,
  'change-requests.comments.list': comments,
  'spaces.pages.links': links,
  'change-requests.pages.links': links,
  'spaces.pages.backlinks': backlinks,
  'change-requests.pages.backlinks': backlinks,
  'spaces.files.backlinks': backlinks,
  'change-requests.files.backlinks': backlinks,
  'sites.redirects.list': view<Static<typeof SiteRedirect>>({
    columns: ['source', 'destination', 'permanent', 'draft', 'id'],
    interactiveColumns: ['source', 'target', 'title', 'permanent', 'draft'],
    wideColumns: ['source', 'target', 'title', 'destination', 'permanent', 'draft', 'id'],
    fields: ['target', 'title'],
    open: async (session, organizationId, { siteId = '' }) =>
      (await import('../commands/sites/redirect-targets.ts')).describeTargets(
        session,
        organizationId,
        siteId,
      ),
  }),
  'sites.events.aggregate': view<OutputOf<typeof aggregateSiteEvents>>({
    columns: ['group', 'eventsCount', 'visitorsCount', 'sessionsCount'],
    chosen: chosenCounts,
    fields: ['group', ...dimensions, ...measures],
    rows: groupRows,
  }),
  'conversations.get': conversation,
  'conversations.clusters.list': clusters,
  'conversations.issues.list': view(issues),
  'conversations.issues.get': view({
    ...issues,
    fields: ['date', 'issue', 'issue.cluster', 'conversation'],
    page: async (session, answer) =>
      (await import('../commands/conversations/draw-issue.ts')).drawIssue(session, answer),
  }),
  'integrations.events.list': events,
  'jobs.list': jobs,
  'members.invite': invited,
  'orgs.change-requests': allChangeRequests,
  'members.list --activity': view({
    columns: ['user.displayName', 'user.email', 'role', 'joinedAt', 'lastActiveAt', 'id'],
    fields: [],
  }),
  'openapi.list': specifications,
  'revisions.list': revisions,
  'saml.list': providers,
  'tokens.list': tokens,
  'translations.list': translations,
  'change-requests.changes': changes,
  'revisions.changes': changes,
};

/** Returns the view of an operation for tables, CSV and TSV. Other formats keep the form of the API. */
export function tableViewOf(
  operationId: string,
  { format, flags }: Session,
  query: ViewContext['query'] = {},
): TableView | undefined {
  if (flags.query !== undefined || !['table', 'csv', 'tsv'].includes(format)) return undefined;
  const [variant] = ['deleted', 'activity'].filter((name) => query[name] === true);
  return views[variant === undefined ? operationId : `${operationId} --${variant}`];
}

/** Returns the view of a list for several named resources; undefined if it needs more data than the resources. */
export function listViewOf(operationId: string, session: Session): TableView | undefined {
  const found = tableViewOf(operationId.replace(/\.get$/, '.list'), session);
  return found?.open === undefined ? found : undefined;
}

/** Pages of operations without another view, for terminals. */
const pages: Readonly<Record<string, NonNullable<TableView['page']>>> = {
  'change-requests.get': async (session, request) =>
    (await import('../commands/change-requests/show.ts')).drawChangeRequest(session, request as never),
  'integrations.events.get': async (session, event) =>
    (await import('../commands/integrations/show-event.ts')).drawEvent(session, event as never),
  'sites.get': async (session, site) =>
    (await import('../commands/sites/show.ts')).drawSite(session, site as never),
  'spaces.get': async (session, space) =>
    (await import('../commands/spaces/show.ts')).drawSpace(session, space as never),
};

/** Returns the function that draws the whole answer of an operation as a page on a terminal, if there is one. */
export function pageOf(operationId: string, session: Session): TableView['page'] {
  return tableViewOf(operationId, session)?.page ?? (wantsTable(session) ? pages[operationId] : undefined);
}

/** Returns all columns of an operation in any view, because all formats accept their headings. */
export function columnsOf(operationId: string): readonly string[] {
  const { columns = [], interactiveColumns = [], wideColumns = [] } = views[operationId] ?? {};
  return [...columns, ...interactiveColumns, ...wideColumns];
}

/** Returns the additional fields of an operation's rows. */
export function fieldsOf(operationId: string): readonly string[] {
  return views[operationId]?.fields ?? [];
}

/** Returns the note for a search without results. `where` is ` of "Guide"`, or empty for all spaces. */
function noneFound(where: string, query: unknown): string {
  const words = String(query).trim();
  return `No page${where} contains ${/\s/.test(words) ? 'all of the words ' : ''}"${words}".`;
}

async function titleOfSpace(session: Session, params: PathParams): Promise<string> {
  const { getSpace } = await import('../../resources/spaces/contract.ts');
  const { title } = await session.call(getSpace, { params: { spaceId: params['spaceId'] ?? '' } });
  return title;
}

/** Returns the row of a found page, with the heading of its best section, and the text of the best section with a text. */
function pageRow(page: Static<typeof SearchedPage>, { query, session }: ViewContext) {
  const [best] = page.sections;
  const { body } = page.sections.find((section) => section.body.trim() !== '') ?? best ?? {};
  const text = body?.replace(/\s+/g, ' ').trim();
  return {
    ...page,
    heading: best?.title,
    excerpt: text !== undefined && session.isInteractive ? excerptOf(text, String(query['query'])) : text,
  };
}
