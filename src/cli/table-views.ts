import type { OutputOf } from '../contract/operation.ts';
import type { Static } from '../contract/schema.ts';
import type { SemanticChangeBody } from '../resources/content/changes/schemas.ts';
import type { IssuesCluster } from '../resources/conversation-clusters/contract.ts';
import type { getIssue } from '../resources/conversation-issues/contract.ts';
import type { getConversation } from '../resources/conversations/contract.ts';
import type { OpenAPISpec } from '../resources/openapi/contract.ts';
import type { SearchedPage, SearchedSpace } from '../resources/search/contract.ts';
import type { SAMLProvider } from '../resources/saml/contract.ts';
import type { Backlink, Link } from '../resources/spaces/contract.ts';
import { conversationRows, drawConversation } from './commands/conversations/draw-conversation.ts';
import { drawIssue } from './commands/conversations/draw-issue.ts';
import { describePlace } from './commands/spaces/link-place.ts';
import type { Session } from './session.ts';
import { readCertificates } from '../saml/certificates.ts';
import { Problem } from '../errors/problem.ts';
import { sparkline } from './output/cell.ts';

interface ViewContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly query: Readonly<Record<string, unknown>>;
  /** Whether the rows are cut to the width of a terminal. */
  readonly isInteractive: boolean;
}

/** How tables and CSV show an answer whose items are not the rows that a person wants. */
export interface TableView {
  readonly columns: readonly string[];
  /** Those that are drawn for a person, where all of them would leave no room for the one that says the most. */
  readonly interactiveColumns?: readonly string[];
  /** What its rows have beside the fields of the items. */
  readonly fields: readonly string[];
  /** Looks up once what the items of a list do not say themselves, for a person or where it is asked for: gives their rows. */
  readonly open?: (
    session: Session,
    organizationId: string,
  ) => Promise<(items: readonly unknown[]) => readonly object[]>;
  /** The rows of one item of a list, or of a whole answer that is no list. */
  readonly rows: (value: unknown, asked: ViewContext) => readonly object[];
  /** What the rows do not say of a whole answer. */
  readonly note?: (value: unknown) => string | undefined;
  /** What a list leaves out. */
  readonly listNote?: (asked: Pick<ViewContext, 'query'>) => string | undefined;
  /** The whole answer as a page, where a person looks at it on a terminal. */
  readonly page?: (session: Session, value: unknown) => Promise<string>;
}

const links: TableView = {
  columns: ['status', 'place', 'href', 'relation'],
  fields: ['place'],
  rows: (value) => [{ ...(value as object), place: describePlace(value as Static<typeof Link>, undefined) }],
};
const backlinks: TableView = {
  columns: ['title', 'path', 'place', 'href'],
  fields: ['title', 'path', 'place'],
  rows: (value) => {
    const link = value as Static<typeof Backlink>;
    return [
      {
        ...link,
        title: link.source?.title,
        path: link.source?.path ?? link.page,
        place: link.source === undefined ? undefined : describePlace(link, undefined),
      },
    ];
  },
};
const changes: TableView = {
  columns: ['type', 'path', 'title', 'details'],
  fields: ['type', 'path', 'title', 'details', 'page.id', 'file.id', 'reusableContent.id'],
  rows: (value) => (value as { changes: SemanticChangeBody[] }).changes.map(rowOfChange),
  note: (value) => {
    const { more } = value as { more?: number };
    return more === undefined ? undefined : `${more} more; --limit shows up to 1000.`;
  },
};

const clusters: TableView = {
  columns: ['id', 'label', 'impact', 'stats.issues=issues', 'pulse', 'lastIssueAt=latest', 'muted'],
  // A label names a cluster as well as its id does.
  interactiveColumns: ['label', 'impact', 'stats.issues=issues', 'pulse', 'latest', 'muted'],
  fields: ['pulse', 'latest'],
  rows: (value, { isInteractive }) => {
    const cluster = value as Static<typeof IssuesCluster>;
    return [
      {
        ...cluster,
        pulse: isInteractive
          ? quietSince(cluster.weeklyPulse, cluster.lastIssueAt)
          : cluster.weeklyPulse.join(' '),
        latest: cluster.lastIssueAt?.slice(0, 10),
      },
    ];
  },
};

const issues: TableView = {
  columns: ['issue.id', 'issue.title', 'issue.impact', 'issue.cluster', 'conversation.id', 'issue.createdAt'],
  interactiveColumns: ['issue.title=title', 'issue.impact=impact', 'conversation.id=conversation', 'date'],
  fields: ['date'],
  rows: (value) => {
    const item = value as OutputOf<typeof getIssue>;
    return [{ ...item, date: item.issue.createdAt.slice(0, 10) }];
  },
};

const issue: TableView = {
  ...issues,
  fields: ['date', 'issue', 'issue.cluster', 'conversation'],
  page: (session, value) => drawIssue(session, value as OutputOf<typeof getIssue>),
};

const events: TableView = {
  columns: ['id', 'payload.type', 'delivery.state', 'delivery.attempts', 'installationId', 'createdAt'],
  // Two ids of thirty characters would leave no room for when it was and what.
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
  rows: (value) => [value as object],
};

const providers: TableView = {
  columns: ['id', 'label', 'status', 'ssoURL', 'defaultRole', 'expires'],
  interactiveColumns: ['label', 'status', 'expires', 'defaultRole', 'ssoURL', 'id'],
  fields: ['expires'],
  rows: (value, asked) => {
    const provider = value as Static<typeof SAMLProvider>;
    return [{ ...provider, expires: expiryOf(provider.certificate, asked) }];
  },
};

const tokens: TableView = {
  columns: ['id', 'name', 'role', 'user.email', 'createdAt', 'expiresAt'],
  fields: [],
  rows: (value) => [value as object],
  listNote: ({ query }) =>
    query['mine'] === true
      ? undefined
      : 'Tokens good for every organization, such as that of `docsctl init`, are listed with --mine to whom they belong.',
};

const specifications: TableView = {
  columns: ['slug', 'processingState', 'visibility', 'sourceURL', 'lastProcessedAt', 'error'],
  interactiveColumns: ['slug', 'processingState=state', 'visibility', 'sourceURL', 'error'],
  fields: ['error'],
  rows: (value) => {
    const spec = value as Static<typeof OpenAPISpec>;
    const [first] = spec.lastProcessedErrors ?? [];
    return [
      {
        ...spec,
        error:
          spec.lastProcessErrorCode === undefined
            ? undefined
            : `${first?.code ?? spec.lastProcessErrorCode}: ${first?.message ?? ''}`,
      },
    ];
  },
};

const conversation: TableView = {
  columns: ['conversation.id=conversation', 'conversation.createdAt=createdAt', 'role', 'text'],
  fields: ['role', 'text', 'conversation', 'metadata'],
  rows: (value) => conversationRows(value as OutputOf<typeof getConversation>),
  page: (session, value) => drawConversation(session, value as OutputOf<typeof getConversation>),
};

const translations: TableView = {
  columns: ['id', 'status', 'source.space', 'source.language', 'language', 'updatedAt'],
  // The title of the target names a translation as well as its id does.
  interactiveColumns: ['title', 'language', 'from', 'status', 'stats.latestKept=untranslated', 'updatedAt'],
  fields: ['title', 'from', 'languageName'],
  open: async (session, organizationId) =>
    (await import('./commands/translations/names.ts')).nameTranslations(session, organizationId, false),
  rows: (value) => [value as object],
};

const views: Readonly<Record<string, TableView>> = {
  search: {
    columns: ['space.title=space', 'title', 'path', 'excerpt'],
    fields: ['space.id', 'space.title', 'path', 'heading', 'excerpt', 'urls.app'],
    rows: (value, asked) => {
      const { id, title, pages } = value as Static<typeof SearchedSpace>;
      return pages.map((page) => ({ space: { id, title }, ...rowOfPage(page, asked) }));
    },
  },
  'spaces.search': {
    columns: ['path', 'title', 'heading', 'excerpt'],
    fields: ['heading', 'excerpt'],
    rows: (value, asked) => [rowOfPage(value as Static<typeof SearchedPage>, asked)],
  },
  'spaces.pages.links': links,
  'change-requests.pages.links': links,
  'spaces.pages.backlinks': backlinks,
  'change-requests.pages.backlinks': backlinks,
  'spaces.files.backlinks': backlinks,
  'change-requests.files.backlinks': backlinks,
  'conversations.get': conversation,
  'conversations.clusters.list': clusters,
  'conversations.issues.list': issues,
  'conversations.issues.get': issue,
  'integrations.events.list': events,
  'openapi.list': specifications,
  'saml.list': providers,
  'tokens.list': tokens,
  'translations.list': translations,
  'change-requests.changes': changes,
  'revisions.changes': changes,
};

/** The view of an operation for a format of rows; data keeps the form of the API. */
export function tableViewOf(
  operation: string,
  format: string,
  query: string | undefined,
): TableView | undefined {
  return query === undefined && ['table', 'csv', 'tsv'].includes(format) ? views[operation] : undefined;
}

/** The columns that an operation is shown with anywhere: their headings are known in every format. */
export function columnsOf(operation: string): readonly string[] {
  const { columns = [], interactiveColumns = [] } = views[operation] ?? {};
  return [...columns, ...interactiveColumns];
}

/** A page that was found, with its best section. */
function rowOfPage(page: Static<typeof SearchedPage>, { query, isInteractive }: ViewContext): object {
  const [best] = page.sections;
  const text = best?.body.replace(/\s+/g, ' ').trim();
  return {
    ...page,
    heading: best?.title,
    excerpt: text !== undefined && isInteractive ? fromHit(text, String(query['query'])) : text,
  };
}

/** What is shown in front of a hit, in characters: more would leave no room for it in a narrow column. */
const lead = 20;

/** An excerpt that begins shortly before the first of the words that were looked for. */
function fromHit(text: string, query: string): string {
  const lower = text.toLowerCase();
  const places = [...query.toLowerCase().matchAll(/[\p{L}\p{N}]{2,}/gu)]
    .map(([word]) => lower.indexOf(word.slice(0, Math.max(4, word.length - 3))))
    .filter((at) => at >= 0);
  const at = Math.min(...places);
  if (places.length === 0 || at <= lead) return text;
  const blank = text.indexOf(' ', at - lead);
  return `…${text.slice(blank === -1 || blank >= at ? at : blank + 1)}`;
}

function rowOfChange(change: SemanticChangeBody): object {
  if ('page' in change)
    return { ...change, path: change.page.path, title: change.page.title, details: detailsOf(change) };
  if ('file' in change)
    return { ...change, path: undefined, title: change.file.name, details: detailsOf(change) };
  if ('reusableContent' in change)
    return { ...change, title: change.reusableContent.title, details: detailsOf(change) };
  return { ...change, details: Object.keys(change.variables).join(', ') };
}

/** What changed of a thing: where it was and is, or the names of its fields. */
function detailsOf(change: SemanticChangeBody): string | undefined {
  if (change.type === 'page_moved')
    return `${change.parent.before?.title ?? 'top'} → ${change.parent.after?.title ?? 'top'}`;
  return 'attributes' in change
    ? Object.keys(change.attributes).join(', ').replace('document', 'text')
    : undefined;
}

export const day = 24 * 60 * 60 * 1000;

/** Until when one of the certificates of a provider is in force, as a date; for a person with how long that is. Nothing where it cannot be read. */
export function expiryOf(
  certificate: string,
  { isInteractive, now }: Pick<ViewContext, 'isInteractive' | 'now'>,
): string | undefined {
  if (certificate === '') return undefined;
  try {
    const until = Math.max(...readCertificates(certificate).map(({ validTo }) => validTo));
    const date = new Date(until).toISOString().slice(0, 10);
    if (!isInteractive) return date;
    const days = Math.floor((until - now) / day);
    return until < now ? `expired ${date}` : `${date}, ${days} ${days === 1 ? 'day' : 'days'}`;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** The same, in words where there is nothing to draw: since which month it has been quiet. */
export function quietSince(counts: readonly number[], last: string | undefined): string {
  if (counts.some((count) => count > 0)) return sparkline(counts);
  return last === undefined ? 'quiet' : `quiet since ${last.slice(0, 7)}`;
}
