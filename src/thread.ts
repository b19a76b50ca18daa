import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkEvent } from './contract/api.ts';
import type { FileAnswer } from './contract/file.ts';
import { isOperation, type InputOf, type Operation } from './contract/operation.ts';
import { defined, getOrInsert } from './contract/values.ts';
import { callOperation, closeCore, type Core } from './core/embedded.ts';
import type { Handler } from './core/handler.ts';
import type { Store } from './core/store.ts';
import { runAndReport } from './core/workers.ts';
import { Problem } from './errors/problem.ts';
import type { PageCache } from './publishing/page-cache.ts';
import type { SiteAnswer } from './publishing/site-request.ts';
import { handlerOf, nounOf } from './resources/index.ts';
import { readBody } from './server/body.ts';
import { encodeJson } from './server/threads/encode-json.ts';
import {
  toSentProblem,
  type FromThread,
  type SiteCall,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadData,
  type ThreadJob,
  type ToThread,
} from './server/threads/messages.ts';
import { openCore } from './wiring.ts';

/**
 * Runs a thread of a server. It handles calls and jobs with its own connection to the store until it gets the message to close.
 * `port` leads to the thread that started it. See server/threads.
 */
export function runThread(
  env: NodeJS.ProcessEnv,
  port = parentPort,
  { storeUrl, publicUrl, sitesUrl, caFile, cwd, version } = workerData as ThreadData,
): void {
  if (port === null) throw new Error('This is no thread.');
  const send = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);
  const turns = new Map<number, () => void>();
  const running = new Map<number, AbortController>();
  let pages: Promise<PageCache> | undefined;
  let isClosing = false;
  const opening = openCore(
    { cwd, version, env, clock: Date.now, randomBytes: (count) => randomBytes(count) },
    storeUrl,
    { publicUrl, sitesUrl, caFile, wrapStore: (store) => inTurn(store, send, turns) },
  ).then(withKeptHandlers);
  // Calls get the error, and then the thread ends.
  opening.catch(() => (isClosing = true));
  const closeIfDone = (): void => {
    if (!isClosing || running.size > 0) return;
    void opening
      .then(closeCore)
      .catch(() => {})
      .finally(() => port.close());
  };
  const work = async (id: number, answer: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      await answer(controller.signal);
    } catch (error) {
      if (error instanceof Problem) send({ kind: 'problem', id, problem: toSentProblem(error) });
      else {
        const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
        send({ kind: 'fault', id, message, stack });
      }
    }
    running.delete(id);
    closeIfDone();
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'close') {
      isClosing = true;
      closeIfDone();
    } else if (message.kind === 'abort') running.get(message.id)?.abort();
    else if (message.kind === 'turn') {
      turns.get(message.id)?.();
      turns.delete(message.id);
    } else if (message.kind === 'job') {
      const { id, job } = message;
      void work(id, async (signal) =>
        runJobOf(await opening, job, signal, (event) => send(toMessage(id, event))),
      );
    } else if (message.kind === 'site') {
      const { id, call } = message;
      void work(id, async () => {
        // The server process caches PDFs and the texts of whole sites.
        pages ??= import('./publishing/page-cache.ts').then(
          ({ PageCache }) => new PageCache({ maxBytes: maxPageBytes, keepsWhole: false }),
        );
        const site = await answerSiteCall(await opening, await pages, call);
        send({ kind: 'answer', id, answer: { site } });
      });
    } else if (message.kind === 'markdown') {
      const { id, markdown } = message;
      void work(id, async () => {
        const { markdownToShow } = await import('./richtext/readable.ts');
        send({ kind: 'answer', id, answer: { document: JSON.stringify(markdownToShow(markdown)) } });
      });
    } else {
      const { id, call } = message;
      void work(id, async (signal) => {
        const answer = await answerCall(await opening, call, signal);
        const { json, file } = answer;
        const given = [...(json?.pieces ?? []), ...(file === undefined ? [] : [file.bytes])];
        send(
          { kind: 'answer', id, answer },
          given.map(({ buffer }) => buffer as ArrayBuffer),
        );
      });
    }
  });
}

/** Returns a core that looks up each handler only once. */
function withKeptHandlers(core: Core): Core {
  const handlers = new Map<string, Promise<Handler<Operation>>>();
  return {
    ...core,
    handlerOf(operation) {
      return getOrInsert(handlers, operation.id, () => handlerOf(operation));
    },
  };
}

/** Returns a store whose writes wait for the turn of this thread. */
function inTurn(store: Store, send: (message: FromThread) => void, turns: Map<number, () => void>): Store {
  let count = 0;
  return {
    ...store,
    write: async (work, options) => {
      const id = ++count;
      const turn = new Promise<void>((resolve) => turns.set(id, resolve));
      send({ kind: 'write', id });
      await turn;
      try {
        return await store.write(work, options);
      } finally {
        send({ kind: 'written', id });
      }
    },
  };
}

/** Maximum size of the cached pages of a thread, in bytes. It answers few requests for pages, such as searches. */
const maxPageBytes = 4 * 1024 * 1024;

async function answerSiteCall(
  core: Core,
  pages: PageCache,
  { request, query, counts, maxWait, scriptWait }: SiteCall,
): Promise<SiteAnswer> {
  const { answerSite } = await import('./publishing/answer-site.ts');
  const asked = { ...request, query: new URLSearchParams(query) };
  return answerSite(core, pages, asked, { counts, maxWait, scriptWait });
}

async function answerCall(core: Core, call: ThreadCall, signal: AbortSignal): Promise<ThreadAnswer> {
  const { credential, idempotencyKey, ifMatch, ifNoneMatch, source, unread } = call;
  const operation = await operationOf(call.operation);
  const body =
    unread === undefined
      ? call.input.body
      : readBody(
          Buffer.from(unread.bytes.buffer, unread.bytes.byteOffset, unread.bytes.byteLength),
          unread.contentType,
          unread.nodes,
        );
  const answer: unknown = await callOperation(
    core,
    credential,
    operation,
    { ...call.input, body } as InputOf<Operation>,
    { signal, from: () => source, ...defined({ idempotencyKey, ifMatch, ifNoneMatch }) },
  );
  if (operation.returns.file === true) {
    const file = answer as FileAnswer;
    return { file: { ...file, bytes: own(file.bytes) } };
  }
  return answer === undefined ? {} : { json: encodeJson(answer) };
}

/** Returns bytes in their own buffer, so that they can be transferred. */
function own(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

async function operationOf(id: string): Promise<Operation> {
  const found = Object.values(await nounOf(id).contract()).find(
    (value) => isOperation(value) && value.id === id,
  ) as Operation | undefined;
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

async function runJobOf(
  core: Core,
  { row, maxScrubSize }: ThreadJob,
  signal: AbortSignal,
  onEvent: (event: WorkEvent) => void,
): Promise<void> {
  await runAndReport(core, row, { signal, maxScrubSize, isServing: true }, onEvent);
}

function toMessage(id: number, { problem, ...event }: WorkEvent): FromThread {
  return {
    kind: 'event',
    id,
    event,
    ...(problem === undefined ? {} : { problem: toSentProblem(problem) }),
  };
}
