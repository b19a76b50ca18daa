import { Transform, type Readable, type Writable } from 'node:stream';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  STDIO_DEFAULT_MAX_BUFFER_SIZE as maxMessage,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** A transport on streams that closes when its input has ended and all requests in it are answered or cancelled. */
export class AnsweringTransport extends StdioServerTransport {
  /** Resolves when the transport is closed, for any reason. */
  readonly closed: Promise<void>;
  readonly #open: OpenRequests;
  readonly #settle: () => void;

  constructor(input: Readable, output: Writable) {
    const open = new OpenRequests();
    super(input.pipe(open.stream), output);
    // A broken input does not emit "end".
    input.once('close', () => input.readableEnded || open.stream.destroy());
    this.#open = open;
    let settle = (): void => undefined;
    this.closed = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = settle;
  }

  /** Whether a message was longer than `maxMessage`. This closes the transport. */
  get hasOverflowed(): boolean {
    return this.#open.hasOverflowed;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if ('id' in message && !('method' in message)) this.#open.delete(message.id);
  }

  override async close(): Promise<void> {
    await super.close();
    this.#settle();
  }
}

/** The unanswered requests of an input. Its stream passes the input on, and ends when no requests are left. */
class OpenRequests {
  readonly stream: Transform;
  hasOverflowed = false;
  readonly #ids = new Set<unknown>();
  #rest = '';
  #end: (() => void) | undefined;

  constructor() {
    const decoder = new TextDecoder();
    let waiting = 0;
    this.stream = new Transform({
      transform: (chunk: Buffer, _, done) => {
        if (waiting + chunk.length > maxMessage) this.hasOverflowed = true;
        const end = chunk.lastIndexOf('\n');
        waiting = end < 0 ? waiting + chunk.length : chunk.length - end - 1;
        const lines = `${this.#rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
        this.#rest = lines.pop() ?? '';
        for (const line of lines) this.#read(line);
        done(null, chunk);
      },
      flush: (done) => {
        this.#end = done;
        this.#endIfAnswered();
      },
    });
  }

  delete(id: unknown): void {
    this.#ids.delete(id);
    this.#endIfAnswered();
  }

  #read(line: string): void {
    const message = parse(line);
    if (isJSONRPCRequest(message)) this.#ids.add(message.id);
    // A cancelled request gets no answer.
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.#ids.delete(message.params?.['requestId']);
  }

  #endIfAnswered(): void {
    if (this.#ids.size === 0) this.#end?.();
  }
}

/** Returns the value of a JSON text; undefined for another text. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
