import { createHmac } from 'node:crypto';

/** Bytes that a message may have. */
export const maxMessageBytes = 256 * 1024;

interface Form {
  readonly contentType: string;
  readonly body: string;
}

/** The form that carries an event and its environment, as integrations of the hosted platform read it. */
export function createForm(
  id: string,
  parts: { readonly event: unknown; readonly environment: unknown },
): Form {
  // JSON has no line breaks, so no part can hold the boundary.
  const boundary = `docsctl-${id}`;
  const fields = Object.entries(parts).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(value)}\r\n`,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: `${fields.join('')}--${boundary}--\r\n`,
  };
}

/**
 * The headers of a form, with its signature: HMAC-SHA256 over the time, the id of the event and the body, so that none
 * of them can be replaced. `now` is in seconds.
 */
export function signForm(
  { contentType, body }: Form,
  {
    id,
    attempt,
    now,
    secret,
  }: { readonly id: string; readonly attempt: number; readonly now: number; readonly secret: string },
): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', secret).update(`${now}.${id}.${body}`).digest('hex');
  return {
    'content-type': contentType,
    'user-agent': 'docsctl',
    'docsctl-event-id': id,
    'docsctl-timestamp': String(now),
    'docsctl-attempt': String(attempt),
    'docsctl-signature': `v1=${signature}`,
  };
}
