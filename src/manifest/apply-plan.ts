import type { Api } from '../contract/api.ts';
import { defined, groupBy } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { openBackend } from './backend.ts';
import type { Journal } from './journal/journal-file.ts';
import { Recorder } from './journal/recorder.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds/index.ts';
import type { ManifestState } from './manifest-state.ts';
import { refuseUnsupported, type Action, type PlanDocument, type Step } from './plan-document.ts';
import type { StateHandle } from './state-file.ts';
import { StepRunner } from './step-runner.ts';
import { walkSteps, type Outcome, type Status } from './walk-steps.ts';

/** An event while a plan is applied, for the progress display. */
export type ApplyEvent =
  | { readonly type: 'waiting'; readonly step: Step; readonly for: readonly string[] }
  | { readonly type: 'started'; readonly step: Step }
  | { readonly type: 'ended'; readonly step: Step; readonly row: ResultRow };

export interface ResultRow {
  readonly key: string;
  readonly address: string;
  readonly kind: string;
  readonly name: string;
  readonly action: Action;
  readonly status: Status;
  readonly id?: string;
  readonly problem?: Problem;
  /** The key of the step that caused the skip. */
  readonly because?: string;
}

export interface ApplyResult {
  /** In the order of the plan, without unchanged resources. */
  readonly rows: readonly ResultRow[];
  readonly counts: Readonly<Record<Status, number>>;
  /** The number of unchanged resources. */
  readonly unchanged: number;
  readonly interrupted: boolean;
}

export interface ApplyRequest {
  readonly document: PlanDocument;
  readonly api: Api;
  readonly handle: StateHandle;
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  /** Ends the running calls and starts no more. */
  readonly signal?: AbortSignal | undefined;
  /** Waits before a step is retried because others have changed its resource (default: no wait). Attempts count from 1. */
  readonly pause?: ((attempt: number) => Promise<void>) | undefined;
  readonly skipUnsupported?: boolean | undefined;
  /** Starts no further step after the first failure. */
  readonly failFast?: boolean | undefined;
  readonly onEvent?: ((event: ApplyEvent) => void) | undefined;
  readonly table?: readonly Kind[];
  /** Records the changes and the values before them. */
  readonly journal?: { readonly file: Journal; readonly clock: () => number };
}

/** Reasons after which no other step can succeed. */
const fatal: ReadonlySet<string> = new Set(['unauthenticated', 'unreachable', 'store-failed']);

/**
 * Applies a plan. The result contains failures of steps.
 * @throws Problem(precondition-failed) for a stale plan
 * @throws Problem(not-implemented), Problem(forbidden) for unsupported steps without `skipUnsupported`
 */
export async function applyPlan(request: ApplyRequest): Promise<ApplyResult> {
  const { document, api, handle, concurrency, signal, table = kinds, onEvent = () => {}, journal } = request;
  refuseStalePlan(document, api, handle.state);
  refuseUnsupported(document, request.skipUnsupported);
  const pending = document.steps.filter(hasWork);
  // The idempotency key of a create must be on the disk before the first create.
  if (handle.state.serial === 0 && pending.length > 0) await handle.save();
  const opened = await openBackend(api, document.organization, {
    withPeople: document.people && pending.some(({ calls }) => calls > 0),
  });
  const leaving = new Set(pending.flatMap(({ action, id }) => (action === 'delete' ? (id ?? []) : [])));
  const backend = { ...opened, leaving };
  const runner: StepRunner = new StepRunner({
    document,
    api,
    backend,
    handle,
    signal,
    pause: request.pause,
    table,
    onCreated: (step, id) => recorder?.recordCreated(step, id),
  });
  const recorder =
    journal &&
    new Recorder({
      document,
      api,
      backend,
      table,
      state: handle.state,
      journal: journal.file,
      clock: journal.clock,
      idOf: (address) => runner.idOf(address),
      locate: (address) => runner.locate(address),
      movedInside: (step) => runner.movedInside(step),
    });
  const rows = new Map<string, ResultRow>();
  let broken: string | undefined;
  const run = async (step: Step): Promise<Outcome> => {
    if (step.action === 'unsupported') return { status: 'unsupported' };
    onEvent({ type: 'started', step });
    try {
      await recorder?.begin(step);
      await runner.run(step);
      await recorder?.recordContent(step);
      return { status: 'done' };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.reason === 'interrupted') return { status: 'stopped' };
      if (error.reason === 'changes-pending') {
        await recorder?.recordContent(step);
        return { status: 'waiting', problem: error };
      }
      if (fatal.has(error.reason) || request.failFast === true) broken ??= step.key;
      return { status: 'failed', problem: error };
    }
  };
  const ended = (step: Step, { status, because, problem }: Outcome): void => {
    const { key, address, kind, name, action } = step;
    const id = runner.idOf(address);
    const row = { key, address, kind, name, action, status, ...defined({ id, because, problem }) };
    rows.set(key, row);
    recorder?.end(step, row);
    onEvent({ type: 'ended', step, row });
  };
  const stopped = () =>
    signal?.aborted === true ? {} : broken === undefined ? undefined : { because: broken };
  const options = { concurrency, run, stopped, ended };
  for (const step of pending) if (step.after.length > 0) onEvent({ type: 'waiting', step, for: step.after });
  const needed = new Set(pending.flatMap(({ after }) => after));
  const isFinalDelete = ({ action, key }: Step) => action === 'delete' && !needed.has(key);
  await walkSteps(
    pending.filter((step) => !isFinalDelete(step)),
    options,
  );
  // Deletes run kind by kind, so that containers and resources that others refer to are deleted last. After a failure, no more
  // deletes start.
  const failed = [...rows.values()].find(({ status }) => status === 'failed');
  for (const steps of groupBy(pending.filter(isFinalDelete), ({ kind }) => kind).values()) {
    recorder?.beginBatch();
    if (failed === undefined) await walkSteps(steps, options);
    else for (const step of steps) ended(step, { status: 'skipped', because: failed.key });
  }
  const result = resultOf(document, pending, rows, signal?.aborted === true);
  await recorder?.close(result.counts, result.interrupted);
  return result;
}

/** Returns whether a step makes calls or changes the state file. */
function hasWork({ action, states, drops = [], lock = [] }: Step): boolean {
  return action !== 'none' || states !== undefined || drops.length > 0 || lock.length > 0;
}

/** Refuses a plan that was made for another organization or another version of the state. @throws Problem(precondition-failed) */
export function refuseStalePlan(document: PlanDocument, api: Api, state: ManifestState): void {
  const { place, organization, lock } = document;
  if (place !== api.place || organization !== state.organization || place !== state.place)
    throw new Problem(
      'precondition-failed',
      `The plan is for organization ${organization} on ${place}, not for organization ${state.organization} on ${api.place}.`,
      { hint: 'Choose that store or server and organization, or make a new plan.' },
    );
  if (lock.serial !== state.serial)
    throw new Problem(
      'precondition-failed',
      'The state file is not the one that the plan was made with, or something else was applied since.',
      {
        hint: 'Run the command in the folder in which the plan was made, or make a new plan with `docsctl plan --out FILE`.',
      },
    );
}

function resultOf(
  document: PlanDocument,
  pending: readonly Step[],
  rows: ReadonlyMap<string, ResultRow>,
  interrupted: boolean,
): ApplyResult {
  const counts = { done: 0, waiting: 0, failed: 0, skipped: 0, unsupported: 0, stopped: 0 };
  const shown = pending
    .flatMap(({ key }) => rows.get(key) ?? [])
    .filter(({ action, status }) => action !== 'none' || status !== 'done');
  for (const { status } of shown) counts[status]++;
  return { rows: shown, counts, unchanged: document.counts.none, interrupted };
}
