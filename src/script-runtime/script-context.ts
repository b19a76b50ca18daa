import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { cpuUsage } from 'node:process';
import { ownValue } from '../contract/values.ts';
import type { ScriptAnswer, ScriptLimits, ScriptLog, ScriptMessage } from '../core/scripts.ts';
import { describeError, hostCalls, readForm } from './host-calls.ts';
import { createCrypto } from './host-crypto.ts';
import { stopReasons } from './stop-reasons.ts';
import type { FetchAnswer, FetchRequest } from './protocol.ts';

/** The options of a context, except its script. */
interface ContextOptions {
  /** QuickJS, with the memory of this context. */
  readonly variant: QuickJSSyncVariant;
  /** The first program of every context; see guest/index.ts. */
  readonly guest: string;
  readonly limits: ScriptLimits;
}

/** The host side of a message that a context works on. */
export interface Conversation {
  readonly fetch: (request: FetchRequest) => Promise<FetchAnswer>;
  readonly log: (level: ScriptLog['level'], message: string) => void;
  readonly answer: (answer: ScriptAnswer) => void;
  readonly done: (error?: string) => void;
}

/** Maximum number of open timers and host calls of the script. */
const maxPending = 1000;
const maxStack = 256 * 1024;

/** Returns the milliseconds of processor time of this process. Unlike clock time, it does not grow while other programs run. */
function computedTime(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

/** A QuickJS context with one script, in its own WebAssembly instance. It works on one message at a time. */
export class ScriptContext {
  /** Whether it must not be used again. */
  isSpent = false;
  readonly #limits: ScriptLimits;
  readonly #reasons: ReturnType<typeof stopReasons>;
  readonly #runtime: QuickJSRuntime;
  readonly #vm: QuickJSContext;
  readonly #guest: QuickJSHandle;
  readonly #crypto = createCrypto();
  readonly #timers = new Map<number, NodeJS.Timeout>();
  #current: Conversation | undefined;
  /** The number of the current message, so that late results of earlier messages are ignored. */
  #turn = 0;
  #hasMessage = false;
  #deadline: NodeJS.Timeout | undefined;
  #pending = 0;
  /** Number of bytes that were passed to the host for unfinished calls. They do not count as memory of the script. */
  #handedOver = 0;
  #computed = 0;
  #sliceEnd = 0;
  #isInside = false;
  #waiting: (() => void)[] = [];
  #isInterrupted = false;

  private constructor(runtime: QuickJSRuntime, options: ContextOptions) {
    this.#limits = options.limits;
    this.#reasons = stopReasons(options.limits);
    this.#runtime = runtime;
    runtime.setMaxStackSize(maxStack);
    runtime.setInterruptHandler(() => {
      if (computedTime() < this.#sliceEnd) return false;
      this.#isInterrupted = true;
      return true;
    });
    this.#vm = runtime.newContext();
    this.#sliceEnd = Infinity;
    const host = this.#vm.newObject();
    const call = this.#vm.newFunction('call', (...args) => this.#onCall(args));
    const start = this.#vm.newFunction('start', (...args) => this.#onStart(args));
    this.#vm.setProp(host, 'call', call);
    this.#vm.setProp(host, 'start', start);
    this.#vm.setProp(this.#vm.global, 'docsctlHost', host);
    for (const handle of [call, start, host]) handle.dispose();
    this.#vm.unwrapResult(this.#vm.evalCode(options.guest, 'docsctl')).dispose();
    this.#guest = this.#vm.getProp(this.#vm.global, 'docsctlGuest');
    const clean = 'delete globalThis.docsctlHost; delete globalThis.docsctlGuest;';
    this.#vm.unwrapResult(this.#vm.evalCode(clean)).dispose();
  }

  static async create(options: ContextOptions): Promise<ScriptContext> {
    const module = await newQuickJSWASMModuleFromVariant(options.variant);
    return new ScriptContext(module.newRuntime(), options);
  }

  /** Runs the script once, so that it can handle messages. Log lines of this run belong to the first message. */
  load(script: string, form: 'v1' | 'v2', conversation: Conversation): boolean {
    this.#begin(conversation);
    this.#enter(() => {
      const result = this.#vm.evalCode(script, 'script.js', { type: form === 'v2' ? 'module' : 'global' });
      const value = this.#vm.unwrapResult(result);
      if (form === 'v1') return value.dispose();
      this.#runtime.executePendingJobs();
      const state = this.#vm.getPromiseState(value);
      if (state.type === 'pending')
        throw new Error(
          'The module has an await at its top level that does not end while the module is loaded.',
        );
      this.#callGuest('useModule', [this.#vm.unwrapResult(state)]);
      if (value.alive) value.dispose();
    });
    return this.#current !== undefined;
  }

  /** Passes a message to the script. `done` of the conversation is called at its end. */
  send({ event, environment, body }: ScriptMessage, conversation: Conversation): void {
    if (this.#current === undefined) this.#begin(conversation);
    this.#hasMessage = true;
    const text = JSON.stringify({ event, environment, hasBody: body !== undefined });
    this.#enter(() =>
      this.#callGuest('dispatch', [this.#vm.newString(text), this.#newBytes(body ?? new Uint8Array())]),
    );
  }

  /** Ends the message and the context. */
  stop(reason: string): void {
    this.isSpent = true;
    this.#end(reason);
  }

  #begin(conversation: Conversation): void {
    this.#current = conversation;
    this.#turn++;
    this.#computed = 0;
    this.#deadline = setTimeout(() => this.stop(this.#reasons.total), this.#limits.total);
  }

  #end(error?: string): void {
    const conversation = this.#current;
    if (conversation === undefined) return;
    this.#current = undefined;
    this.#hasMessage = false;
    this.#pending = 0;
    clearTimeout(this.#deadline);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    conversation.done(error);
  }

  /** Runs code inside of QuickJS, and then all pending jobs. */
  #enter(work: () => void): void {
    // The script is calling a host function. It continues when that function returns.
    if (this.#isInside) return void this.#waiting.push(work);
    if (this.#current === undefined || this.isSpent) return;
    this.#isInside = true;
    const began = computedTime();
    this.#sliceEnd = began + this.#limits.computing - this.#computed;
    try {
      work();
      this.#drain();
    } catch (error) {
      this.stop(this.#describeStop(error as Error));
    } finally {
      this.#computed += computedTime() - began;
      this.#isInside = false;
    }
    const next = this.#waiting.shift();
    if (next !== undefined) this.#enter(next);
    else if (this.#hasMessage && this.#pending === 0 && this.#timers.size === 0)
      this.stop(this.#reasons.waiting);
  }

  #drain(): void {
    const result = this.#runtime.executePendingJobs();
    if (result.error !== undefined) {
      const { name, message } = this.#vm.dump(result.error) as { name?: string; message?: string };
      result.error.dispose();
      throw Object.assign(new Error(message ?? 'unknown error'), { name: name ?? 'Error' });
    }
    if (this.#isInterrupted) throw new Error('interrupted');
  }

  #describeStop({ name, message }: Error): string {
    if (this.#isInterrupted) return this.#reasons.computing;
    if (/out of memory|memory access out of bounds/i.test(message) || name === 'RuntimeError')
      return this.#reasons.memory;
    return `The script failed: ${name}: ${message}`;
  }

  #callGuest(name: string, args: QuickJSHandle[]): void {
    const fn = this.#vm.getProp(this.#guest, name);
    const result = this.#vm.callFunction(fn, this.#vm.undefined, ...args);
    for (const handle of [fn, ...args]) if (handle.alive) handle.dispose();
    this.#vm.unwrapResult(result).dispose();
  }

  #newBytes(bytes: Uint8Array): QuickJSHandle {
    const { buffer, byteOffset, byteLength } = bytes;
    return this.#vm.newArrayBuffer(buffer.slice(byteOffset, byteOffset + byteLength));
  }

  /** `size` is the approximate number of bytes. @throws Error for more than `maxSize` */
  #readArguments(
    [input, bytes]: QuickJSHandle[],
    maxSize = Infinity,
  ): { value: unknown; bytes: ArrayBuffer | undefined; size: number } {
    const text = input === undefined ? 'null' : this.#vm.getString(input);
    const hasBytes = bytes !== undefined && this.#vm.typeof(bytes) === 'object';
    const copied = hasBytes
      ? this.#vm
          .getArrayBuffer(bytes)
          .consume(({ value }) => (value.length > maxSize ? undefined : value.slice().buffer))
      : undefined;
    const size = text.length + (copied?.byteLength ?? 0);
    if ((hasBytes && copied === undefined) || size > maxSize)
      throw new Error(`RangeError: ${this.#reasons.handedOver}`);
    return { value: JSON.parse(text) as unknown, bytes: copied, size };
  }

  #onCall([nameHandle, ...rest]: QuickJSHandle[]): QuickJSHandle {
    if (nameHandle === undefined) throw new Error('TypeError: a name is missing');
    const name = this.#vm.getString(nameHandle);
    const { value, bytes } = this.#readArguments(rest);
    const own = this.#ownCalls[name];
    if (own !== undefined) {
      own(value, bytes);
      return this.#vm.undefined;
    }
    const hostCall = ownValue(hostCalls, name);
    if (hostCall === undefined) throw new Error(`TypeError: there is no ${name}`);
    let result: string | ArrayBuffer | undefined;
    try {
      result = hostCall(value as never, bytes);
    } catch (error) {
      throw new Error(describeError(error), { cause: error });
    }
    if (result === undefined) return this.#vm.undefined;
    return typeof result === 'string'
      ? this.#vm.newString(JSON.stringify(result))
      : this.#vm.newArrayBuffer(result);
  }

  /** The host calls that the context itself handles. */
  readonly #ownCalls: Readonly<Record<string, (value: unknown, bytes: ArrayBuffer | undefined) => void>> = {
    log: (value) => {
      const [level, message] = value as [ScriptLog['level'], string];
      this.#current?.log(level, message);
    },
    timer: (value) => {
      const [id, milliseconds] = value as [number, number];
      if (this.#timers.size >= maxPending)
        throw new Error(`RangeError: A script may have at most ${maxPending} timers.`);
      // No timers are kept after the message.
      if (this.#current === undefined) return;
      this.#timers.set(
        id,
        setTimeout(() => {
          this.#timers.delete(id);
          this.#enter(() => this.#callGuest('fire', [this.#vm.newNumber(id)]));
        }, milliseconds),
      );
    },
    'timer-clear': (id) => {
      clearTimeout(this.#timers.get(id as number));
      this.#timers.delete(id as number);
    },
    answer: (value, bytes) => {
      const { status, headers } = value as Pick<ScriptAnswer, 'status' | 'headers'>;
      const body = new Uint8Array(bytes ?? new ArrayBuffer(0));
      const { answer: limit } = this.#limits;
      if (body.length <= limit) this.#current?.answer({ status, headers, body });
      else this.#fail(this.#reasons.answer);
    },
    failed: (value) => {
      const text = String(value);
      const isStop = this.#isInterrupted || text.includes('out of memory');
      this.#fail(isStop ? this.#describeStop(new Error(text)) : `The script failed: ${text}`);
    },
    done: () => {
      const failure = this.#failure;
      this.#failure = undefined;
      this.#end(failure);
    },
  };
  #failure: string | undefined;
  #fail(message: string): void {
    this.#failure ??= message;
    // A script that ran out of memory or leaks it gets a new context.
    if (message.includes('stopped')) this.isSpent = true;
  }

  #onStart([idHandle, nameHandle, ...rest]: QuickJSHandle[]): QuickJSHandle {
    if (idHandle === undefined || nameHandle === undefined) throw new Error('TypeError: a name is missing');
    const id = this.#vm.getNumber(idHandle);
    const name = this.#vm.getString(nameHandle);
    if (this.#pending >= maxPending)
      throw new Error(`RangeError: A script can wait for at most ${maxPending} operations at the same time.`);
    const { value, bytes, size } = this.#readArguments(rest, this.#limits.memory / 2 - this.#handedOver);
    const turn = this.#turn;
    this.#pending++;
    this.#handedOver += size;
    const work = this.#perform(name, value, bytes).finally(() => (this.#handedOver -= size));
    void work.then(
      ({ value: output, bytes: found }) =>
        this.#settle(turn, id, true, JSON.stringify(output ?? null), found),
      (error: unknown) => this.#settle(turn, id, false, JSON.stringify(describeError(error))),
    );
    return this.#vm.undefined;
  }

  async #perform(
    name: string,
    value: unknown,
    bytes: ArrayBuffer | undefined,
  ): Promise<{ value: unknown; bytes?: ArrayBuffer | Uint8Array }> {
    const turn = this.#turn;
    const isWanted = () => turn === this.#turn && this.#current !== undefined;
    if (name === 'subtle') return this.#crypto(value as unknown[], isWanted);
    if (name === 'form')
      return { value: await readForm(String(value), new Uint8Array(bytes ?? new ArrayBuffer(0))) };
    if (name !== 'fetch') throw new TypeError(`there is no ${name}`);
    const conversation = this.#current;
    if (conversation === undefined)
      throw new TypeError('A script can send requests only while it handles a message.');
    const request = value as FetchRequest;
    if (bytes !== undefined && bytes.byteLength > this.#limits.answer)
      throw new RangeError(this.#reasons.body);
    const body = bytes === undefined ? undefined : new Uint8Array(bytes);
    const { body: answered, ...head } = await conversation.fetch({ ...request, body });
    return { value: head, bytes: answered };
  }

  #settle(
    turn: number,
    id: number,
    succeeded: boolean,
    output: string,
    bytes?: ArrayBuffer | Uint8Array,
  ): void {
    if (turn !== this.#turn || this.#current === undefined) return;
    this.#pending--;
    this.#enter(() => {
      const last = bytes === undefined ? [] : [this.#newBytes(new Uint8Array(bytes as ArrayBuffer))];
      const flag = succeeded ? this.#vm.true : this.#vm.false;
      this.#callGuest('settle', [this.#vm.newNumber(id), flag, this.#vm.newString(output), ...last]);
    });
  }
}
