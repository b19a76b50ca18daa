import type { ProblemBody } from '../errors/problem.ts';
import { escapeHtml } from '../contract/escape-html.ts';
import type { SignInOutcome } from '../resources/saml/sign-in.ts';

/** Headers of these pages. A page cannot load or run anything, and other pages cannot embed it. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

function pageOf(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>${title}</title>
<h1>${title}</h1>
${content}</html>
`;
}

/** Returns the HTML page that shows the new token after a sign-in without a redirect. */
export function tokenPage(
  { token, organization, email, expiresAt }: Extract<SignInOutcome, { readonly token: string }>,
  server: string,
): string {
  return pageOf(
    'Signed in',
    `<p>You are signed in to ${escapeHtml(organization)} as ${escapeHtml(email)}. This token is valid until ${escapeHtml(expiresAt)} and cannot be shown again:</p>
<pre>${escapeHtml(token)}</pre>
<p>Run <code>docsctl login --server ${escapeHtml(server)}</code>, enter the token, then close this page.</p>
`,
  );
}

/** Returns the HTML page that says why a sign-in failed. */
export function refusedPage({ message, hint, requestId }: ProblemBody['error']): string {
  const lines = [message, hint, requestId && `Request ID: ${requestId}`];
  return pageOf(
    'Sign-in failed',
    lines.map((line) => (line === undefined ? '' : `<p>${escapeHtml(line)}</p>\n`)).join(''),
  );
}
