import type { ScriptAnswer, ScriptLimits, ScriptLog, ScriptResult, ScriptRun } from '../core/scripts.ts';
import type { FetchAnswer, FetchRequest } from './protocol.ts';

export interface ScriptPermissions {
  readonly limits: ScriptLimits;
  readonly fetch: (request: FetchRequest, signal: AbortSignal) => Promise<FetchAnswer>;
}

/** Lines and characters of a trace. */
const maxLogs = { lines: 200, characters: 64 * 1024 };
/** Requests that are under way at the same time. Others wait. */
const maxOpen = 6;

const levels: readonly string[] = ['debug', 'info', 'warn', 'error'] satisfies ScriptLog['level'][];

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
  #open = 0;
  readonly #waiting: (() => void)[] = [];
  #fault: string | undefined;
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

  /** Takes the answer of the script, which may go on working. A script can make anything of its own classes. */
  answer({ status, headers, body }: ScriptAnswer): void {
    if (!isStatus(status) || !isHeaders(headers)) {
      this.#fault ??= 'The script failed: the status or the headers of its answer are not valid.';
      return;
    }
    const named = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
    this.#answer = { status, headers: named, body };
    this.request.onAnswer?.(this.#answer);
  }

  /** Adds a line to the trace, unless it is full. */
  note({ message: given, timestamp, level: said }: ScriptLog): void {
    if (this.#logs.length > maxLogs.lines || this.#characters > maxLogs.characters) return;
    const message = textOf(given);
    this.#characters += message.length;
    const isLast = this.#logs.length === maxLogs.lines || this.#characters > maxLogs.characters;
    if (isLast)
      this.#logs.push({
        timestamp,
        level: 'warn',
        message: 'The script wrote more lines. They are not kept.',
      });
    else this.#logs.push({ timestamp, level: levels.includes(said) ? said : 'info', message });
  }

  /**
   * Sends a request of the script. A failure becomes a line of the trace.
   *
   * @throws Error with the message that the script sees
   */
  async fetch(request: FetchRequest): Promise<FetchAnswer> {
    try {
      const { requests } = this.#permissions.limits;
      if (++this.#requests > requests)
        throw new Error(`A script can send at most ${requests} requests for each message.`);
      return await this.#inTurn(() => this.#permissions.fetch(request, this.signal));
    } catch (error) {
      const { message, hint = '' } = error as Error & { readonly hint?: string };
      const text = `${request.method} ${textOf(request.url).slice(0, 500)}: ${message} ${hint}`.trimEnd();
      if (!this.signal.aborted)
        this.note({ level: 'warn', message: text, timestamp: new Date().toISOString() });
      throw new Error(`fetch failed: ${message}`, { cause: error });
    }
  }

  /** Sends a request once fewer than `maxOpen` are under way: their answers are in the memory of this program. */
  async #inTurn(send: () => Promise<FetchAnswer>): Promise<FetchAnswer> {
    if (this.#open < maxOpen) this.#open++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      this.signal.throwIfAborted();
      return await send();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#open--;
      else next();
    }
  }

  /** Ends the message. Requests that are under way are aborted. */
  finish(stated: string | undefined): void {
    const error = stated ?? this.#fault;
    this.#stop.abort();
    for (const go of this.#waiting.splice(0)) go();
    this.#resolve({
      logs: this.#logs,
      ...(this.#answer === undefined ? {} : { answer: this.#answer }),
      ...(error === undefined ? {} : { error: error + this.#whyNoScript(error) }),
    });
  }
  /** What to do about an error of a module that is run as a script. Each engine words the error in its own way. */
  #whyNoScript(error: string): string {
    return this.request.form === 'v1' && /SyntaxError: .*\b(?:export|import)\b/.test(error)
      ? '. A module needs "runtime: v2" in the manifest of the integration.'
      : '';
  }
}

/** A value from a script as a text, whatever it is: `String` fails for an object with a `toString` of its own. */
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return '[not readable]';
  }
}

function isStatus(status: unknown): boolean {
  return Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
}

/** Whether a value is a list of names and values that HTTP allows. */
function isHeaders(headers: unknown): boolean {
  const isPair = (pair: unknown): boolean => {
    const [name, value] = Array.isArray(pair) ? (pair as unknown[]) : [];
    return (
      typeof name === 'string' &&
      typeof value === 'string' &&
      /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
      /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    );
  };
  return Array.isArray(headers) && headers.every(isPair);
}
