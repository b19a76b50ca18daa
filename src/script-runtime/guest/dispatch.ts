import { Blob, FormData } from './blob.ts';
import { Response } from './body.ts';
import { callHost } from './host.ts';
import { Request } from './request.ts';

type Handler = (request: Request, env: object, context: object) => unknown;
interface FetchEvent {
  readonly type: 'fetch';
  readonly request: Request;
  respondWith(answer: unknown): void;
  waitUntil(work: unknown): void;
}
type Listener = (event: FetchEvent) => unknown;

const listeners: Listener[] = [];
let handler: Handler | undefined;

/** The function with which scripts of the first form ask for messages. */
export function addEventListener(type: string, listener: Listener): void {
  if (type === 'fetch') listeners.push(listener);
}

/** Takes the module of a script of the second form. The host calls it. */
export function useModule(exports: { readonly default?: { readonly fetch?: unknown } }): void {
  const main = exports.default;
  const fetch = main?.fetch;
  if (typeof fetch !== 'function')
    throw new TypeError('The script has no default export with a function fetch.');
  handler = (request, env, context) => fetch.call(main, request, env, context) as unknown;
}

/** What the host sends. */
interface Message {
  readonly event: unknown;
  readonly environment: unknown;
  readonly hasBody: boolean;
}

/** Gives a message to the script, and its answer to the host. */
export function dispatch(text: string, bytes: ArrayBuffer): void {
  const { event, environment, hasBody } = JSON.parse(text) as Message;
  const form = new FormData();
  form.append('event', JSON.stringify(event));
  form.append('environment', JSON.stringify(environment));
  if (hasBody) form.append('fetch-body', new Blob([bytes]), 'fetch-body');
  void answer(new Request('http://any/v1', { method: 'POST', body: form }));
}

async function answer(request: Request): Promise<void> {
  const work: Promise<unknown>[] = [];
  const waitUntil = (one: unknown): void => {
    const noted = Promise.resolve(one).catch((error: unknown) => {
      callHost('log', ['error', `A promise given to waitUntil failed: ${describe(error)}`]);
    });
    work.push(noted);
  };
  try {
    const response = await respond(request, waitUntil);
    if (!(response instanceof Response)) throw new TypeError('The script did not answer with a Response.');
    const { status, headers } = response;
    const bytes = await response.arrayBuffer();
    callHost('answer', { status, headers: [...headers] }, bytes);
  } catch (error) {
    callHost('failed', describe(error));
  }
  for (let done = 0; done < work.length; done++) await work[done];
  callHost('done', null);
}

function respond(request: Request, waitUntil: (work: unknown) => void): unknown {
  if (handler !== undefined)
    return handler(request, {}, { waitUntil, passThroughOnException: () => undefined });
  let given: { readonly answer: unknown } | undefined;
  const event: FetchEvent = {
    type: 'fetch',
    request,
    waitUntil,
    respondWith(one) {
      given ??= { answer: one };
    },
  };
  for (const listener of listeners) {
    const result = listener(event);
    if (result instanceof Promise) waitUntil(result);
    if (given !== undefined) break;
  }
  if (given === undefined)
    throw new TypeError(
      listeners.length === 0
        ? 'The script listens to no event "fetch".'
        : 'The script did not call respondWith.',
    );
  return given.answer;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`;
  const [first = ''] = (error.stack ?? '').trim().split('\n');
  return `${error.name}: ${error.message}${first === '' ? '' : ` (${first.trim()})`}`;
}
