import type { ScriptAnswer, ScriptLimits, ScriptLog, ScriptResult, ScriptRun } from '../core/scripts.ts';
import type { FetchAnswer, FetchRequest } from './protocol.ts';

export interface ScriptPermissions {
  readonly limits: ScriptLimits;
  readonly fetch: (request: FetchRequest, signal: AbortSignal) => Promise<FetchAnswer>;
}

/** Maximum numbers of lines and characters of a trace. */
const maxLogs = { lines: 200, characters: 64 * 1024 };
/** Maximum number of concurrent requests. Others wait. */
const maxOpen = 6;

const levels: readonly string[] = ['debug', 'info', 'warn', 'error'] satisfies ScriptLog['level'][];

/** The state of a message that a script works on: its trace, its requests and its answer, within the limits. */
export class ScriptWork {
  readonly request: ScriptRun;
  readonly #permissions: ScriptPermissions;
  readonly #logs: ScriptLog[] = [];
  readonly #stop = new AbortController();
  readonly #resolve: (result: ScriptResult) => void;
  /** Resolves with `finish`. */
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

  /** Receives the answer of the script, which may continue to work. Its values may have any type. */
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

  /** Sends a request of the script. A failure becomes a line of the trace. @throws Error with the message for the script */
  async fetch(request: FetchRequest): Promise<FetchAnswer> {
    try {
      const { requests } = this.#permissions.limits;
      if (++this.#requests > requests)
        throw new Error(`A script can send at most ${requests} requests for each message.`);
      return await this.#inTurn(() => this.#permissions.fetch(request, this.signal));
    } catch (error) {
      const { message, hint = '' } = error as Error & { hint?: string };
      const text = `${request.method} ${textOf(request.url).slice(0, 500)}: ${message} ${hint}`.trimEnd();
      if (!this.signal.aborted)
        this.note({ level: 'warn', message: text, timestamp: new Date().toISOString() });
      throw new Error(`fetch failed: ${message}`, { cause: error });
    }
  }

  /** Sends a request once fewer than `maxOpen` are running, because their responses need memory of this program. */
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

  /** Ends the message. Running requests are aborted. */
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
  /** Explains the error of a module that is run as a script. Each engine has a different message for it. */
  #whyNoScript(error: string): string {
    return this.request.form === 'v1' && /SyntaxError: .*\b(?:export|import)\b/.test(error)
      ? '. A module needs "runtime: v2" in the manifest of the integration.'
      : '';
  }
}

/** Converts a value of a script to text. `String` would fail for an object with an invalid `toString`. */
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

/** Whether a value is a list of names and values that are valid HTTP headers. */
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
