/** The functions that the host provides to the context of a script. Arguments and results are JSON and bytes. */
export interface Host {
  /** Executes a synchronous call. @throws Error whose message starts with the name of its class and a colon */
  readonly call: (name: string, input: string, bytes?: ArrayBuffer) => string | ArrayBuffer | undefined;
  /** Starts an asynchronous call. The host later settles it by this number. */
  readonly start: (id: number, name: string, input: string, bytes?: ArrayBuffer) => void;
}

declare const docsctlHost: Host;

/** Read at the start: the entry point then removes it from the globals, so that scripts cannot access it. */
const host = docsctlHost;

/** Makes a synchronous call of the host. */
export function callHost(
  name: string,
  input: unknown,
  bytes?: ArrayBuffer,
): string | ArrayBuffer | undefined {
  try {
    return host.call(name, JSON.stringify(input) ?? 'null', bytes);
  } catch (error) {
    throw hostError((error as Error).message);
  }
}

/** Makes a call that returns a text. It is transferred as JSON, because texts with NUL would be cut. */
export function textFromHost(name: string, input: unknown, bytes?: ArrayBuffer): string {
  return JSON.parse(callHost(name, input, bytes) as string) as string;
}

/** Makes a call that returns bytes. */
export function bytesFromHost(name: string, input: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(callHost(name, input) as ArrayBuffer);
}

interface Pending {
  readonly resolve: (answer: HostAnswer) => void;
  readonly reject: (error: Error) => void;
}

interface HostAnswer {
  readonly value: unknown;
  readonly bytes: ArrayBuffer | undefined;
}

const pending = new Map<number, Pending>();
let lastId = 0;

/** Makes an asynchronous call. */
export function startOnHost(name: string, input: unknown, bytes?: ArrayBuffer): Promise<HostAnswer> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    try {
      host.start(id, name, JSON.stringify(input) ?? 'null', bytes);
    } catch (error) {
      pending.delete(id);
      reject(hostError((error as Error).message));
    }
  });
}

/** Settles a call of `startOnHost`. `output` is JSON, or the message of the error. */
export function settle(id: number, succeeded: boolean, output: string, bytes?: ArrayBuffer): void {
  const waiting = pending.get(id);
  pending.delete(id);
  if (succeeded) waiting?.resolve({ value: JSON.parse(output), bytes });
  else waiting?.reject(hostError(JSON.parse(output) as string));
}

const kinds: Record<string, new (message: string) => Error> = { TypeError, RangeError, SyntaxError, Error };

/** Registers the constructor of DOMException, because its file imports this one. */
export function setDomException(create: (message: string, name: string) => Error): void {
  domException = create;
}
let domException: ((message: string, name: string) => Error) | undefined;

/** Converts a message of the host, such as `TypeError: Invalid URL`, to an error. */
function hostError(text: string): Error {
  const [, kind = 'Error', message = text] = /^(\w+): ([\s\S]*)$/.exec(text) ?? [];
  const Kind = kinds[kind];
  if (Kind !== undefined) return new Kind(message);
  return domException?.(message, kind) ?? new Error(message);
}

/** Returns a text as UTF-8 bytes. */
export function encode(text: string): Uint8Array<ArrayBuffer> {
  return bytesFromHost('encode', text);
}

/** Returns UTF-8 bytes as a text. Invalid bytes become U+FFFD. */
export function decode(bytes: Uint8Array): string {
  return textFromHost('decode', { label: 'utf-8' }, exactBuffer(bytes));
}

/** Returns a buffer with exactly the bytes of a view. */
export function exactBuffer(view: ArrayBufferView | ArrayBuffer): ArrayBuffer {
  if (view instanceof ArrayBuffer) return view;
  return view.byteOffset === 0 && view.byteLength === view.buffer.byteLength
    ? (view.buffer as ArrayBuffer)
    : (view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) as ArrayBuffer);
}

/** Whether a value is a buffer or a view of one. */
export function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}
