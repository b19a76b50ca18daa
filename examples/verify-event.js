// Checks that an event that came over a development tunnel was sent by docsctl, and is neither changed nor old.
//
//   import { createVerifier } from './verify-event.js';
//   const verify = createVerifier({ secret: process.env.SIGNING_SECRET });
//   const { event, environment, isNew } = await verify(request.headers, bodyAsBuffer);
//   if (isNew) await handle(event);   // the same event may come twice: answer 2xx, do nothing
//
// The secret is what `docsctl integrations signing-secret NAME` shows once. An event is answered with a status of
// 200 to 299; with any other it comes again, later and in the order of its installation.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds that the clocks may differ; what was recorded on its way is good for no longer. */
const defaultWindow = 300;

/**
 * @param {{ secret: string, window?: number, now?: () => number }} options `now` gives seconds since 1970.
 * @returns {(headers: Record<string, string | string[] | undefined>, body: Uint8Array | string) =>
 *   Promise<{ event: any, environment: any, isNew: boolean }>} Throws for whatever docsctl did not send now.
 */
export function createVerifier({ secret, window = defaultWindow, now = () => Date.now() / 1000 }) {
  // An environment variable that is not set would make everybody's signature right.
  if (typeof secret !== 'string' || secret === '') throw new Error('there is no secret');
  /** Ids of events that were taken, with the time that they can be forgotten at. */
  const taken = new Map();
  return async (headers, body) => {
    const id = one(headers, 'docsctl-event-id');
    const timestamp = one(headers, 'docsctl-timestamp');
    const given = /^v1=([0-9a-f]{64})$/.exec(one(headers, 'docsctl-signature'))?.[1];
    if (id === '' || given === undefined || !/^\d{1,12}$/.test(timestamp)) throw new Error('not signed');
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const signature = createHmac('sha256', secret).update(`${timestamp}.${id}.`).update(bytes).digest();
    if (!timingSafeEqual(signature, Buffer.from(given, 'hex'))) throw new Error('the signature is wrong');
    const time = now();
    if (Math.abs(time - Number(timestamp)) > window) throw new Error('too old, or from the future');
    // The bytes are known to be right; only now they are read, as the form that they are: the header that says so is not signed.
    // oxlint-disable-next-line typescript/no-deprecated -- it is small, signed, and of one sender
    const form = await new Response(bytes, { headers: { 'content-type': `multipart/form-data; boundary=docsctl-${id}` } }).formData();
    const [event, environment] = ['event', 'environment'].map((name) => JSON.parse(String(form.get(name))));
    if (event.eventId !== id) throw new Error('the event has another id than was signed');
    for (const [old, until] of taken) if (until < time) taken.delete(old);
    const isNew = !taken.has(id);
    // A retry is signed anew, so an id is remembered for as long as docsctl may try again, and a window more.
    taken.set(id, time + 3600 + window);
    return { event, environment, isNew };
  };
}

/**
 * @param {Record<string, string | string[] | undefined>} headers
 * @param {string} name
 */
function one(headers, name) {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
