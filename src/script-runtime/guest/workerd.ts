import { failedFetchHeader } from '../failed-fetch.ts';
import type { FromWorkerd, ToWorkerd } from '../protocol.ts';
import { createConsole } from './console.ts';
import { createResponder, describeThrown } from './respond.ts';

// Runs before a script in workerd. Each message is an HTTP request: a line of JSON, followed by the body of the request that the
// event represents. The response is a stream of lines, which ends when the script has finished.

export interface WorkerdContext {
  readonly waitUntil: (work: Promise<unknown>) => void;
}

export const responder = createResponder<Request>();

/** Sends a line to the program. Lines that are written while the script is loaded are sent with its first message. */
let send: (line: FromWorkerd) => void = (line) => void early.push(line);
const early: FromWorkerd[] = [];

const nativeFetch = globalThis.fetch;
const { btoa, Response: NativeResponse, TransformStream: Stream } = globalThis;
/** Maximum numbers of sent trace lines and characters. The program keeps fewer. */
const maxLogs = { lines: 400, characters: 256 * 1024 };
let logs = { lines: 0, characters: 0 };

function log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void {
  if (logs.lines > maxLogs.lines || logs.characters > maxLogs.characters) return;
  logs = { lines: logs.lines + 1, characters: logs.characters + message.length };
  send({ type: 'log', level, message });
}

const globals = {
  console: createConsole(log),
  async fetch(input: string | { url: string }, options?: object): Promise<Response> {
    let response: Response;
    try {
      response = await nativeFetch(input as string, options);
    } catch (error) {
      const { name, message } = error as Error;
      if (name === 'AbortError' || name === 'TimeoutError') throw error;
      const url = typeof input === 'object' && 'url' in input ? input.url : String(input);
      log('warn', `${url.slice(0, 500)}: ${message}`);
      throw new TypeError(`fetch failed: ${message}`, { cause: error });
    }
    const failure = response.headers.get(failedFetchHeader);
    if (failure !== null) throw new TypeError(decodeURIComponent(failure));
    return response;
  },
};
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

/** Passes a message to the script. `problem` is the reason if the script cannot handle messages. */
export async function answer(
  request: Request,
  context: WorkerdContext,
  problem?: { error: unknown },
): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const end = bytes.indexOf(10);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as ToWorkerd;
  const { readable, writable } = new Stream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  // The program may have aborted the message.
  const ignore = () => undefined;
  send = (line) => void writer.write(encoder.encode(`${JSON.stringify(line)}\n`)).catch(ignore);
  logs = { lines: 0, characters: 0 };
  for (const line of early.splice(0)) send(line);
  const work = respond(head, bytes.subarray(end + 1), problem).then(() => {
    send({ type: 'done' });
    return writer.close().catch(ignore);
  });
  context.waitUntil(work);
  return new NativeResponse(readable);
}

async function respond(
  { event, environment, hasBody, maxAnswer }: ToWorkerd,
  body: Uint8Array<ArrayBuffer>,
  problem: { error: unknown } | undefined,
): Promise<void> {
  const work: Promise<unknown>[] = [];
  const waitUntil = (one: unknown): void => {
    const noted = Promise.resolve(one).catch((error: unknown) => {
      const message = `A promise given to waitUntil failed: ${describeThrown(error)}`;
      log('error', message);
    });
    work.push(noted);
  };
  try {
    if (problem !== undefined) throw problem.error;
    const form = new FormData();
    form.append('event', JSON.stringify(event));
    form.append('environment', JSON.stringify(environment));
    if (hasBody) form.append('fetch-body', new Blob([body]), 'fetch-body');
    const request = new Request('http://any/v1', { method: 'POST', body: form });
    const response = await responder.respond(request, waitUntil);
    if (!(response instanceof NativeResponse))
      throw new TypeError('The script did not answer with a Response.');
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { status, headers } = response;
    if (bytes.length > maxAnswer) send({ type: 'too-large' });
    else send({ type: 'answer', status, headers: [...headers], body: toBase64(bytes) });
  } catch (error) {
    send({ type: 'failed', error: describeThrown(error) });
  }
  for (let done = 0; done < work.length; done++) await work[done];
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
