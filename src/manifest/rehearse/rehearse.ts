import type { Api } from '../../contract/api.ts';
import { Problem } from '../../errors/problem.ts';
import { applyPlan, type ApplyEvent, type ApplyResult } from '../apply-plan.ts';
import { withContent, type ContentEngine, type ContentSource } from '../content.ts';
import { readLive } from '../export/read-live.ts';
import type { Kind } from '../kind.ts';
import { kinds } from '../kinds/index.ts';
import { ManifestState, type StateSection } from '../manifest-state.ts';
import { isEmpty, type PlanDocument, type Step } from '../plan-document.ts';
import { planManifest, type PlanManifestRequest } from '../plan.ts';
import { findUnrehearsable } from './compare-plans.ts';
import { Omissions, type NotCopied, type OpenCopy } from './copy.ts';
import { copyOrganization } from './copy-organization.ts';
import { copyPeople } from './copy-people.ts';
import { IdQueue } from './next-ids.ts';
import { readOnlyApi } from './read-only-api.ts';
import { toRehearsedRows, type RehearsedRow } from './rehearsed-rows.ts';
import { tableForCopy, tableForReading } from './tables.ts';

/** Does with folders of content what manifests do not know how to do. */
export interface RehearsedContent {
  /** The engine that brings folders into the spaces of an Api. */
  engine(api: Api): ContentEngine;
  /** Copies what a space holds from one Api into the empty space of this id in another. */
  copy(request: {
    readonly spaceId: string;
    readonly source: ContentSource;
    readonly from: Api;
    readonly to: Api;
    readonly ids: IdQueue;
  }): Promise<void>;
}

export interface RehearseRequest extends Omit<PlanManifestRequest, 'table'> {
  readonly openCopy: OpenCopy;
  /** Absent: spaces have no content in manifests. */
  readonly content?: RehearsedContent | undefined;
  /** The kinds, without the content of spaces. */
  readonly table?: readonly Kind[] | undefined;
  /** Told how many resources of all are in the copy. */
  readonly onCopied?: ((done: number, total: number) => void) | undefined;
  readonly onEvent?: ((event: ApplyEvent) => void) | undefined;
}

export interface Rehearsal {
  /** What an apply would be, on the live side. */
  readonly plan: PlanDocument;
  readonly rows: readonly RehearsedRow[];
  readonly counts: Readonly<Record<RehearsedRow['status'], number>>;
  readonly unchanged: number;
  readonly interrupted: boolean;
  /** What a second plan would still change, of all that was done: it never settles. */
  readonly unsettled: readonly Step[];
  /** Why a second plan would be refused although all was done. */
  readonly refused?: Problem;
  readonly notCopied: readonly NotCopied[];
  /** Calls that read the live side; there were no others. */
  readonly reads: number;
  /** Where secrets of the manifest come from, to their values: they are in none of the above, unless a message repeats one. */
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Applies a manifest to a copy of what is live, and tells how that went. The live side is only read, and the lock is not
 * changed. Thrown is what a plan throws.
 */
export async function rehearse(request: RehearseRequest): Promise<Rehearsal> {
  const { organization, state, concurrency, signal, content, openCopy, table = kinds } = request;
  const live = readOnlyApi(request.api);
  const { document, desired, survey } = await planManifest({
    ...request,
    api: live,
    table: content === undefined ? table : withContent(table, content.engine(live)),
  });
  const omissions = new Omissions();
  const told = { plan: document, secrets: desired.secrets };
  if (isEmpty(document))
    return {
      ...told,
      ...describeRehearsal(document, noResult, new Map()),
      unsettled: [],
      notCopied: [],
      reads: live.callCount(),
    };
  const plain = tableForCopy(table, survey.unsupported);
  const toRead = tableForReading(table, desired, omissions);
  const found = await readLive({ api: live, organization, table: toRead, concurrency, signal });
  const ids = new IdQueue();
  const { copy, acting } = await copyPeople(live, organization, openCopy, ids, omissions);
  try {
    // Under the name of the live side, the plan and the lock of the live side are good for the copy too.
    const [owner, to] = [copy.owner, acting].map((api): Api => ({ ...api, place: live.place })) as [Api, Api];
    await copyOrganization({
      live: found,
      table: toRead,
      from: live,
      to: owner,
      organization,
      ids,
      omissions,
      signal,
      onCopied: request.onCopied,
    });
    const filled = await copyContents(request, document, { from: live, to: owner, ids, omissions });
    const copyTable = content === undefined ? plain : withContent(plain, onlyIn(content.engine(to), filled));
    const held = { state: copyOf(state), save: async () => held.state.advance(), release: async () => {} };
    const planCopy = () => planManifest({ ...request, api: to, state: held.state, table: copyTable });
    const unfaithful = findUnrehearsable(document, (await planCopy().catch(unlike)).document);
    const steps = document.steps.filter(({ key }) => !unfaithful.has(key));
    const secretOf = (from: string): string | undefined => desired.secrets.get(from);
    const result = await applyPlan({
      document: { ...document, steps },
      api: to,
      handle: held,
      concurrency,
      signal,
      secretOf,
      skipUnsupported: true,
      onEvent: request.onEvent,
      table: copyTable,
    });
    const report = describeRehearsal(document, result, unfaithful);
    const second = result.interrupted
      ? { unsettled: [] }
      : await planAgain(report.rows, unfaithful, planCopy);
    return { ...told, ...report, ...second, notCopied: omissions.all, reads: live.callCount() };
  } finally {
    await copy.close();
  }
}

const noResult: ApplyResult = {
  rows: [],
  counts: { done: 0, waiting: 0, failed: 0, skipped: 0, unsupported: 0, stopped: 0 },
  unchanged: 0,
  interrupted: false,
};

function describeRehearsal(
  document: PlanDocument,
  result: ApplyResult,
  unfaithful: ReadonlyMap<string, string>,
): Pick<Rehearsal, 'rows' | 'counts' | 'unchanged' | 'interrupted'> {
  const rows = toRehearsedRows(document, result, unfaithful);
  const unrehearsed = rows.filter(({ status }) => status === 'unrehearsed').length;
  return {
    rows,
    counts: { ...result.counts, unrehearsed },
    unchanged: document.counts.none,
    interrupted: result.interrupted,
  };
}

function copyOf(lock: ManifestState): ManifestState {
  return new ManifestState(JSON.parse(lock.toText()) as StateSection);
}

function unlike(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  throw new Problem(
    'not-implemented',
    `The manifest does not fit the copy, so nothing can be said of it: ${error.message}`,
    {
      violations: error.violations,
      hint: error.hint,
      cause: error,
    },
  );
}

interface Between {
  readonly from: Api;
  readonly to: Api;
  readonly ids: IdQueue;
  readonly omissions: Omissions;
}

/** Copies the content of those spaces whose content would change, and no other; gives their ids. */
async function copyContents(
  { content, signal }: RehearseRequest,
  { steps }: PlanDocument,
  { from, to, ids, omissions }: Between,
): Promise<ReadonlySet<string>> {
  const filled = new Set<string>();
  for (const { id, name, changes } of steps) {
    const change = changes.find(({ field }) => field === 'content');
    if (content === undefined || change === undefined || id === undefined) continue;
    if (signal?.aborted === true)
      throw new Problem('interrupted', 'Stopped by a signal; nothing was changed.');
    try {
      await content.copy({ spaceId: id, source: change.after as ContentSource, from, to, ids });
      filled.add(id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      omissions.add('space.content', name, error.message);
    }
  }
  return filled;
}

/** Content that was not copied is as it is wanted, or nobody can tell. What was made in the copy has none to be compared. */
function onlyIn(engine: ContentEngine, filled: ReadonlySet<string>): ContentEngine {
  const sent = new Set(filled);
  return {
    refusal: (dir) => engine.refusal(dir),
    describe: (spaceId, source, left) => engine.describe(spaceId, source, left),
    fingerprint: (spaceId, source) => engine.fingerprint(spaceId, source),
    plan: async (spaceId, source) => (sent.has(spaceId) ? engine.plan(spaceId, source) : undefined),
    apply: async (spaceId, source) => {
      sent.add(spaceId);
      await engine.apply(spaceId, source);
    },
  };
}

/** What was done and is to be done again, by a plan that is made right after. */
async function planAgain(
  rows: readonly RehearsedRow[],
  unfaithful: ReadonlyMap<string, string>,
  planCopy: () => Promise<{ readonly document: PlanDocument }>,
): Promise<Pick<Rehearsal, 'unsettled' | 'refused'>> {
  const open = new Set(rows.filter(({ status }) => status !== 'done').map(({ address }) => address));
  try {
    const { steps } = (await planCopy()).document;
    const isAgain = ({ key, address, action }: Step): boolean =>
      action !== 'none' &&
      action !== 'unsupported' &&
      !open.has(address) &&
      !unfaithful.has(key) &&
      !unfaithful.has(address);
    return { unsettled: steps.filter(isAgain) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Half of a manifest may be no state at all.
    return open.size > 0 ? { unsettled: [] } : { unsettled: [], refused: error };
  }
}
