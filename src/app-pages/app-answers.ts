import { fileHeaders } from '../publishing/answer-headers.ts';
import type { SiteAnswer } from '../publishing/site-request.ts';

/** An answer to a browser. */
export type AppAnswer = SiteAnswer;

/** What the pages may load and do: no script, no frame, no form to elsewhere, and pictures that authors link to. */
const contentPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "media-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of all answers: what depends on who asks is kept nowhere. */
export const appHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
  vary: 'accept-encoding, cookie',
};

/** The headers of a PDF that this program made, which browsers show. */
export const pdfHeaders: Readonly<Record<string, string>> = {
  ...appHeaders,
  'content-type': 'application/pdf',
  'content-security-policy':
    "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/** The headers of a file that authors uploaded: nothing in it runs. */
export function uploadHeaders(contentType: string, name: string): Record<string, string> {
  const headers = fileHeaders(contentType, name);
  return {
    ...appHeaders,
    ...headers,
    'content-security-policy': `${headers['content-security-policy']}; frame-ancestors 'none'`,
  };
}

/** An answer that leads to another path of this server. */
export function redirectTo(location: string, headers: AppAnswer['headers'] = {}): AppAnswer {
  return { status: 303, headers: { ...appHeaders, 'referrer-policy': 'no-referrer', ...headers, location } };
}

/** A text that is shown as it is. */
export function textAnswer(body: string): AppAnswer {
  return { status: 200, headers: { ...appHeaders, 'content-type': 'text/plain; charset=utf-8' }, body };
}
