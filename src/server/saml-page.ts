import type { SignInOutcome } from '../resources/saml/sign-in.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** Headers of a page with a secret. The page cannot load or run anything, and other pages cannot embed it. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Returns the HTML page that shows the new token after a sign-in without a redirect. */
export function tokenPage(
  { token, organization, email, expiresAt }: Extract<SignInOutcome, { readonly token: string }>,
  server: string,
): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>Signed in</title>
<h1>Signed in</h1>
<p>You are signed in to ${escape(organization)} as ${escape(email)}. This token is valid until ${escape(expiresAt)} and cannot be shown again:</p>
<pre>${escape(token)}</pre>
<p>Run <code>docsctl login --server ${escape(server)}</code>, enter the token, then close this page.</p>
</html>
`;
}
