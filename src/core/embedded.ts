import { createHash } from 'node:crypto';
import type { Api, CallOptions } from '../contract/api.ts';
import { checkInput } from '../contract/check.ts';
import type { InputOf, Operation, OutputOf } from '../contract/operation.ts';
import type { HandlerFile, FileAnswer, FileWaiter } from '../contract/file.ts';
import { Problem } from '../errors/problem.ts';
import { StaleIndexError } from './stale-index-error.ts';
import { authorize } from './authorize.ts';
import { identify, type Caller, type Credential } from './callers.ts';
import { isoTime, type Clock } from './clock.ts';
import type { Handler } from './handler.ts';
import type { NewId } from './ids.ts';
import type { Engine } from './jobs.ts';
import type { AddressCheck, Outgoing } from './outgoing.ts';
import { answers } from './rows/organizations.ts';
import type { Vault } from './secrets.ts';
import type { ReadTransaction, Store, WriteTransaction } from './store.ts';
import { isUtf8 } from 'node:buffer';

export interface Core {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Base of every URL in answers, without a slash at its end. */
  readonly publicUrl: string;
  /** Finds the handler of an operation; loads only its noun. */
  readonly handlerOf: (operation: Operation) => Promise<Handler<Operation>>;
  /** Finds the engine of a kind of jobs. */
  readonly engineOf: (kind: string) => Promise<Engine>;
  readonly outgoing: Outgoing;
  readonly checkAddress: AddressCheck;
  /** Encrypts secrets that the store keeps. */
  readonly vault: Vault;
  /** Settings of services that engines use. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Options of the server: `onCaller` gets the caller before authorization, for the log. */
export interface ServedOptions extends CallOptions {
  readonly onCaller?: (caller: Caller | undefined) => void;
}

const day = 24 * 60 * 60 * 1000;

/** An Api that runs operations here: check, authorize and handle in one transaction on the store. */
export function embeddedApi(core: Core, credential: Credential): Api {
  return {
    place: core.store.url,
    close: () => core.store.close(),
    work: async (request) => (await import('./workers.ts')).runDueJobs(core, request),
    call: (operation, input, options = {}) => callOperation(core, credential, operation, input, options),
  };
}

export async function callOperation<O extends Operation>(
  core: Core,
  credential: Credential,
  operation: O,
  input: InputOf<O>,
  options: ServedOptions = {},
): Promise<OutputOf<O>> {
  const checked = checkInput(operation, input);
  const handler = await core.handlerOf(operation);
  if (options.signal?.aborted === true)
    throw new Problem('interrupted', 'Interrupted before the command began. Nothing was changed.');
  const time = core.clock();
  const now = isoTime(time);
  const run = async (view: ReadTransaction | WriteTransaction): Promise<unknown> => {
    const caller = await identify(view, credential, now);
    options.onCaller?.(caller);
    const scope = await authorize(view, caller, operation, checked.params);
    const { newId, randomBytes, vault, checkAddress } = core;
    const context = {
      ...scope,
      tx: view,
      caller,
      now,
      newId,
      randomBytes,
      vault,
      checkAddress,
      url: (path: string) => core.publicUrl + path,
    };
    const work = () => (handler as (context: unknown, input: unknown) => Promise<unknown>)(context, checked);
    if (options.idempotencyKey === undefined || operation.method === 'GET') return work();
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
  const answer = await (operation.method === 'GET' ? readFresh(core.store, run) : core.store.write(run));
  return (
    operation.returns.file === true ? await finishFile(answer as HandlerFile, options) : answer
  ) as OutputOf<O>;
}

/** Reads; lets an index that lags behind catch up first. */
async function readFresh<T>(store: Store, work: (view: ReadTransaction) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await store.read(work);
    } catch (error) {
      if (!(error instanceof StaleIndexError)) throw error;
      // Between two pieces others have their turn.
      while (!(await store.write(error.catchUp))) await new Promise(setImmediate);
    }
  }
}

/** Runs the work once per caller and key; repeats return the stored answer, for a day. */
async function runIdempotent(
  tx: WriteTransaction,
  caller: Caller | undefined,
  operation: Operation,
  input: unknown,
  key: string,
  time: number,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (key.length > 255)
    throw new Problem('invalid-input', 'The idempotency key is longer than 255 characters.');
  const id = hashJson([caller?.token ?? caller?.user.id ?? '', key]);
  const request = hashJson([operation.id, input]);
  const known = await tx.get(answers, id);
  if (known !== undefined && known.expiresAt > isoTime(time)) {
    if (known.request !== request) {
      throw new Problem('key-reused', 'The idempotency key was used before for a different request.', {
        hint: 'Use a new key for each request.',
      });
    }
    if (known.body === null && operation.returns.schema !== undefined) {
      throw new Problem(
        'conflict',
        'This request was done before, and its answer cannot be repeated because it contained a secret.',
        {
          hint: 'Delete what the first request created, then send the request again with a new idempotency key.',
        },
      );
    }
    return known.body ?? undefined;
  }
  const body = await work();
  if (known !== undefined) await tx.remove(answers, id);
  for (const old of await tx.find(answers, { index: 'byExpiry', equals: [], limit: 4 })) {
    if (old.expiresAt <= isoTime(time)) await tx.remove(answers, old.id);
  }
  await tx.insert(answers, {
    id,
    request,
    body: operation.secret ? null : (body ?? null),
    expiresAt: isoTime(time + day),
  });
  return body;
}

function hashJson(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** One media type with parameters that a header can carry. */
const mediaType = /^[\w.+-]+\/[\w.+-]+([ \t]*;[ \t]*[\w.+-]+=([\w.+-]+|"[ !#-[\]-~]*"))*$/;

/** Completes a file for the caller: makes its bytes, and a content type that a header can carry. */
async function finishFile(
  { name, contentType, bytes: given }: HandlerFile,
  waiting: FileWaiter = {},
): Promise<FileAnswer> {
  const bytes = typeof given === 'function' ? await given(waiting) : given;
  return { name: name.toWellFormed(), contentType: safeContentType(contentType, bytes), bytes };
}

/** Replaces an invalid type by application/octet-stream, and adds the charset to texts that are UTF-8. */
function safeContentType(declared: string, bytes: Uint8Array): string {
  if (!mediaType.test(declared)) return 'application/octet-stream';
  return /^text\//i.test(declared) && !/;\s*charset=/i.test(declared) && isUtf8(bytes)
    ? `${declared}; charset=utf-8`
    : declared;
}
