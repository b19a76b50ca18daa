import type { Api } from '../../contract/api.ts';
import { Problem } from '../../errors/problem.ts';
import { applyPlan, type ApplyEvent, type ApplyResult } from '../apply-plan.ts';
import { withContent, type ContentEngine, type ContentSource } from '../content.ts';
import { readLive, type LiveResource } from '../export/read-live.ts';
import type { Kind } from '../kind.ts';
import { kinds } from '../kinds/index.ts';
import { spacesWithNamedPages } from '../kinds/page-paths.ts';
import { ManifestState, type StateSection } from '../manifest-state.ts';
import { isEmpty, type PlanDocument, type Step } from '../plan-document.ts';
import { planManifest, type PlanManifestRequest } from '../plan.ts';
import { withIds } from '../value.ts';
import { findUnrehearsable } from './compare-plans.ts';
import { IdQueue, Omissions, readOnlyApi, type NotCopied, type OpenCopy } from './copy.ts';
import { copyIntegrations } from './copy-integrations.ts';
import { copyOrganization } from './copy-organization.ts';
import { copyPeople } from './copy-people.ts';
import { toRehearsedRows, type RehearsedRow } from './rehearsed-rows.ts';
import { tableForCopy, tableForReading } from './tables.ts';

export interface RehearsedContent {
  engine(api: Api): ContentEngine;
  /**
   * Copies the content of a live space into the empty space of the copy. Files that the folder of `source` contains are not
   * downloaded.
   */
  copy(request: ContentCopy & { spaceId: string; source: ContentSource | undefined }): Promise<void>;
}

interface ContentCopy {
  readonly from: Api;
  readonly to: Api;
  readonly ids: IdQueue;
}

export interface RehearseRequest extends Omit<PlanManifestRequest, 'table'> {
  readonly openCopy: OpenCopy;
  /** Absent if manifests cannot contain content. */
  readonly content?: RehearsedContent | undefined;
  /** The kinds, without the content of spaces. */
  readonly table?: readonly Kind[];
  /** Receives the number of copied resources, and of all resources. */
  readonly onCopied?: ((done: number, total: number) => void) | undefined;
  readonly onEvent?: ((event: ApplyEvent) => void) | undefined;
}

export interface Rehearsal {
  readonly plan: PlanDocument;
  readonly rows: readonly RehearsedRow[];
  readonly counts: Readonly<Record<RehearsedRow['status'], number>>;
  readonly unchanged: number;
  readonly interrupted: boolean;
  /** Steps that were done, but that a new plan contains again. */
  readonly unsettled: readonly Step[];
  /** Why a new plan is refused, although all steps were done. */
  readonly refused?: Problem;
  readonly notCopied: readonly NotCopied[];
  /** The number of calls to the live organization. */
  readonly reads: number;
}

/**
 * Applies a manifest to a copy of the live organization. The live organization is only read, and the state file is not changed.
 * @throws Problem(not-implemented) if the manifest does not fit the copy, and all errors of `planManifest`
 */
export async function rehearse(request: RehearseRequest): Promise<Rehearsal> {
  const { organization, state, concurrency, signal, content, openCopy, onCopied, table = kinds } = request;
  const from = readOnlyApi(request.api);
  const liveTable = content === undefined ? table : withContent(table, content.engine(from));
  const plan = await planManifest({ ...request, api: from, table: liveTable });
  const { document, desired, survey } = plan;
  const omissions = new Omissions();
  const report = (result: ApplyResult, unrehearsable: ReadonlyMap<string, string>): Rehearsal => {
    const rows = toRehearsedRows(document, result.rows, unrehearsable);
    const unrehearsed = rows.filter(({ status }) => status === 'unrehearsed').length;
    return {
      plan: document,
      rows,
      counts: { ...result.counts, unrehearsed },
      unchanged: document.counts.none,
      interrupted: result.interrupted,
      unsettled: [],
      notCopied: omissions.all,
      reads: from.callCount(),
    };
  };
  if (isEmpty(document)) return report(noResult, new Map());
  const readTable = tableForReading(table, desired, omissions);
  const live = await readLive({ api: from, organization, table: readTable, concurrency, signal });
  const ids = new IdQueue();
  const { copy, acting } = await copyPeople(from, organization, openCopy, ids, omissions);
  try {
    // The plan and the state file name the live backend.
    const owner: Api = { ...copy.owner, place: from.place };
    const to: Api = { ...acting, place: from.place };
    const integrations = { desired, live: live.tops, from, to: owner, organization, concurrency, omissions };
    await copyIntegrations(integrations);
    let copied: ReadonlySet<string> = new Set();
    await copyOrganization({
      live,
      table: readTable,
      from,
      to: owner,
      organization,
      ids,
      omissions,
      signal,
      onCopied,
      copyContents: async () => {
        copied = await copyContents(request, document, live.tops, { from, to: owner, ids }, omissions);
      },
    });
    const plain = tableForCopy(table, survey.unsupported);
    const copyTable = content === undefined ? plain : withContent(plain, onlyIn(content.engine(to), copied));
    const handle = {
      state: cloneState(state),
      save: async () => handle.state.advance(),
      release: async () => {},
    };
    const planCopy = () => planManifest({ ...request, api: to, state: handle.state, table: copyTable });
    const unrehearsable = findUnrehearsable(document, (await planCopy().catch(refuseMisfit)).document);
    const steps = document.steps.filter(({ key }) => !unrehearsable.has(key));
    const result = await applyPlan({
      document: { ...document, steps },
      api: to,
      handle,
      concurrency,
      signal,
      skipUnsupported: true,
      onEvent: request.onEvent,
      table: copyTable,
    });
    const rehearsal = report(result, unrehearsable);
    return result.interrupted
      ? rehearsal
      : { ...rehearsal, ...(await planAgain(rehearsal, unrehearsable, planCopy)) };
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

function cloneState(state: ManifestState): ManifestState {
  return new ManifestState(JSON.parse(state.toText()) as StateSection);
}

function refuseMisfit(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const { message, violations, hint } = error;
  throw new Problem('not-implemented', `The manifest cannot be applied to the copy: ${message}`, {
    violations,
    hint,
    cause: error,
  });
}

/**
 * Copies the content of spaces whose content would change, and of spaces whose pages are named in redirects and links of a site.
 * Returns the IDs of the former.
 */
async function copyContents(
  { content, signal }: RehearseRequest,
  { steps }: PlanDocument,
  live: readonly LiveResource[],
  sides: ContentCopy,
  omissions: Omissions,
): Promise<ReadonlySet<string>> {
  if (content === undefined) return new Set();
  const existing = new Map(
    steps.flatMap(({ id, kind, address, name, changes }) => {
      const source = changes.find(({ field }) => field === 'content')?.after as ContentSource | undefined;
      return id === undefined || kind !== 'space' ? [] : [[id, { address, name, source }] as const];
    }),
  );
  const changed = new Set([...existing].flatMap(([id, { source }]) => (source === undefined ? [] : [id])));
  const byAddress = new Map([...existing].map(([id, { address }]) => [address, id]));
  const values = [valuesIn(live), steps.map(({ changes }) => changes.map(({ after }) => after))];
  const named = spacesWithNamedPages(withIds(values, (address) => byAddress.get(address)));
  const copied = new Set<string>();
  for (const spaceId of new Set([...changed, ...named])) {
    // The apply creates the other spaces.
    if (typeof spaceId !== 'string') continue;
    if (signal?.aborted === true)
      throw new Problem('interrupted', 'Stopped by a signal. Nothing was changed.');
    const { name = spaceId, source } = existing.get(spaceId) ?? {};
    try {
      await content.copy({ ...sides, spaceId, source });
      if (source !== undefined) copied.add(spaceId);
    } catch (error) {
      omissions.add('space.content', name, error);
    }
  }
  return copied;
}

function valuesIn(resources: readonly LiveResource[]): unknown[] {
  return resources.flatMap(({ values, inside }) => [...values.values(), ...valuesIn(inside)]);
}

/** Compares only content that was copied or sent. Other spaces count as unchanged. */
function onlyIn(engine: ContentEngine, copied: ReadonlySet<string>): ContentEngine {
  const known = new Set(copied);
  return {
    refusal: (dir) => engine.refusal(dir),
    describe: (spaceId, source, left) => engine.describe(spaceId, source, left),
    fingerprint: (spaceId, source) => engine.fingerprint(spaceId, source),
    plan: async (spaceId, source) => (known.has(spaceId) ? engine.plan(spaceId, source) : undefined),
    apply: async (spaceId, source) => {
      known.add(spaceId);
      await engine.apply(spaceId, source);
    },
  };
}

async function planAgain(
  { rows }: Rehearsal,
  unrehearsable: ReadonlyMap<string, string>,
  planCopy: () => Promise<{ document: PlanDocument }>,
): Promise<Pick<Rehearsal, 'unsettled' | 'refused'>> {
  const open = new Set(rows.filter(({ status }) => status !== 'done').map(({ address }) => address));
  try {
    const { steps } = (await planCopy()).document;
    const isAgain = ({ key, address, action }: Step) =>
      action !== 'none' &&
      action !== 'unsupported' &&
      !open.has(address) &&
      !unrehearsable.has(key) &&
      !unrehearsable.has(address);
    return { unsettled: steps.filter(isAgain) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A manifest that was applied only in part may be invalid.
    return { unsettled: [], ...(open.size > 0 ? {} : { refused: error }) };
  }
}
