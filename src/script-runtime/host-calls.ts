import { randomFillSync, randomUUID } from 'node:crypto';
import { TextDecoder } from 'node:util';

type HostCall = (input: never, bytes: ArrayBuffer | undefined) => string | ArrayBuffer | undefined;

const decoders = new Map<string, TextDecoder>();

/** The synchronous calls of the host for scripts. They access nothing except their arguments. */
export const hostCalls: Readonly<Record<string, HostCall>> = {
  encode: (text: string) => toBuffer(new TextEncoder().encode(text)),
  decode(options: { label: string; fatal?: boolean; ignoreBOM?: boolean }, bytes) {
    const { label, fatal = false, ignoreBOM = false } = options;
    const key = `${label} ${fatal} ${ignoreBOM}`;
    const decoder = decoders.get(key) ?? new TextDecoder(label, { fatal, ignoreBOM });
    if (decoders.size < 100) decoders.set(key, decoder);
    return decoder.decode(bytes ?? new ArrayBuffer(0));
  },
  label: (label: string) => new TextDecoder(label).encoding,
  atob: (text: string) => atob(text),
  btoa: (text: string) => btoa(text),
  'to-base64': (_: null, bytes) => Buffer.from(bytes ?? new ArrayBuffer(0)).toString('base64'),
  'percent-decode': (text: string) => new URLSearchParams(`a=${text.replaceAll('&', '%26')}`).get('a') ?? '',
  random: (count: number) => toBuffer(randomFillSync(new Uint8Array(Math.min(65_536, count)))),
  uuid: () => randomUUID(),
  url: ([url, base]: [string, string?]) => describeUrl(new URL(url, base)),
  'url-set'([href, name, value]: [string, string, string]) {
    const url = new URL(href);
    // The guest sends only names of settable properties.
    Reflect.set(url, name, value);
    return describeUrl(url);
  },
};

function toBuffer(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

function describeUrl(url: URL): string {
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url;
  return JSON.stringify({
    href,
    origin,
    protocol,
    username,
    password,
    host,
    hostname,
    port,
    pathname,
    search,
    hash,
  });
}

/** Reads the fields of a form. The bytes of files become one character each. */
export async function readForm(type: string, bytes: Uint8Array): Promise<unknown> {
  // The body is in memory already, and small.
  // oxlint-disable-next-line typescript/no-deprecated
  const form = await new Response(Buffer.from(bytes), { headers: { 'content-type': type } }).formData();
  const fields: unknown[] = [];
  for (const [name, value] of form)
    if (typeof value === 'string') fields.push({ name, text: value });
    else {
      const content = Buffer.from(await value.arrayBuffer()).toString('latin1');
      fields.push({ name, file: { name: value.name, type: value.type, bytes: content } });
    }
  return fields;
}

/** Returns an error as text for the guest. */
export function describeError(error: unknown): string {
  const { name, message } = error as Error;
  return `${/^\w+$/.test(name) ? name : 'Error'}: ${message}`;
}
