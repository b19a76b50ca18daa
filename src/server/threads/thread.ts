import type { WorkEvent } from '../../contract/api.ts';
import type { Problem } from '../../errors/problem.ts';
import type { SiteAnswer } from '../../publishing/site-request.ts';
import {
  problemOf,
  type FromThread,
  type SiteCall,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadJob,
  type ToThread,
} from './messages.ts';

/** The part of Node's Worker that threads need. */
export interface Port {
  postMessage(message: ToThread, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (message: FromThread) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  terminate(): Promise<unknown>;
}

/** Lets a thread write when it is its turn. `work` resolves when the thread has written. */
export type WriteTurn = (work: () => Promise<void>) => Promise<void>;

interface Request {
  readonly resolve: (answer: ThreadAnswer | WorkEvent) => void;
  readonly reject: (error: unknown) => void;
  readonly progress: (event: WorkEvent) => void;
}

/** A thread that runs calls and jobs. It has its own connection to the store. */
export class Thread {
  readonly #port: Port;
  readonly #requests = new Map<number, Request>();
  readonly #turns = new Map<number, () => void>();
  readonly #ended: Promise<void>;
  #count = 0;
  #error: Error | undefined;
  #reason: Problem | undefined;
  #hasEnded = false;

  constructor(port: Port, takeTurn: WriteTurn) {
    this.#port = port;
    port.on('message', (message) => this.#receive(message, takeTurn));
    port.on('error', (error) => (this.#error = error));
    this.#ended = new Promise((resolve) => {
      port.on('exit', () => {
        this.#hasEnded = true;
        for (const written of this.#turns.values()) written();
        const what = this.#error?.message ?? 'it was stopped';
        const error =
          this.#reason ?? new Error(`A thread of the server ended: ${what}.`, { cause: this.#error });
        for (const { reject } of this.#requests.values()) reject(error);
        this.#requests.clear();
        resolve();
      });
    });
  }

  get busy(): number {
    return this.#requests.size;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Runs a call. @throws the Problem of the call; Error if the thread ended */
  async call(call: ThreadCall, signal: AbortSignal): Promise<ThreadAnswer> {
    const buffer = call.unread?.bytes.buffer;
    return (await this.#request(
      (id) => ({ kind: 'call', id, call }),
      signal,
      () => {},
      buffer instanceof ArrayBuffer ? [buffer] : [],
    )) as ThreadAnswer;
  }

  /** Answers a request to a published site. @throws the Problem of the answer; Error if the thread ended */
  async answerSite(call: SiteCall): Promise<SiteAnswer> {
    const messageOf = (id: number): ToThread => ({ kind: 'site', id, call });
    const { site } = (await this.#request(messageOf, undefined, () => {})) as ThreadAnswer;
    return site as SiteAnswer;
  }

  /** Reads Markdown with `markdownToShow`, and returns its JSON. @throws Error if the thread ended */
  async readMarkdown(markdown: string): Promise<string> {
    const messageOf = (id: number): ToThread => ({ kind: 'markdown', id, markdown });
    const { document } = (await this.#request(messageOf, undefined, () => {})) as ThreadAnswer;
    return String(document);
  }

  /** Runs a job, and returns how it ended. @throws the errors of the store; Error if the thread ended */
  async run(job: ThreadJob, signal: AbortSignal, progress: (event: WorkEvent) => void): Promise<WorkEvent> {
    return (await this.#request((id) => ({ kind: 'job', id, job }), signal, progress)) as WorkEvent;
  }

  /** Ends the thread after its current work, or after `timeout` milliseconds. Unfinished work fails with `reason`. */
  async close(timeout: number, reason?: Problem): Promise<void> {
    this.#reason = reason;
    this.#send({ kind: 'close' });
    const timer = setTimeout(() => void this.#port.terminate(), timeout);
    await this.#ended;
    clearTimeout(timer);
  }

  #request(
    messageOf: (id: number) => ToThread,
    signal: AbortSignal | undefined,
    progress: Request['progress'],
    transfer?: readonly ArrayBuffer[],
  ): Promise<ThreadAnswer | WorkEvent> {
    const id = ++this.#count;
    const abort = (): void => this.#send({ kind: 'abort', id });
    const done = new Promise<ThreadAnswer | WorkEvent>((resolve, reject) => {
      this.#requests.set(id, { resolve, reject, progress });
    });
    this.#send(messageOf(id), transfer);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
    return done.finally(() => signal?.removeEventListener('abort', abort));
  }

  #send(message: ToThread, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  #receive(message: FromThread, takeTurn: WriteTurn): void {
    const { id } = message;
    if (message.kind === 'write') {
      void takeTurn(
        () =>
          new Promise((resolve) => {
            if (this.#hasEnded) return resolve();
            this.#turns.set(id, resolve);
            this.#send({ kind: 'turn', id });
          }),
      );
      return;
    }
    if (message.kind === 'written') {
      this.#turns.get(id)?.();
      this.#turns.delete(id);
      return;
    }
    const request = this.#requests.get(id);
    if (request === undefined) return;
    if (message.kind === 'event') {
      const { problem } = message;
      const event = problem === undefined ? message.event : { ...message.event, problem: problemOf(problem) };
      if (event.end === undefined) return request.progress(event);
      this.#requests.delete(id);
      return request.resolve(event);
    }
    this.#requests.delete(id);
    if (message.kind === 'answer') request.resolve(message.answer);
    else if (message.kind === 'problem') request.reject(problemOf(message.problem));
    else request.reject(Object.assign(new Error(message.message), { stack: message.stack }));
  }
}
