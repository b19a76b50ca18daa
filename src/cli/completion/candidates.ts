import type { PathParams } from '../../contract/operation.ts';
import { defined, ownValue } from '../../contract/values.ts';
import { valueAt } from '../../contract/paths.ts';
import { operationById } from '../find-operation.ts';
import { resolveOrganization } from '../names/names.ts';
import type { StateSource } from '../manifest/options.ts';
import type { Session } from '../session/session.ts';

interface ResourceList {
  readonly list: string;
  /** The value that commands accept, and the path of a describing field. */
  readonly word: string;
  readonly note: string;
  /** Queries of the list, one call for each. */
  readonly queries?: readonly object[];
}

const lists: Readonly<Record<string, ResourceList>> = {
  integration: { list: 'integrations.list', word: 'name', note: 'title' },
  installation: { list: 'integrations.installations.list', word: 'id', note: 'target.organization' },
  event: { list: 'integrations.events.list', word: 'id', note: 'payload.type' },
  specSlug: { list: 'openapi.list', word: 'slug', note: 'id' },
  version: { list: 'openapi.versions', word: 'id', note: 'createdAt' },
  conversation: { list: 'conversations.list', word: 'id', note: 'subject' },
  issue: { list: 'conversations.issues.list', word: 'issue.id', note: 'issue.title' },
  action: { list: 'audit.actions', word: 'id', note: 'label', queries: [{ limit: undefined }] },
  job: { list: 'jobs.list', word: 'id', note: 'state' },
  revision: { list: 'revisions.list', word: 'id', note: 'createdAt' },
  changeRequest: {
    list: 'change-requests.list',
    word: 'number',
    note: 'subject',
    queries: [{ status: 'draft' }, { status: 'open' }],
  },
};

/** Lists the first page of resources for a field; none if their parent resource is not given. */
export async function listResources(
  session: Session,
  field: string,
  params: PathParams,
): Promise<[word: string, note: string][]> {
  const resource = ownValue(lists, field);
  if (resource === undefined) return [];
  const { list, word, note, queries = [{}] } = resource;
  const operation = await operationById(list);
  const { paramNames } = operation;
  if (paramNames.some((name) => name !== 'organizationId' && params[name] === undefined)) return [];
  const own: Record<string, string> = {};
  for (const name of paramNames) own[name] = params[name] ?? (await resolveOrganization(session));
  const found: [string, string][] = [];
  for (const query of queries) {
    const input = { params: own, query: defined({ limit: 200, ...query }) };
    const { items } = (await session.call(operation, input)) as unknown as {
      items: readonly unknown[];
    };
    for (const item of items) found.push([textAt(item, word), textAt(item, note)]);
  }
  return found;
}

function textAt(item: unknown, path: string): string {
  const value = valueAt(item, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Lists the runs in the journals of a state file, newest first. */
export async function listRuns(
  session: Session,
  source: StateSource,
): Promise<[word: string, note: string][]> {
  const [{ openStateTarget }, { runsFolder }, { summarizeRuns }] = await Promise.all([
    import('../manifest/target.ts'),
    import('../../manifest/journal/journal-file.ts'),
    import('../../manifest/journal/summarize-runs.ts'),
  ]);
  const { stateOptions } = await openStateTarget(session, source);
  return summarizeRuns(runsFolder(stateOptions.path)).runs.map(({ head, ended }) => [head.id, ended]);
}

/** Lists the addresses of manifest blocks that the state file does not have. */
export async function listUnowned(
  session: Session,
  source: StateSource,
): Promise<[word: string, note: string][]> {
  const [{ loadManifest }, { openStateTarget }, { readState }] = await Promise.all([
    import('../manifest/load-manifest.ts'),
    import('../manifest/target.ts'),
    import('../../manifest/state-file.ts'),
  ]);
  const { file } = source;
  const { desired } = await loadManifest(session, file === undefined ? {} : { file: [file] });
  const { stateOptions } = await openStateTarget(session, source);
  const owned = readState(stateOptions);
  return [...desired.byAddress]
    .filter(([address]) => owned.get(address) === undefined)
    .map(([address, { kind }]) => [address, kind.name]);
}

/** Lists the addresses of the resources in a state file. */
export async function listOwned(
  session: Session,
  source: StateSource,
): Promise<[word: string, note: string][]> {
  const [{ openStateTarget }, { readState }] = await Promise.all([
    import('../manifest/target.ts'),
    import('../../manifest/state-file.ts'),
  ]);
  const { stateOptions } = await openStateTarget(session, source);
  return [...readState(stateOptions).entries()].map(([address, { id }]) => [address, id]);
}
