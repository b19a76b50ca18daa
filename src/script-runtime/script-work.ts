import type { ScriptAnswer, ScriptLimits, ScriptLog, ScriptResult, ScriptRun } from '../core/scripts.ts';
import type { FetchAnswer, FetchRequest } from './protocol.ts';

/** What a driver lets scripts do. */
export interface ScriptPermissions {
  readonly limits: ScriptLimits;
  /** Sends a request of a script. */
  readonly fetch: (request: FetchRequest, signal: AbortSignal) => Promise<FetchAnswer>;
}

/** Lines and characters of a trace. */
const maxLogs = { lines: 200, characters: 64 * 1024 };

/** A message that a script works on: its trace, its requests and its answer, within the limits. */
export class ScriptWork {
  readonly request: ScriptRun;
  readonly #permissions: ScriptPermissions;
  readonly #logs: ScriptLog[] = [];
  readonly #stop = new AbortController();
  readonly #resolve: (result: ScriptResult) => void;
  /** Settled by `finish`. */
  readonly result: Promise<ScriptResult>;
  #characters = 0;
  #requests = 0;
  #answer: ScriptAnswer | undefined;

  constructor(request: ScriptRun, permissions: ScriptPermissions) {
    this.request = request;
    this.#permissions = permissions;
    let settle: (result: ScriptResult) => void = () => undefined;
    this.result = new Promise((resolve) => (settle = resolve));
    this.#resolve = settle;
  }

  /** Aborted when the message is finished. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Takes the answer of the script, which may go on working. */
  answer(answer: ScriptAnswer): void {
    this.#answer = answer;
    this.request.onAnswer?.(answer);
  }

  /** Adds a line to the trace, unless it is full. */
  note(log: ScriptLog): void {
    if (this.#logs.length > maxLogs.lines || this.#characters > maxLogs.characters) return;
    this.#characters += log.message.length;
    const isLast = this.#logs.length === maxLogs.lines || this.#characters > maxLogs.characters;
    this.#logs.push(isLast ? { ...log, level: 'warn', message: 'The script wrote more than is kept.' } : log);
  }

  /**
   * Sends a request of the script. A failure becomes a line of the trace.
   *
   * @throws Error with the message that the script sees
   */
  async fetch(request: FetchRequest): Promise<FetchAnswer> {
    try {
      const { requests } = this.#permissions.limits;
      if (++this.#requests > requests) throw new Error(`A message may cause at most ${requests} requests.`);
      return await this.#permissions.fetch(request, this.signal);
    } catch (error) {
      const { message } = error as Error;
      const text = `${request.method} ${request.url.slice(0, 500)}: ${message}`;
      if (!this.signal.aborted)
        this.note({ level: 'warn', message: text, timestamp: new Date().toISOString() });
      throw new Error(`fetch failed: ${message}`, { cause: error });
    }
  }

  /** Ends the message. Requests that are under way are aborted. */
  finish(error: string | undefined, isTransient = false): void {
    this.#stop.abort();
    this.#resolve({
      logs: this.#logs,
      ...(this.#answer === undefined ? {} : { answer: this.#answer }),
      ...(error === undefined ? {} : { error: error + this.#whyNoScript(error) }),
      ...(isTransient ? { isTransient } : {}),
    });
  }
  /** What to do about an error of a module that is run as a script. Each engine words the error in its own way. */
  #whyNoScript(error: string): string {
    return this.request.form === 'v1' && /SyntaxError: .*\b(?:export|import)\b/.test(error)
      ? '. A module needs "runtime: v2" in the manifest of the integration.'
      : '';
  }
}
