// Checks that an event which arrived through a development tunnel was sent by docsctl, and that it is unchanged and
// recent, and handles it once.
//
//   import { createVerifier } from './verify-event.js';
//   const verify = createVerifier({ secret: process.env.SIGNING_SECRET });
//   await verify(request.headers, bodyAsBuffer, async (event, environment) => { … });
//   // Answer 204 now, and 500 if verify throws.
//
// `docsctl integrations signing-secret NAME` shows the secret once. Answer each event with a status from 200 to 299.
// With any other status it is sent again later, and the next events of its installation wait for it. An event may arrive
// more than once. It counts as handled only when the function that handles it has succeeded.
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Maximum age of an event, in seconds. It allows for clocks that differ, and limits how long a recorded event can be
 * replayed.
 */
const defaultWindow = 300;

/**
 * Creates a function that checks one event and passes it to `handle`, unless `handle` has handled the event before. It throws if
 * the event is not one that docsctl has just sent, or if `handle` throws. `isNew` says whether `handle` was called.
 *
 * @param {{ secret: string, window?: number, now?: () => number }} options `now` returns Unix time in seconds.
 * @returns {(headers: Record<string, string | string[] | undefined>, body: Uint8Array | string,
 *   handle: (event: any, environment: any) => unknown) => Promise<{ event: any, environment: any, isNew: boolean }>}
 */
export function createVerifier({ secret, window = defaultWindow, now = () => Date.now() / 1000 }) {
  // With an empty secret, such as an environment variable that is not set, anyone could sign events.
  if (typeof secret !== 'string' || secret === '') throw new Error('The signing secret is not set.');
  /** The IDs of the events that were handled, each with the time after which it can be forgotten. */
  const handled = new Map();
  /** The IDs of the events that are being handled. */
  const running = new Map();
  return async (headers, body, handle) => {
    const id = readHeader(headers, 'docsctl-event-id');
    const timestamp = readHeader(headers, 'docsctl-timestamp');
    const digest = /^v1=([0-9a-f]{64})$/.exec(readHeader(headers, 'docsctl-signature'))?.[1];
    if (id === '' || digest === undefined || !/^\d{1,12}$/.test(timestamp))
      throw new Error('The event is not signed.');
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const expected = createHmac('sha256', secret).update(`${timestamp}.${id}.`).update(bytes).digest();
    if (!timingSafeEqual(expected, Buffer.from(digest, 'hex'))) throw new Error('The signature is wrong.');
    const time = now();
    if (Math.abs(time - Number(timestamp)) > window)
      throw new Error('The event is too old, or its time is in the future.');
    // Parsed only after the check. The content type is set here, because the header of the request is not signed.
    // oxlint-disable-next-line typescript/no-deprecated -- the form is small, signed, and always of the same sender
    const form = await new Response(bytes, { headers: { 'content-type': `multipart/form-data; boundary=docsctl-${id}` } }).formData();
    const [event, environment] = ['event', 'environment'].map((name) => JSON.parse(String(form.get(name))));
    if (event.eventId !== id) throw new Error('The event has another ID than the one that was signed.');
    for (const [oldId, until] of handled) if (until < time) handled.delete(oldId);
    // The same event may arrive again while it is being handled. It succeeds or fails together with the first.
    const isNew = !handled.has(id) && !running.has(id);
    if (isNew) running.set(id, (async () => handle(event, environment))().finally(() => running.delete(id)));
    await running.get(id);
    // A retry has a new signature, so an ID is remembered for as long as docsctl may send the event again.
    if (isNew) handled.set(id, now() + 3600 + window);
    return { event, environment, isNew };
  };
}

/**
 * @param {Record<string, string | string[] | undefined>} headers
 * @param {string} name
 */
function readHeader(headers, name) {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
