import { createHmac } from 'node:crypto';
import type { ScriptMessage } from '../../core/scripts.ts';

/** Maximum size of a message in bytes, without the body of a request. */
export const maxMessageBytes = 1024 * 1024;

interface Form {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/** Creates the form with an event and its environment that integrations of the hosted platform read. */
export function createForm(id: string, { event, environment, body }: ScriptMessage): Form {
  // JSON has no line breaks, so no JSON part can contain the boundary. The body of a request cannot contain it either, because
  // the id is new and random.
  const boundary = `docsctl-${id}`;
  const fields = Object.entries({ event, environment }).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(value)}\r\n`,
  );
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const end = `--${boundary}--\r\n`;
  if (body === undefined) return { contentType, body: `${fields.join('')}${end}` };
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="fetch-body"; filename="fetch-body"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    contentType,
    body: Buffer.concat([Buffer.from(`${fields.join('')}${head}`), body, Buffer.from(`\r\n${end}`)]),
  };
}

/**
 * Returns the headers of a form, with its signature: HMAC-SHA256 over the time, the id of the event and the body, so that none of
 * them can be replaced. `now` is in seconds.
 */
export function signForm(
  { contentType, body }: Form,
  { id, attempt, now, secret }: { id: string; attempt: number; now: number; secret: string },
): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', secret).update(`${now}.${id}.`).update(body).digest('hex');
  return {
    'content-type': contentType,
    'user-agent': 'docsctl',
    'docsctl-event-id': id,
    'docsctl-timestamp': String(now),
    'docsctl-attempt': String(attempt),
    'docsctl-signature': `v1=${signature}`,
  };
}
