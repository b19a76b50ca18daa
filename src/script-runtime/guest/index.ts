import { Blob, File, FormData } from './blob.ts';
import { Response } from './body.ts';
import { createConsole } from './console.ts';
import { crypto, CryptoKey } from './crypto.ts';
import { addEventListener, dispatch, useModule } from './dispatch.ts';
import { AbortController, AbortSignal, DOMException, Event, EventTarget } from './events.ts';
import { fetch } from './fetch.ts';
import { callHost, settle } from './host.ts';
import { Headers } from './headers.ts';
import { Request } from './request.ts';
import { ReadableStream } from './streams.ts';
import { atob, btoa, TextDecoder, TextEncoder } from './text.ts';
import { clearTimeout, fire, setInterval, setTimeout } from './timers.ts';
import { URL, URLSearchParams } from './url.ts';

// The first program of every context. It is bundled into one text (dist/script-guest.js) and runs in QuickJS.

const origin = Date.now();
const globals = {
  AbortController,
  AbortSignal,
  Blob,
  CryptoKey,
  DOMException,
  Event,
  EventTarget,
  File,
  FormData,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  addEventListener,
  atob,
  btoa,
  clearInterval: clearTimeout,
  clearTimeout,
  console: createConsole((level, text) => callHost('log', [level, text])),
  crypto,
  fetch,
  navigator: { userAgent: 'docsctl' },
  performance: { now: () => Date.now() - origin, timeOrigin: origin },
  queueMicrotask: (act: () => void) => void Promise.resolve().then(act),
  self: globalThis,
  setInterval,
  setTimeout,
  structuredClone,
};
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

/** Copies plain data. Functions cannot be copied. */
function structuredClone(value: unknown, seen = new Map<unknown, unknown>()): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new DOMException('A function cannot be cloned.', 'DataCloneError');
  if (typeof value !== 'object' || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  const keep = <T>(copy: T): T => {
    seen.set(value, copy);
    return copy;
  };
  if (value instanceof Date) return keep(new Date(value));
  if (value instanceof RegExp) return keep(new RegExp(value));
  if (value instanceof ArrayBuffer) return keep(value.slice(0));
  if (ArrayBuffer.isView(value)) {
    const View = value.constructor as new (buffer: ArrayBuffer, at: number, length: number) => unknown;
    const view = value as Uint8Array;
    return keep(new View(view.slice().buffer, 0, view.length));
  }
  if (value instanceof Map) {
    const copy = keep(new Map<unknown, unknown>());
    for (const [key, one] of value) copy.set(structuredClone(key, seen), structuredClone(one, seen));
    return copy;
  }
  if (value instanceof Set) {
    const copy = keep(new Set<unknown>());
    for (const one of value) copy.add(structuredClone(one, seen));
    return copy;
  }
  const copy = keep<Record<string, unknown> | unknown[]>(Array.isArray(value) ? [] : {});
  for (const [key, one] of Object.entries(value)) Reflect.set(copy, key, structuredClone(one, seen));
  return copy;
}

/** The functions that the host calls. The host removes this object, and its own, from the globals. */
Object.assign(globalThis, { docsctlGuest: { dispatch, fire, settle, useModule } });
