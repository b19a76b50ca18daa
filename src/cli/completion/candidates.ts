import type { Operation } from '../../contract/operation.ts';
import { nounOf } from '../../resources/index.ts';
import { resolveOrganization } from '../names.ts';
import { valueAt } from '../../contract/paths.ts';
import type { Session } from '../session.ts';

/** What is written as it is listed, with no other name: the list, what is written, and what says which it is. */
interface Candidate {
  readonly list: string;
  readonly word: string;
  readonly note: string;
  /** Filters of the list, one call for each. */
  readonly filters?: readonly object[];
}

const things: Readonly<Record<string, Candidate>> = {
  integration: { list: 'integrations.list', word: 'name', note: 'title' },
  installation: { list: 'integrations.installations.list', word: 'id', note: 'target.organization' },
  event: { list: 'integrations.events.list', word: 'id', note: 'payload.type' },
  specSlug: { list: 'openapi.list', word: 'slug', note: 'id' },
  version: { list: 'openapi.versions', word: 'id', note: 'createdAt' },
  conversation: { list: 'conversations.list', word: 'id', note: 'subject' },
  issue: { list: 'conversations.issues.list', word: 'issue.id', note: 'issue.title' },
  job: { list: 'jobs.list', word: 'id', note: 'state' },
  revision: { list: 'revisions.list', word: 'id', note: 'createdAt' },
  changeRequest: {
    list: 'change-requests.list',
    word: 'number',
    note: 'subject',
    filters: [{ status: 'draft' }, { status: 'open' }],
  },
};

/** Words with what they are for such a thing; nothing for what it is not, and while what it belongs to is not given. The first page only. */
export async function listByPath(
  session: Session,
  holder: string,
  params: Readonly<Record<string, string>>,
): Promise<[word: string, note: string][]> {
  const thing = Object.hasOwn(things, holder) ? things[holder]! : undefined;
  if (thing === undefined) return [];
  const operation = Object.values(await nounOf(thing.list).contract()).find(
    (value) => (value as Partial<Operation>).id === thing.list,
  ) as Operation;
  if (operation.paramNames.some((name) => name !== 'organizationId' && params[name] === undefined)) return [];
  const own: Record<string, string> = {};
  for (const name of operation.paramNames) own[name] = params[name] ?? (await resolveOrganization(session));
  const api = await session.api();
  const found: [string, string][] = [];
  for (const filter of thing.filters ?? [{}]) {
    const { items } = (await api.call(operation, {
      params: own,
      query: { limit: 200, ...filter },
    })) as unknown as { items: readonly unknown[] };
    found.push(
      ...items.map((item): [string, string] => [wordAt(item, thing.word), wordAt(item, thing.note)]),
    );
  }
  return found;
}

function wordAt(item: unknown, path: string): string {
  const value = valueAt(item, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The runs that can be named beside a lock, the newest first. */
export async function listRuns(
  session: Session,
  lock: string | undefined,
): Promise<[word: string, note: string][]> {
  const [{ openLock }, { runsFolder }, { summarizeRuns }] = await Promise.all([
    import('../manifest/lock-place.ts'),
    import('../../manifest/journal/journal-file.ts'),
    import('../../manifest/journal/summarize-runs.ts'),
  ]);
  const { lockOptions } = await openLock(session, lock);
  return summarizeRuns(runsFolder(lockOptions.path)).runs.map(({ head, ended }) => [head.id, ended]);
}
