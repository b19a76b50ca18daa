import { describeValue } from './console.ts';

/** The function with which both forms of scripts handle a message; `Message` is the class of requests. */
type Handler<Message> = (request: Message, env: object, context: object) => unknown;
interface FetchEvent<Message> {
  readonly type: 'fetch';
  readonly request: Message;
  respondWith(answer: unknown): void;
  waitUntil(work: unknown): void;
}
type Listener<Message> = (event: FetchEvent<Message>) => unknown;

interface Responder<Message> {
  /** Registers a listener for messages, in scripts of the first form. */
  readonly addEventListener: (type: string, listener: Listener<Message>) => void;
  /** Registers the module of a script of the second form. @throws TypeError if it has no function fetch */
  readonly useModule: (exports: { readonly default?: { readonly fetch?: unknown } }) => void;
  /** Passes a message to the script and returns its answer. @throws TypeError if the script has no handler */
  readonly respond: (request: Message, waitUntil: (work: unknown) => void) => unknown;
}

/** Creates the responder of one script, of either form. */
export function createResponder<Message>(): Responder<Message> {
  const listeners: Listener<Message>[] = [];
  let handler: Handler<Message> | undefined;
  return {
    addEventListener(type, listener) {
      if (type === 'fetch') listeners.push(listener);
    },
    useModule(exports) {
      const main = exports.default;
      const fetch = main?.fetch;
      if (typeof fetch !== 'function')
        throw new TypeError('The script has no default export with a function fetch.');
      handler = (request, env, context) => fetch.call(main, request, env, context) as unknown;
    },
    respond(request, waitUntil) {
      if (handler !== undefined)
        return handler(request, {}, { waitUntil, passThroughOnException: () => undefined });
      let given: { answer: unknown } | undefined;
      const event: FetchEvent<Message> = {
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
            ? 'The script does not listen for the event "fetch".'
            : 'The script did not call respondWith.',
        );
      return given.answer;
    },
  };
}

/** Describes an error of a script: its class, its message and the place in the script, if known. Never throws. */
export function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${describeValue(error)}`;
  try {
    const place = (error.stack ?? '')
      .trim()
      .split('\n')
      .find((line) => /^\s*at (?!.*docsctl)/.test(line));
    return `${error.name}: ${error.message}${place === undefined ? '' : ` (${place.trim()})`}`;
  } catch {
    return 'it threw an error that cannot be read';
  }
}
