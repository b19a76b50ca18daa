import { defined } from '../contract/values.ts';
import type { Api, CallOptions, OnProgress } from '../contract/api.ts';
import { checkInput, type CheckedInput } from '../contract/check.ts';
import { entityTag, noteTag } from '../contract/entity-tag.ts';
import { yieldToEvents } from '../contract/event-loop.ts';
import type { InputOf, Operation, OutputOf } from '../contract/operation.ts';
import type { HandlerFile } from '../contract/file.ts';
import { Problem } from '../errors/problem.ts';
import { finishFile } from './finish-file.ts';
import { HeavyCallError, leaveThread } from './heavy-call-error.ts';
import { StaleIndexError } from './stale-index-error.ts';
import { accessOf } from './access-of.ts';
import { authorize, requireCaller } from './authorize.ts';
import { yieldingTransaction } from './yielding-transaction.ts';
import { backgroundEnded } from './background.ts';
import { identify, type Caller, type Credential } from './callers.ts';
import { changeIf } from './change-if.ts';
import { isoTime, type Clock } from './clock.ts';
import type { DnsLookup, TextLookup } from './dns.ts';
import { Deferred, type Handler, type ResourceScope, type Services } from './handler.ts';
import { limitIntegration } from './integration-access.ts';
import type { CallSource } from './audit/record-call.ts';
import type { NewId } from './ids.ts';
import type { Engine } from './jobs.ts';
import { rememberOrganization } from './lanes.ts';
import type { AddressCheck, Outgoing } from './outgoing.ts';
import { requestRemoval } from './removal.ts';
import { runIdempotent, wasDone } from './run-idempotent.ts';
import type { Publisher } from './publisher.ts';
import type { ScriptRuntime } from './scripts.ts';
import type { Vault } from './secrets.ts';
import type { ReadOptions, ReadTransaction, Store, WriteTransaction } from './store.ts';
import { announceWork } from './work-signal.ts';

/** Everything that operations and jobs need from their process: the store, the clock, random bytes, and services. */
export interface Core {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The base of all URLs in answers, without a slash at the end. */
  readonly publicUrl: string;
  /** The base of the addresses of published sites; undefined if no server shows them. */
  readonly sitesUrl?: string | undefined;
  /** Finds the handler of an operation; loads only its noun. */
  readonly handlerOf: (operation: Operation) => Promise<Handler<Operation>>;
  /** Finds the operation that reads with GET what another one changes at the same path; undefined if there is none. */
  readonly readerOf: (operation: Operation) => Promise<Operation | undefined>;
  readonly engineOf: (kind: string) => Promise<Engine>;
  readonly outgoing: Outgoing;
  /** Looks up a host. Absent: name servers are not asked. */
  readonly lookUpHost?: DnsLookup | undefined;
  /** Looks up TXT records. Absent: name servers are not asked. */
  readonly lookUpText?: TextLookup | undefined;
  readonly checkAddress: AddressCheck;
  /** Answers for sites, as visitors get them. */
  readonly publisher: Publisher;
  /** Encrypts secrets that the store keeps. */
  readonly vault: Vault;
  /** Runs scripts of integrations. Absent: scripts do not run. */
  readonly scripts?: ScriptRuntime | undefined;
  /** Environment variables with the settings of services that engines use. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the name of the user of the operating system, for audit events. */
  readonly osUser?: (() => string | undefined) | undefined;
}

/** Options of the server: `onCaller` gets the caller before authorization, for the log. */
export interface ServedOptions extends CallOptions {
  readonly onCaller?: (caller: Caller | undefined) => void;
  /** Gets the ID of the organization that the call is about, after the caller was authorized in it. */
  readonly onOrganization?: (id: string) => void;
  /**
   * Called when the answer also depends on something outside of the store, such as the time or another service. Otherwise the
   * same request has the same answer until the stamp of the store changes or the caller's token expires.
   */
  readonly onOutside?: () => void;
  /** Where the call comes from, for the event that records it (default: this machine). */
  readonly from?: () => CallSource;
  /**
   * Milliseconds that the transaction may take. If it takes longer, or is known to take longer, the call throws
   * HeavyCallError, and nothing is done (default: any time).
   */
  readonly maxTime?: number | undefined;
}

/** Loaded with the first call that changes something. */
let auditModule: Promise<typeof import('./audit/record-call.ts')> | undefined;

/** Returns an Api that runs operations in this process, on the store of the core. */
export function embeddedApi(core: Core, credential: Credential, from?: () => CallSource): Api {
  return {
    place: core.store.url,
    close: () => closeCore(core),
    work: async (request) => (await import('./workers.ts')).runDueJobs(core, request),
    call: async (operation, input, options = {}) => {
      const given = from === undefined ? options : { ...options, from };
      const answer = await callOperation(core, credential, operation, input, given);
      if (operation.method === 'GET') noteTag(answer, () => entityTag(JSON.stringify(answer)));
      return answer;
    },
  };
}

/** Milliseconds that the end of the program waits for scripts that continue after their answers. */
const scriptsTimeout = 1000;

/** Ends the processes of scripts, waits until their results are recorded, and closes the store. */
export async function closeCore(core: Core): Promise<void> {
  await backgroundEnded(core, scriptsTimeout);
  await core.scripts?.close();
  await backgroundEnded(core);
  await core.store.close();
}

/** Returns the absolute URL of a path: of a published site, below `/sites/`, or of the API. */
export function urlIn({ publicUrl, sitesUrl }: Pick<Core, 'publicUrl' | 'sitesUrl'>, path: string): string {
  return (path.startsWith('/sites/') ? (sitesUrl ?? publicUrl) : publicUrl) + path;
}

/** Returns the services for work outside of a transaction. */
export function servicesOf(core: Core, signal?: AbortSignal): Services {
  const { store, clock, newId, randomBytes, outgoing, lookUpHost, lookUpText, scripts, vault } = core;
  return {
    read: (work) => store.read(work),
    write: (work, options) => store.write(work, options),
    outgoing,
    lookUpHost,
    lookUpText,
    scripts,
    vault,
    now: () => isoTime(clock()),
    newId,
    randomBytes,
    url: (path) => urlIn(core, path),
    ...defined({ signal }),
  };
}

/**
 * Runs an operation and returns its answer: checks the input, then identifies and authorizes the caller and runs the
 * handler in one transaction. A caller who cannot be identified learns nothing about the input.
 *
 * @throws the problems of `identify`; Problem(invalid-input) for an invalid input; the problems of `authorize` and of
 * the handler
 */
export async function callOperation<O extends Operation>(
  core: Core,
  credential: Credential,
  operation: O,
  input: InputOf<O>,
  options: ServedOptions = {},
): Promise<OutputOf<O>> {
  let checked: ReturnType<typeof checkInput>;
  try {
    checked = checkInput(operation, input);
  } catch (error) {
    await authenticate(core, credential, operation, options.onCaller);
    throw error;
  }
  const handler = await core.handlerOf(operation);
  await yieldToEvents(options.signal);
  const time = core.clock();
  const now = isoTime(time);
  const { signal, onProgress = () => {}, onOutside, maxTime } = options;
  const audit = operation.safe ? undefined : await (auditModule ??= import('./audit/record-call.ts'));
  let hasRequested = false;
  const onRequest = (): void => void (hasRequested = true);
  const run = async (transaction: ReadTransaction | WriteTransaction): Promise<unknown> => {
    hasRequested = false;
    const view = yieldingTransaction(transaction, signal, onOutside, maxTime);
    const admission = { credential, operation, input: checked, now };
    const admitted = await admit(core, view, admission, options).catch(async (error: unknown) => {
      if (await isRepeatedDelete(view, credential, operation, checked, now, options)) return undefined;
      throw error;
    });
    if (admitted === undefined) return undefined;
    const { caller, scope } = admitted;
    const contextIn = (tx: ReadTransaction, within = scope): unknown => {
      // The scope comes last, because V8 takes four times as long to add so many members to a copy of an object.
      const context = {
        tx,
        caller,
        vault: core.vault,
        checkAddress: core.checkAddress,
        onProgress,
        signal,
        onHeavy: maxTime === undefined ? undefined : leaveThread,
        url: (path: string) => urlIn(core, path),
        hidesSites: core.sitesUrl === undefined,
        now,
        newId: core.newId,
        randomBytes: core.randomBytes,
        publisher: core.publisher,
        ...within,
      };
      return onOutside === undefined ? context : noteOutside(context, onOutside);
    };
    const handle = (tx: ReadTransaction): Promise<unknown> => runHandler(handler, contextIn(tx), checked);
    const change = async (): Promise<unknown> => {
      if (audit === undefined || caller === undefined) return handle(view);
      const call = { operation, params: checked.params, scope, caller, from: options.from, now, onRequest };
      return audit.recordCall(view as WriteTransaction, call, handle);
    };
    const work = async (): Promise<unknown> => {
      if (operation.safe || (options.ifMatch ?? options.ifNoneMatch) === undefined) return change();
      const read = async (reader: Operation): Promise<unknown> => {
        const readable = await authorize(view, caller, reader, checked);
        const asked = checkInput(reader, { params: checked.params });
        return runHandler(await core.handlerOf(reader), contextIn(view, readable), asked);
      };
      return changeIf(options, operation, await core.readerOf(operation), read, change);
    };
    if (operation.method === 'DELETE') await requestRemoval(view as WriteTransaction, now);
    if (options.idempotencyKey === undefined || operation.safe) return work();
    return runIdempotent(
      view as WriteTransaction,
      caller,
      operation,
      checked,
      options.idempotencyKey,
      time,
      work,
    );
  };
  const access = accessOf(core.store, operation, credential, checked);
  const handled = await (operation.method === 'GET'
    ? readFresh(core.store, run, { signal, onProgress, reads: access, isBrief: maxTime !== undefined })
    : core.store.write(run, access));
  if (hasRequested) announceWork(core.store);
  const isDeferred = handled instanceof Deferred;
  if (isDeferred) onOutside?.();
  const answer = isDeferred ? await handled.make(servicesOf(core, options.signal)) : handled;
  return (
    operation.returns.file === true ? await finishFile(answer as HandlerFile, options) : answer
  ) as OutputOf<O>;
}

/** The members of a context that can change while the stamp of the store stays the same. */
const outside = ['now', 'newId', 'randomBytes', 'publisher'] as const;

/** Calls `onOutside` when a handler uses one of these members of its context. */
function noteOutside<C extends Record<(typeof outside)[number], unknown>>(
  context: C,
  onOutside: () => void,
): C {
  for (const name of outside) {
    const value = context[name];
    const get = (): unknown => (onOutside(), value);
    Object.defineProperty(context, name, { get, enumerable: true });
  }
  return context;
}

function runHandler(handler: Handler<Operation>, context: unknown, input: unknown): Promise<unknown> {
  return (handler as (context: unknown, input: unknown) => Promise<unknown>)(context, input);
}

interface Admission {
  readonly credential: Credential;
  readonly operation: Operation;
  readonly input: Pick<CheckedInput, 'params' | 'query'>;
  readonly now: string;
}

/** Identifies the caller of an operation and finds its scope. @throws the problems of `identify` and `authorize` */
async function admit(
  { store }: Pick<Core, 'store'>,
  view: ReadTransaction,
  { credential, operation, input, now }: Admission,
  { onCaller, onOrganization }: ServedOptions,
): Promise<{ readonly caller: Caller | undefined; readonly scope: Partial<ResourceScope> }> {
  const identified = await identify(view, credential, now);
  onCaller?.(identified);
  const caller =
    identified?.integration === undefined
      ? identified
      : limitIntegration(identified, identified.integration, operation, input.params);
  if (caller?.readOnly === true && !operation.safe) throw readOnlyProblem(operation);
  const scope = await authorize(view, caller, operation, input);
  if (scope.organization !== undefined) {
    onOrganization?.(scope.organization.id);
    rememberOrganization(store, input.params, scope.organization.id);
  }
  return { caller, scope };
}

/** Whether a DELETE repeats a request that has already deleted the resource. Clients repeat requests that got no answer. */
async function isRepeatedDelete(
  view: ReadTransaction,
  credential: Credential,
  operation: Operation,
  input: unknown,
  now: string,
  { idempotencyKey: key }: ServedOptions,
): Promise<boolean> {
  if (operation.method !== 'DELETE' || key === undefined) return false;
  return wasDone(view, await identify(view, credential, now), operation, input, key, now);
}

/**
 * Identifies and authorizes the caller of an operation without running the operation. The server needs this for the log and the
 * limits when another thread runs the call. That thread checks the caller again.
 *
 * @throws the problems of `identify` and `authorize`
 */
export async function admitCall(
  core: Core,
  call: Omit<Admission, 'now'>,
  options: ServedOptions,
): Promise<void> {
  const now = isoTime(core.clock());
  await core.store.read((view) => admit(core, view, { ...call, now }, options));
}

function readOnlyProblem({ id }: Operation): Problem {
  return new Problem('forbidden', `The session of a browser is read-only, and ${id} makes changes.`, {
    hint: 'Use docsctl, or a token from `docsctl tokens create`.',
  });
}

/**
 * Identifies the caller of a request that will be refused because it is malformed. For all other requests, `callOperation` does
 * this in the transaction of the operation.
 *
 * @throws the problems of `identify`; Problem(unauthenticated) without a caller
 */
export async function authenticate(
  { store, clock }: Core,
  credential: Credential,
  operation: Operation,
  onCaller: ServedOptions['onCaller'] = () => {},
): Promise<void> {
  const caller = await store.read((view) => identify(view, credential, isoTime(clock())));
  onCaller(caller);
  requireCaller(operation, caller);
}

/** Maximum attempts of a read. It may need several indexes, and others may write between two attempts. */
const maxCatchUps = 1000;

/**
 * Runs the work in a read transaction. If it needs an index that lags behind, it brings the index up to date and
 * tries again. It does so for at most `maxWait` milliseconds (default: as long as it takes).
 *
 * @throws Problem(timed-out) after that time
 */
export async function readFresh<T>(
  store: Pick<Store, 'read' | 'write'>,
  work: (view: ReadTransaction) => Promise<T>,
  {
    signal,
    onProgress = () => {},
    maxWait = Number.POSITIVE_INFINITY,
    reads,
    isBrief = false,
  }: {
    signal?: AbortSignal | undefined;
    onProgress?: OnProgress;
    maxWait?: number;
    reads?: ReadOptions;
    /** Whether to throw HeavyCallError instead of bringing an index up to date (default false). */
    isBrief?: boolean;
  } = {},
): Promise<T> {
  let end: number | undefined;
  for (let tries = 1; ; tries++) {
    try {
      return await store.read(work, reads);
    } catch (error) {
      if (!(error instanceof StaleIndexError)) throw error;
      if (isBrief) throw new HeavyCallError();
      // An index that stays behind is a fault of the program, and must not keep it busy forever.
      if (tries > maxCatchUps) throw new Error(`${error.what} did not end`, { cause: error });
      end ??= performance.now() + maxWait;
      let done = 0;
      onProgress(0, 0, error.what);
      for (;;) {
        const piece = await store.write((tx) =>
          error.catchUp(yieldingTransaction(tx, signal), { onProgress, signal }),
        );
        error.onWritten();
        done += piece.done;
        if (piece.done > 0) onProgress(done, done + piece.left, error.what);
        if (piece.isFresh) break;
        if (performance.now() > end) throw laggingProblem();
        // Lets other requests run between two writes.
        await new Promise(setImmediate);
      }
    }
  }
}

function laggingProblem(): Problem {
  return new Problem(
    'timed-out',
    'A large change to the content is still being indexed. Try again in a minute.',
  );
}
