import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { request as sendRequest, type IncomingMessage, type Server } from 'node:http';
import { kill as killProcess } from 'node:process';
import type { Duplex } from 'node:stream';
import type { ScriptResult, ScriptRun } from '../../core/scripts.ts';
import type { ScriptProcess } from '../process-pool.ts';
import type { FetchAnswer, FetchRequest, ToWorkerd } from '../protocol.ts';
import { ScriptWork, type ScriptPermissions } from '../script-work.ts';
import { stopReasons, withdrawn } from '../stop-reasons.ts';
import { writeWorkerdFolder, type WorkerdFolder, type WorkerdGuests } from './config.ts';
import { listenForFetches } from './fetch-server.ts';
import { readUsage } from './process-usage.ts';
import { readLines } from './read-lines.ts';

export interface WorkerdOptions extends ScriptPermissions {
  readonly binary: string;
  readonly guests: WorkerdGuests;
}

/** Maximum number of waiting messages of one process. */
const maxRuns = 64;
/** Milliseconds between two checks of the resource usage of a process. */
const watchInterval = 50;
const maxStderr = 8192;

/**
 * Starts a program, and writes its ID to the file descriptor 5. When the file descriptor 4 is closed, which happens whenever
 * docsctl ends, it kills the program and removes its folder. A line there means that docsctl itself does both.
 */
const launcher =
  '"$@" 4<&- 5>&- & child=$!; echo $child >&5; exec 3>&- 5>&-; { read -r _ <&4 || { kill -9 $child; /bin/rm -rf "$0"; }; } & exec 4<&-; wait $child';

/** A workerd process with one script, for one installation. It works on one message at a time. */
export class WorkerdProcess implements ScriptProcess {
  readonly #options: WorkerdOptions;
  readonly #reasons: ReturnType<typeof stopReasons>;
  readonly #onIdle: () => void;
  #folder: WorkerdFolder | undefined;
  #server: Server | undefined;
  #child: ChildProcess | undefined;
  #pid: number | undefined;
  #stderr = '';
  #ready: Promise<string | undefined> | undefined;
  #last: Promise<void> = Promise.resolve();
  #current: ScriptWork | undefined;
  #open = 0;
  #killedFor: string | undefined;
  #isKilled = false;
  #end: () => void = () => undefined;
  /** Memory and processor time before the first message. */
  #base = { computed: 0, memory: 0 };
  isClosed = false;
  idleSince = Date.now();
  readonly closed: Promise<void>;

  constructor(options: WorkerdOptions, onIdle: () => void) {
    this.#options = options;
    this.#reasons = stopReasons(options.limits);
    this.#onIdle = onIdle;
    this.closed = new Promise((resolve) => (this.#end = resolve));
  }

  get isIdle(): boolean {
    return this.#open === 0;
  }

  /** Passes a message to the script. Returns undefined if the process ended before the turn of the message. */
  async run(request: ScriptRun): Promise<ScriptResult | undefined> {
    if (this.#open >= maxRuns)
      return {
        error: `The integration has ${maxRuns} messages waiting already.`,
        isTransient: true,
        logs: [],
      };
    this.#open++;
    const turn = this.#last.then(() => (this.isClosed || this.#isKilled ? undefined : this.#work(request)));
    this.#last = turn.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await turn;
    } finally {
      this.#open--;
      this.idleSince = Date.now();
      if (this.isIdle) this.#onIdle();
    }
  }

  kill(reason?: string): void {
    this.#killedFor ??= reason;
    this.#isKilled = true;
    if (this.#child === undefined && this.#ready === undefined) return this.#close();
    this.#child?.ref();
    if (this.#pid !== undefined && !this.isClosed)
      try {
        killProcess(this.#pid, 'SIGKILL');
      } catch {
        // The process has just ended.
      }
  }

  async #work(request: ScriptRun): Promise<ScriptResult> {
    const work = new ScriptWork(request, this.#options);
    const { total } = this.#options.limits;
    const deadline = setTimeout(() => this.kill(this.#reasons.total), total);
    const onAbort = () => this.kill(withdrawn);
    if (request.signal?.aborted === true) onAbort();
    request.signal?.addEventListener('abort', onAbort, { once: true, signal: work.signal });
    this.#current = work;
    let error: string | undefined;
    try {
      error = await (this.#ready ??= this.#start(request));
      if (error !== undefined) this.kill(error);
      else error = await this.#converse(work);
    } catch (thrown) {
      error = (thrown as Error).message;
      this.kill(error);
    }
    this.#current = undefined;
    clearTimeout(deadline);
    work.finish(error);
    return work.result;
  }

  /** Starts the process with the script. Returns the reason if it could not be loaded, otherwise undefined. */
  async #start({ form, script }: ScriptRun): Promise<string | undefined> {
    const { binary, guests, limits } = this.#options;
    this.#folder = await writeWorkerdFolder(form, await script(), guests);
    this.#server = await listenForFetches(this.#folder.hostSocket, limits.answer, (one) => this.#fetch(one));
    const child = spawn(
      '/bin/sh',
      ['-c', launcher, this.#folder.path, binary, 'serve', '--control-fd=3', this.#folder.config],
      {
        env: {},
        cwd: this.#folder.path,
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      },
    );
    this.#child = child;
    const [, , stderr, control, lifeline, pid] = child.stdio as unknown as (Duplex & {
      unref(): void;
    })[];
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`workerd could not be started: ${error.message}.`));
      child.once('exit', () => resolve(this.#killedFor ?? this.#describeStart()));
    });
    void ended.then(() => {
      lifeline?.end('\n');
      this.#close();
    });
    for (const one of [stderr, control, lifeline, pid]) one?.on('error', () => undefined);
    stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-maxStderr);
    });
    pid?.once('data', (chunk: Buffer) => {
      this.#pid = Number(chunk.toString());
      if (this.#isKilled) this.kill();
    });
    const listening = new Promise<undefined>((resolve) => {
      control?.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('"listen"')) resolve(undefined);
      });
    });
    const problem = await Promise.race([listening, ended]);
    child.unref();
    for (const one of [stderr, control, lifeline, pid]) one?.unref();
    if (this.#pid !== undefined) this.#base = (await readUsage(this.#pid)) ?? this.#base;
    return problem;
  }

  #describeStart(): string {
    const [, thrown] = /Uncaught (?:\(in promise\) )?(\w*Error: .*)/.exec(this.#stderr) ?? [];
    const text = (thrown ?? this.#stderr.trim().split('\n')[0] ?? '').slice(0, 500);
    return `The script failed: ${text === '' ? 'its process ended.' : text}`;
  }

  #fetch(request: FetchRequest): Promise<FetchAnswer> {
    if (this.#current !== undefined) return this.#current.fetch(request);
    return Promise.reject(new TypeError('A script can send requests only while it handles a message.'));
  }

  /** Sends the message and reads the lines of the response. Returns the reason if the script failed or was stopped. */
  async #converse(work: ScriptWork): Promise<string | undefined> {
    const { limits } = this.#options;
    const { event, environment, body } = work.request.message;
    const hasBody = body !== undefined;
    const head: ToWorkerd = { event, environment, hasBody, maxAnswer: limits.answer };
    const watch = this.#watch();
    let error: string | undefined;
    let isDone = false;
    try {
      const message = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body ?? new Uint8Array()]);
      for await (const line of readLines(
        (await this.#post(message)).setEncoding('utf8'),
        limits.answer * 1.5 + 2 ** 20,
      )) {
        if (line.type === 'log') {
          const { level, message: text } = line;
          work.note({ level, message: text, timestamp: new Date().toISOString() });
        } else if (line.type === 'answer') {
          const { status, headers, body: text } = line;
          work.answer({ status, headers, body: Buffer.from(text, 'base64') });
        } else if (line.type === 'too-large') error = this.#reasons.answer;
        else if (line.type === 'failed') error = `The script failed: ${line.error}`;
        else isDone = true;
      }
    } catch {
      // The connection ended before the response. The reason is determined below.
    } finally {
      clearInterval(watch);
    }
    if (isDone && error !== this.#reasons.answer) return error;
    const reason = this.#killedFor ?? error ?? (this.isClosed ? this.#describeEnd() : this.#reasons.waiting);
    this.kill(reason);
    return reason;
  }

  #describeEnd(): string {
    return /out of memory/i.test(this.#stderr)
      ? this.#reasons.memory
      : 'The script was stopped: its process ended.';
  }

  /** Ends the process if the script uses too much processor time or memory. */
  #watch(): NodeJS.Timeout {
    const { computing, memory } = this.#options.limits;
    let computed: number | undefined;
    let isReading = false;
    const look = async (): Promise<void> => {
      if (this.#pid === undefined || isReading) return;
      isReading = true;
      const usage = await readUsage(this.#pid);
      isReading = false;
      if (usage === undefined) return;
      computed ??= Math.min(usage.computed, this.#base.computed);
      if (usage.computed - computed > computing) this.kill(this.#reasons.computing);
      if (usage.memory - this.#base.memory > memory) this.kill(this.#reasons.memory);
      this.#base = { ...this.#base, computed: usage.computed };
    };
    return setInterval(() => void look(), watchInterval);
  }

  #post(message: Uint8Array): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { host: 'any', 'content-length': message.length };
      const socketPath = this.#folder?.scriptSocket ?? '';
      const request = sendRequest(
        { socketPath, method: 'POST', path: '/v1', agent: false, headers },
        resolve,
      );
      request.once('error', reject);
      request.end(message);
    });
  }

  #close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#server?.close();
    this.#server?.closeAllConnections();
    const path = this.#folder?.path;
    const removed = path === undefined ? Promise.resolve() : rm(path, { recursive: true, force: true });
    void removed.catch(() => undefined).then(() => this.#end());
  }
}
