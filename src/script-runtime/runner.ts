import { spawn, type ChildProcess } from 'node:child_process';
import { execPath } from 'node:process';
import type { Duplex } from 'node:stream';
import type { ScriptResult, ScriptRun } from '../core/scripts.ts';
import { exchange, type FetchRequest, type FromRunner, type ToRunner } from './protocol.ts';
import type { ScriptProcess } from './process-pool.ts';
import { ScriptWork, type ScriptPermissions } from './script-work.ts';
import { withdrawn } from './stop-reasons.ts';

export interface RunnerOptions extends ScriptPermissions {
  /** Arguments of Node.js: the program and the file of QuickJS. */
  readonly program: readonly string[];
  readonly guest: string;
}

/** Maximum number of messages of one process, including waiting ones. */
const maxRuns = 64;
/** Milliseconds after the time limit within which a process must report the end of a message. Otherwise it is killed. */
const grace = 3000;
/** Memory of Node.js in a process in MiB, in addition to the memory of the contexts. */
const heapMegabytes = 256;

interface Work {
  readonly work: ScriptWork;
  deadline?: NodeJS.Timeout;
}

export class Runner implements ScriptProcess {
  readonly #child: ChildProcess;
  readonly #send: (message: ToRunner) => void;
  readonly #options: RunnerOptions;
  readonly #work = new Map<number, Work>();
  #lastRun = 0;
  #killedFor: string | undefined;
  isClosed = false;
  /** The time when it became idle, in milliseconds. */
  idleSince = Date.now();
  readonly closed: Promise<void>;

  constructor(options: RunnerOptions, onIdle: () => void) {
    this.#options = options;
    this.#onIdle = onIdle;
    this.#child = spawn(execPath, [`--max-old-space-size=${heapMegabytes}`, ...options.program], {
      env: {},
      cwd: '/',
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      windowsHide: true,
    });
    const pipe = this.#child.stdio[3] as Duplex & { ref(): void; unref(): void };
    pipe.on('error', () => {});
    this.#send = exchange<ToRunner, FromRunner>(pipe, (message) => {
      try {
        this.#receive(message);
      } catch {
        // A malicious script may send anything. It must not end this program.
        this.kill('The script was stopped: it sent something that cannot be read.');
      }
    });
    this.#keepAlive = (isNeeded) => {
      for (const one of [this.#child, pipe])
        if (isNeeded) one.ref();
        else one.unref();
    };
    this.closed = new Promise((resolve) => {
      this.#child.once('error', (error) =>
        this.#end(`The process of the script could not be started: ${error.message}.`, resolve),
      );
      this.#child.once('close', (_, signal) =>
        this.#end(
          this.#killedFor ??
            `The script was stopped: its process ended${signal === null ? ', perhaps because it needed too much memory' : ` (${signal})`}.`,
          resolve,
        ),
      );
    });
    const { guest, limits } = options;
    this.#send({ type: 'setup', guest, limits });
    this.#keepAlive(false);
  }
  readonly #onIdle: () => void;
  readonly #keepAlive: (isNeeded: boolean) => void;

  get isIdle(): boolean {
    return this.#work.size === 0;
  }

  /** Passes a message to the process and waits until it is done. */
  run(request: ScriptRun): Promise<ScriptResult> {
    if (this.#work.size >= maxRuns)
      return Promise.resolve({
        error: `The integration has ${maxRuns} messages waiting already.`,
        isTransient: true,
        logs: [],
      });
    const run = ++this.#lastRun;
    const work = new ScriptWork(request, this.#options);
    this.#work.set(run, { work });
    this.#keepAlive(true);
    const onAbort = () => this.#send({ type: 'abort', run });
    request.signal?.addEventListener('abort', onAbort, { once: true, signal: work.signal });
    this.#post(run, request, undefined);
    return work.result;
  }

  kill(reason?: string): void {
    this.#killedFor ??= reason;
    // This program must not exit while somebody waits for the end of the process.
    if (!this.isClosed) this.#keepAlive(true);
    this.#child.kill('SIGKILL');
  }

  #post(run: number, request: ScriptRun, script: string | undefined): void {
    const { installation, version, form, message } = request;
    const context = installation ?? '';
    this.#send({ type: 'run', run, context, version, form, script, message });
  }

  #receive(message: FromRunner): void {
    const one = this.#work.get(message.run);
    if (one === undefined) return;
    const { work } = one;
    const { run } = message;
    switch (message.type) {
      case 'missing':
        void work.request.script().then(
          (script) =>
            work.request.signal?.aborted === true
              ? this.#finish(run, withdrawn)
              : this.#post(run, work.request, script),
          (error: unknown) => this.#finish(run, (error as Error).message),
        );
        return;
      case 'started':
        one.deadline = setTimeout(
          () => this.kill('The script was stopped: it blocked its process.'),
          this.#options.limits.total + grace,
        ).unref();
        return;
      case 'log':
        work.note(message.log);
        return;
      case 'fetch':
        void this.#fetch(work, message.call, message.request);
        return;
      case 'answer':
        work.answer(message.answer);
        return;
      case 'done':
        this.#finish(run, message.error);
    }
  }

  async #fetch(work: ScriptWork, call: number, request: FetchRequest): Promise<void> {
    try {
      this.#send({ type: 'fetched', call, answer: await work.fetch(request) });
    } catch (error) {
      if (!work.signal.aborted) this.#send({ type: 'fetch-failed', call, error: (error as Error).message });
    }
  }

  #finish(run: number, error: string | undefined): void {
    const one = this.#work.get(run);
    if (one === undefined) return;
    this.#work.delete(run);
    clearTimeout(one.deadline);
    one.work.finish(error);
    if (this.#work.size > 0) return;
    this.idleSince = Date.now();
    this.#keepAlive(false);
    this.#onIdle();
  }

  #end(reason: string, resolve: () => void): void {
    this.isClosed = true;
    for (const run of this.#work.keys()) this.#finish(run, reason);
    resolve();
  }
}
