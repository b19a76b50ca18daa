interface Controller {
  readonly desiredSize: number;
  enqueue(chunk: unknown): void;
  close(): void;
  error(reason: unknown): void;
}

/** The source of the chunks of a stream. */
export interface Source {
  start?(controller: Controller): unknown;
  pull?(controller: Controller): unknown;
  cancel?(reason: unknown): unknown;
}

interface Read {
  readonly done: boolean;
  readonly value: unknown;
}

/** `ReadableStream` of the Streams standard, without pipes and without "bring your own buffer" readers. */
export class ReadableStream {
  readonly #source: Source;
  readonly #chunks: unknown[] = [];
  #state: 'open' | 'closed' | { readonly reason: unknown } = 'open';
  #started: Promise<unknown>;
  #wake: (() => void)[] = [];
  locked = false;
  readonly #controller: Controller = {
    desiredSize: 1,
    enqueue: (chunk) => {
      if (this.#state !== 'open') throw new TypeError('The stream is closed.');
      this.#chunks.push(chunk);
      this.#notify();
    },
    close: () => {
      if (this.#state === 'open') this.#state = 'closed';
      this.#notify();
    },
    error: (reason) => {
      this.#state = { reason };
      this.#notify();
    },
  };
  constructor(source: Source = {}) {
    this.#source = source;
    try {
      this.#started = Promise.resolve(source.start?.(this.#controller));
    } catch (error) {
      this.#started = Promise.resolve();
      this.#controller.error(error);
    }
    this.#started = this.#started.catch((error: unknown) => this.#controller.error(error));
  }
  static from(items: Iterable<unknown> | AsyncIterable<unknown>): ReadableStream {
    const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
    });
  }
  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
  async #read(): Promise<Read> {
    await this.#started;
    for (;;) {
      if (this.#chunks.length > 0) return { done: false, value: this.#chunks.shift() };
      if (this.#state === 'closed') return { done: true, value: undefined };
      if (this.#state !== 'open') throw this.#state.reason;
      if (this.#source.pull === undefined) await new Promise<void>((resolve) => this.#wake.push(resolve));
      else {
        const before = this.#chunks.length;
        try {
          await this.#source.pull(this.#controller);
        } catch (error) {
          this.#controller.error(error);
        }
        if (this.#isOpen() && this.#chunks.length === before)
          await new Promise<void>((resolve) => this.#wake.push(resolve));
      }
    }
  }
  #isOpen(): boolean {
    return this.#state === 'open';
  }
  getReader() {
    if (this.locked) throw new TypeError('The stream is locked to a reader.');
    this.locked = true;
    return {
      read: (): Promise<Read> => this.#read(),
      cancel: (reason?: unknown): Promise<void> => this.#end(reason),
      releaseLock: (): void => {
        this.locked = false;
      },
      closed: Promise.resolve(),
    };
  }
  async #end(reason: unknown): Promise<void> {
    this.#chunks.length = 0;
    this.#controller.close();
    await this.#source.cancel?.(reason);
  }
  cancel(reason?: unknown): Promise<void> {
    if (this.locked) return Promise.reject(new TypeError('The stream is locked to a reader.'));
    return this.#end(reason);
  }
  async *[Symbol.asyncIterator](): AsyncGenerator {
    const reader = this.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }
}
