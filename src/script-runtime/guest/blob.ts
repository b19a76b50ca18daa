import { decode, encode, exactBuffer, isBytes } from './host.ts';
import { ReadableStream } from './streams.ts';
import { joinBytes } from './text.ts';

interface BlobOptions {
  readonly type?: string;
}

/** `Blob` of the File API. */
export class Blob {
  readonly type: string;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  constructor(parts: Iterable<unknown> = [], { type = '' }: BlobOptions = {}) {
    this.#bytes = joinBytes(
      [...parts].map((part) => {
        if (part instanceof Blob) return part.#bytes;
        return isBytes(part) ? new Uint8Array(exactBuffer(part)) : encode(String(part));
      }),
    );
    this.type = /^[\x20-\x7e]*$/.test(type) ? type.toLowerCase() : '';
  }
  get size(): number {
    return this.#bytes.length;
  }
  slice(start?: number, end?: number, type = ''): Blob {
    return new Blob([this.#bytes.slice(start, end)], { type });
  }
  async text(): Promise<string> {
    return decode(this.#bytes);
  }
  async bytes(): Promise<Uint8Array> {
    return this.#bytes.slice();
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice().buffer;
  }
  stream(): ReadableStream {
    return ReadableStream.from(this.#bytes.length === 0 ? [] : [this.#bytes.slice()]);
  }
}

/** `File` of the File API. */
export class File extends Blob {
  readonly name: string;
  readonly lastModified: number;
  constructor(
    parts: Iterable<unknown>,
    name: string,
    { lastModified = Date.now(), ...options }: BlobOptions & { lastModified?: number } = {},
  ) {
    super(parts, options);
    this.name = String(name);
    this.lastModified = lastModified;
  }
}

type Value = string | File;

/** `FormData` of the XMLHttpRequest standard. */
export class FormData {
  #list: [string, Value][] = [];
  append(name: string, value: unknown, filename?: string): void {
    this.#list.push([String(name), toValue(value, filename)]);
  }
  delete(name: string): void {
    this.#list = this.#list.filter(([key]) => key !== name);
  }
  get(name: string): Value | null {
    return this.#list.find(([key]) => key === name)?.[1] ?? null;
  }
  getAll(name: string): Value[] {
    return this.#list.filter(([key]) => key === name).map(([, value]) => value);
  }
  has(name: string): boolean {
    return this.#list.some(([key]) => key === name);
  }
  set(name: string, value: unknown, filename?: string): void {
    const at = this.#list.findIndex(([key]) => key === name);
    if (at === -1) return this.append(name, value, filename);
    const pair: [string, Value] = [name, toValue(value, filename)];
    this.#list = this.#list.flatMap((one, index) => (index === at ? [pair] : one[0] === name ? [] : [one]));
  }
  forEach(act: (value: Value, name: string, all: FormData) => void, self?: unknown): void {
    for (const [name, value] of this) act.call(self, value, name, this);
  }
  *entries(): IterableIterator<[string, Value]> {
    for (const [name, value] of this.#list) yield [name, value];
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.#list) yield name;
  }
  *values(): IterableIterator<Value> {
    for (const [, value] of this.#list) yield value;
  }
  [Symbol.iterator](): IterableIterator<[string, Value]> {
    return this.entries();
  }
}

function toValue(value: unknown, filename?: string): Value {
  if (!(value instanceof Blob)) return String(value);
  if (value instanceof File && filename === undefined) return value;
  return new File([value], filename ?? 'blob', { type: value.type });
}

/** Returns a form as multipart/form-data. */
export async function writeForm(
  form: FormData,
  boundary: string,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const quote = (text: string) => text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
  const pieces: Uint8Array[] = [];
  for (const [name, value] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quote(name.replace(/\r\n?|\n/g, '\r\n'))}"`;
    if (typeof value === 'string') pieces.push(encode(`${head}\r\n\r\n${value}\r\n`));
    else {
      const type = value.type || 'application/octet-stream';
      pieces.push(encode(`${head}; filename="${quote(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`));
      pieces.push(await value.bytes(), encode('\r\n'));
    }
  }
  pieces.push(encode(`--${boundary}--\r\n`));
  return { bytes: joinBytes(pieces), type: `multipart/form-data; boundary=${boundary}` };
}
