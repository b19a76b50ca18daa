import { createHmac } from 'node:crypto';

/** An event as it is sent: how a message is made and signed, and nothing about sending. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Bytes that a message may have. */
export const mostBytes = 256 * 1024;

/** A form with what happened and where, as programs for the hosted platform read it. */
export function formOf(
  id: string,
  parts: { readonly event: unknown; readonly environment: unknown },
): { readonly contentType: string; readonly body: string } {
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

/** Signs a form: HMAC-SHA256 over the time, the id of the event and the body, so that none of them can be another's. `now` is in seconds. */
export function signMessage({
  id,
  attempt,
  now,
  secret,
  form,
}: {
  id: string;
  attempt: number;
  now: number;
  secret: string;
  form: ReturnType<typeof formOf>;
}): Message {
  const signature = createHmac('sha256', secret).update(`${now}.${id}.${form.body}`).digest('hex');
  return {
    body: form.body,
    headers: {
      'content-type': form.contentType,
      'user-agent': 'docsctl',
      'docsctl-event-id': id,
      'docsctl-timestamp': String(now),
      'docsctl-attempt': String(attempt),
      'docsctl-signature': `v1=${signature}`,
    },
  };
}
