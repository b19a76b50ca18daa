/** The functions that a script's context gets from its host. Arguments are JSON and bytes, and so are results. */
export interface Host {
  /** Does something at once. @throws Error whose message begins with the name of its kind and a colon */
  readonly call: (name: string, input: string, bytes?: ArrayBuffer) => string | ArrayBuffer | undefined;
  /** Starts something that the host settles later under this number. */
  readonly start: (id: number, name: string, input: string, bytes?: ArrayBuffer) => void;
}

declare const docsctlHost: Host;

/** Taken once: the entry point removes it from the globals, so that scripts cannot reach it. */
const host = docsctlHost;

/** Asks the host for something that it does at once. */
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

/** Asks the host for a text. It comes as JSON, because texts with NUL do not cross the border whole. */
export function textFromHost(name: string, input: unknown, bytes?: ArrayBuffer): string {
  return JSON.parse(callHost(name, input, bytes) as string) as string;
}

/** Asks the host for bytes. */
export function bytesFromHost(name: string, input: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(callHost(name, input) as ArrayBuffer);
}

interface Pending {
  readonly resolve: (answer: HostAnswer) => void;
  readonly reject: (error: Error) => void;
}

export interface HostAnswer {
  readonly value: unknown;
  readonly bytes: ArrayBuffer | undefined;
}

const pending = new Map<number, Pending>();
let lastId = 0;

/** Asks the host for something that takes time. */
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

/** Settles what `startOnHost` started. `output` is JSON, or the message of the error. */
export function settle(id: number, succeeded: boolean, output: string, bytes?: ArrayBuffer): void {
  const waiting = pending.get(id);
  pending.delete(id);
  if (succeeded) waiting?.resolve({ value: JSON.parse(output), bytes });
  else waiting?.reject(hostError(JSON.parse(output) as string));
}

const kinds: Record<string, new (message: string) => Error> = { TypeError, RangeError, SyntaxError, Error };

/** Makes the kind of DOMException known, whose class is in another file that needs this one. */
export function setDomException(create: (message: string, name: string) => Error): void {
  domException = create;
}
let domException: ((message: string, name: string) => Error) | undefined;

/** The error that a message of the host stands for: `TypeError: Invalid URL`. */
function hostError(text: string): Error {
  const [, kind = 'Error', message = text] = /^(\w+): ([\s\S]*)$/.exec(text) ?? [];
  const Kind = kinds[kind];
  if (Kind !== undefined) return new Kind(message);
  return domException?.(message, kind) ?? new Error(message);
}

/** The bytes of a text in UTF-8. */
export function encode(text: string): Uint8Array<ArrayBuffer> {
  return bytesFromHost('encode', text);
}

/** The text of bytes in UTF-8; what is not UTF-8 becomes U+FFFD. */
export function decode(bytes: Uint8Array): string {
  return textFromHost('decode', { label: 'utf-8' }, exactBuffer(bytes));
}

/** A buffer with exactly the bytes of a view. */
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
