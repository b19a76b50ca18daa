import { fileHeaders } from '../publishing/answer-headers.ts';
import type { SiteAnswer } from '../publishing/site-request.ts';

/** An answer to a browser. */
export type AppAnswer = SiteAnswer;

/** The Content-Security-Policy of the pages: no scripts, frames or forms to other sites, but pictures that authors link to. */
const contentPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "media-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of all answers. They must not be cached, because they depend on the caller. */
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

/** The headers of a PDF that this program created. Browsers show it. */
export const pdfHeaders: Readonly<Record<string, string>> = {
  ...appHeaders,
  'content-type': 'application/pdf',
  'content-security-policy':
    "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/** Returns the headers of a file that authors uploaded. Nothing in it may run. */
export function uploadHeaders(contentType: string, name: string): Record<string, string> {
  const headers = fileHeaders(contentType, name);
  return {
    ...appHeaders,
    ...headers,
    'content-security-policy': `${headers['content-security-policy']}; frame-ancestors 'none'`,
  };
}

/** Returns an answer that redirects to another path of this server. */
export function redirectTo(location: string, headers: AppAnswer['headers'] = {}): AppAnswer {
  return { status: 303, headers: { ...appHeaders, 'referrer-policy': 'no-referrer', ...headers, location } };
}

/** Returns a plain-text answer. */
export function textAnswer(body: string): AppAnswer {
  return { status: 200, headers: { ...appHeaders, 'content-type': 'text/plain; charset=utf-8' }, body };
}
