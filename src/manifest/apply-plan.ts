import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import { openBackend } from './backend.ts';
import type { Kind } from './kind.ts';
import type { Journal } from './journal/journal-file.ts';
import { Recorder } from './journal/recorder.ts';
import { kinds } from './kinds/index.ts';
import type { ManifestState } from './manifest-state.ts';
import type { StateHandle } from './state-file.ts';
import type { Action, PlanDocument, Step } from './plan-document.ts';
import { StepRunner } from './step-runner.ts';
import { walkSteps, type Outcome, type Status } from './walk-steps.ts';

/** What happens while a plan is applied, for a display of progress. */
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
  /** The step because of which it was skipped. */
  readonly because?: string;
}

export interface ApplyResult {
  /** In the order of the plan; of what was as wanted, nothing. */
  readonly rows: readonly ResultRow[];
  readonly counts: Readonly<Record<Status, number>>;
  /** Resources that were as wanted. */
  readonly unchanged: number;
  readonly interrupted: boolean;
}

export interface ApplyRequest {
  readonly document: PlanDocument;
  readonly api: Api;
  readonly handle: StateHandle;
  /** Calls at once. */
  readonly concurrency: number;
  /** Ends the calls in flight and begins no more. */
  readonly signal?: AbortSignal | undefined;
  /** The value of a secret by where it comes from, such as `env NAME`: `Desired.secrets`, or read again for a saved plan. */
  readonly secretOf?: ((from: string) => string | undefined) | undefined;
  readonly skipUnsupported?: boolean | undefined;
  readonly onEvent?: ((event: ApplyEvent) => void) | undefined;
  readonly table?: readonly Kind[] | undefined;
  /** Where it is written down what is done and what was there before, with the time of the day. */
  readonly journal?: { readonly file: Journal; readonly clock: () => number } | undefined;
}

/** After these nothing else can succeed. */
const fatal: ReadonlySet<string> = new Set(['unauthenticated', 'unreachable', 'store-failed']);

/** Does what a plan says. What fails is in the result; thrown is only what keeps it from beginning, and bugs. */
export async function applyPlan(request: ApplyRequest): Promise<ApplyResult> {
  const {
    document,
    api,
    handle,
    signal,
    table = kinds,
    secretOf = () => undefined,
    onEvent = () => {},
  } = request;
  check(request);
  const busy = document.steps.filter(isBusy);
  // The key that makes a repeated create harmless has to be kept before the first one.
  if (handle.state.serial === 0 && busy.length > 0) await handle.save();
  const backend = await openBackend(api, document.organization, {
    withPeople: document.people && busy.some(({ calls }) => calls > 0),
  });
  const runner: StepRunner = new StepRunner({
    document,
    api,
    backend,
    handle,
    signal,
    secretOf,
    table,
    made: (step, id) => recorder?.made(step, id),
  });
  const recorder =
    request.journal &&
    new Recorder({
      document,
      api,
      backend,
      table,
      state: handle.state,
      journal: request.journal.file,
      clock: request.journal.clock,
      idOf: (address) => runner.idOf(address),
      locate: (address) => runner.find(address),
    });
  const rows = new Map<string, ResultRow>();
  let broken: string | undefined;
  const end = (step: Step, { status, because, problem }: Outcome & { readonly problem?: Problem }): void => {
    const id = runner.idOf(step.address);
    const { key, address, kind, name, action } = step;
    const row = {
      key,
      address,
      kind,
      name,
      action,
      status,
      ...(id === undefined ? {} : { id }),
      ...(because === undefined ? {} : { because }),
      ...(problem === undefined ? {} : { problem }),
    };
    rows.set(key, row);
    recorder?.ended(step, row);
    onEvent({ type: 'ended', step, row });
  };
  const problems = new Map<string, Problem>();
  const run = async (step: Step): Promise<Outcome> => {
    if (step.action === 'unsupported') return { status: 'unsupported' };
    onEvent({ type: 'started', step });
    try {
      await recorder?.begin(step);
      await runner.run(step);
      await recorder?.did(step);
      return { status: 'done' };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.reason === 'interrupted') return { status: 'stopped' };
      if (error.reason === 'changes-pending') {
        problems.set(step.key, error);
        await recorder?.did(step);
        return { status: 'waiting' };
      }
      if (fatal.has(error.reason)) broken ??= step.key;
      problems.set(step.key, error);
      return { status: 'failed' };
    }
  };
  const options = {
    concurrency: request.concurrency,
    run,
    stopped: () => (signal?.aborted === true ? {} : broken === undefined ? undefined : { because: broken }),
    ended: (step: Step, outcome: Outcome) =>
      end(step, { ...outcome, ...(problems.has(step.key) ? { problem: problems.get(step.key)! } : {}) }),
  };
  for (const step of busy) if (step.after.length > 0) onEvent({ type: 'waiting', step, for: step.after });
  const needed = new Set(busy.flatMap(({ after }) => after));
  const isLast = ({ action, key }: Step): boolean => action === 'delete' && !needed.has(key);
  await walkSteps(
    busy.filter((step) => !isLast(step)),
    options,
  );
  await deleteBackwards(busy.filter(isLast), rows, options, () => recorder?.beginBatch());
  const result = resultOf(document, busy, rows, signal?.aborted === true);
  await recorder?.close(result.counts, result.interrupted);
  return result;
}

/** Kind by kind, so that what others lie in or refer to goes last; nothing at all where something before went wrong. */
async function deleteBackwards(
  deletes: readonly Step[],
  rows: ReadonlyMap<string, ResultRow>,
  options: Parameters<typeof walkSteps>[1],
  beginKind: () => void,
): Promise<void> {
  const wrong = [...rows.values()].find(({ status }) => status === 'failed');
  for (const kind of new Set(deletes.map((step) => step.kind))) {
    const steps = deletes.filter((step) => step.kind === kind);
    beginKind();
    if (wrong === undefined) await walkSteps(steps, options);
    else for (const step of steps) options.ended(step, { status: 'skipped', because: wrong.key });
  }
}

/** A step that has nothing to do and nothing to write down is not run. */
function isBusy({ action, states, drops = [], lock = [] }: Step): boolean {
  return action !== 'none' || states !== undefined || drops.length > 0 || lock.length > 0;
}

/** Refuses a plan that was made for somewhere else, or for another state of the lock. */
export function refuseStalePlan(document: PlanDocument, api: Api, lock: ManifestState): void {
  const isElsewhere =
    document.place !== api.place ||
    document.organization !== lock.organization ||
    document.place !== lock.place;
  if (isElsewhere)
    throw new Problem(
      'precondition-failed',
      `The plan is for organization ${document.organization} on ${document.place}, not for this one.`,
      {
        hint: 'Apply it where it was made for, or make a new plan.',
      },
    );
  if (document.lock.serial !== lock.serial)
    throw new Problem(
      'precondition-failed',
      'The lock has moved since the plan was made: something was applied meanwhile.',
      { hint: 'Make a new plan.' },
    );
}

function check({ document, api, handle, skipUnsupported = false }: ApplyRequest): void {
  refuseStalePlan(document, api, handle.state);
  const cannot = document.steps.filter(({ action }) => action === 'unsupported');
  if (cannot.length === 0 || skipUnsupported) return;
  throw new Problem(
    'not-implemented',
    `${cannot.length === 1 ? 'One step' : `${cannot.length} steps`} of the plan cannot be done here; nothing was changed.`,
    {
      hint: 'Take them out of the manifest, or leave them out with --skip-unsupported.',
      violations: cannot
        .slice(0, 50)
        .map(({ key, at, reason = '' }) => ({ path: at ?? key, message: `${key}: ${reason}` })),
    },
  );
}

function resultOf(
  document: PlanDocument,
  busy: readonly Step[],
  rows: ReadonlyMap<string, ResultRow>,
  interrupted: boolean,
): ApplyResult {
  const counts: Record<Status, number> = {
    done: 0,
    waiting: 0,
    failed: 0,
    skipped: 0,
    unsupported: 0,
    stopped: 0,
  };
  const shown = busy.flatMap(({ key, action }) =>
    rows.has(key) && (action !== 'none' || rows.get(key)!.status !== 'done') ? [rows.get(key)!] : [],
  );
  for (const { status } of shown) counts[status]++;
  return {
    rows: shown,
    counts,
    unchanged: document.steps.filter(({ action }) => action === 'none').length,
    interrupted,
  };
}
