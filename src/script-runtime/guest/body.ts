import { Blob, File, FormData, writeForm } from './blob.ts';
import { encode, decode, exactBuffer, isBytes, startOnHost } from './host.ts';
import { Headers } from './headers.ts';
import { ReadableStream } from './streams.ts';
import { joinBytes, randomBytes } from './text.ts';
import { URLSearchParams } from './url.ts';

type Content = Uint8Array | Blob | FormData | ReadableStream | null;

/** Returns the bytes or stream of a body, and its content type. */
function readContent(body: unknown): { content: Content; type?: string } {
  if (body === null || body === undefined) return { content: null };
  if (body instanceof ReadableStream || body instanceof FormData) return { content: body };
  if (body instanceof Blob) return { content: body, type: body.type };
  if (isBytes(body)) return { content: new Uint8Array(exactBuffer(body)).slice() };
  if (body instanceof URLSearchParams)
    return {
      content: encode(body.toString()),
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
    };
  return { content: encode(String(body)), type: 'text/plain;charset=UTF-8' };
}

const nullStatuses = new Set([101, 103, 204, 205, 304]);

/** The common base of requests and responses. */
export class Body {
  readonly headers: Headers;
  bodyUsed = false;
  #content: Content;
  #boundary: string | undefined;
  protected constructor(body: unknown, headers: unknown) {
    this.headers = new Headers(headers);
    const { content, type } = readContent(body);
    this.#content = content;
    if (content instanceof FormData) {
      this.#boundary = `----docsctl${[...randomBytes(12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
      this.#defaultType(`multipart/form-data; boundary=${this.#boundary}`);
    } else if (type !== undefined && type !== '') this.#defaultType(type);
  }
  #defaultType(type: string): void {
    if (!this.headers.has('content-type')) this.headers.set('content-type', type);
  }
  get body(): ReadableStream | null {
    if (this.#content === null) return null;
    if (!(this.#content instanceof ReadableStream)) {
      const content = this.#content;
      const read = (): Promise<Uint8Array> => this.#bytesOf(content);
      this.#content = new ReadableStream({
        async start(controller) {
          const bytes = await read();
          if (bytes.length > 0) controller.enqueue(bytes);
          controller.close();
        },
      });
    }
    return this.#content;
  }
  async #bytesOf(content: Content): Promise<Uint8Array<ArrayBuffer>> {
    if (content === null) return new Uint8Array();
    if (content instanceof Uint8Array) return content.slice();
    if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer());
    if (content instanceof FormData) return (await writeForm(content, this.#boundary ?? 'docsctl')).bytes;
    const pieces: Uint8Array[] = [];
    for await (const chunk of content) {
      if (!isBytes(chunk)) throw new TypeError('A body may stream bytes only.');
      pieces.push(new Uint8Array(exactBuffer(chunk)));
    }
    return joinBytes(pieces);
  }
  #take(): Content {
    if (this.bodyUsed || (this.#content instanceof ReadableStream && this.#content.locked))
      throw new TypeError('Body is unusable: Body has already been read');
    if (this.#content !== null) this.bodyUsed = true;
    return this.#content;
  }
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#bytesOf(this.#take());
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return exactBuffer(await this.bytes());
  }
  async text(): Promise<string> {
    return decode(await this.bytes());
  }
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get('content-type') ?? '' });
  }
  async formData(): Promise<FormData> {
    const content = this.#take();
    if (content instanceof FormData) return content;
    const { value } = await startOnHost(
      'form',
      this.headers.get('content-type') ?? '',
      exactBuffer(await this.#bytesOf(content)),
    );
    const form = new FormData();
    for (const { name, text, file } of value as FormField[])
      if (file === undefined) form.append(name, text);
      else form.append(name, new File([bytesOfBinary(file.bytes)], file.name, { type: file.type }));
    return form;
  }
  /** Gives a copy its own body. A stream is read once, and its chunks go to both. */
  protected shareBody(): unknown {
    if (this.bodyUsed) throw new TypeError('The body was read already.');
    const content = this.#content;
    if (!(content instanceof ReadableStream)) return content;
    let all: Promise<Uint8Array> | undefined;
    const once = (): ReadableStream =>
      new ReadableStream({
        start: async (controller) => {
          all ??= this.#bytesOf(content);
          controller.enqueue(await all);
          controller.close();
        },
      });
    this.#content = once();
    return once();
  }
}

interface FormField {
  readonly name: string;
  readonly text?: string;
  /** The bytes as a text with one character for each byte. */
  readonly file?: { readonly name: string; readonly type: string; readonly bytes: string };
}

function bytesOfBinary(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

interface ResponseOptions {
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: unknown;
}

/** `Response` of the Fetch standard. */
export class Response extends Body {
  readonly status: number;
  readonly statusText: string;
  readonly type: string = 'default';
  readonly url: string = '';
  readonly redirected: boolean = false;
  constructor(body?: unknown, { status = 200, statusText = '', headers }: ResponseOptions = {}) {
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    if (body !== null && body !== undefined && nullStatuses.has(status))
      throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    super(body, headers);
    this.status = status;
    this.statusText = String(statusText);
  }
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }
  static error(): Response {
    return named(new Response(null), { status: 0, type: 'error' });
  }
  static json(value: unknown, { headers, ...options }: ResponseOptions = {}): Response {
    const all = new Headers(headers);
    if (!all.has('content-type')) all.set('content-type', 'application/json');
    return new Response(JSON.stringify(value), { ...options, headers: all });
  }
  static redirect(url: string, status = 302): Response {
    if (![301, 302, 303, 307, 308].includes(status)) throw new RangeError(`Invalid status code ${status}`);
    return new Response(null, { status, headers: { location: String(url) } });
  }
  clone(): Response {
    const { status, statusText, headers, url, redirected } = this;
    const body = this.shareBody();
    const copy = new Response(nullStatuses.has(status) ? null : body, {
      status: status || 200,
      statusText,
      headers,
    });
    return named(copy, { url, redirected });
  }
}

/** Sets fields of a response that scripts cannot set. */
export function named(response: Response, fields: Partial<Response>): Response {
  for (const [name, value] of Object.entries(fields))
    Object.defineProperty(response, name, { value, enumerable: true });
  return response;
}
