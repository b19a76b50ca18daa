import { createHash } from 'node:crypto';
import { isoTime } from '../core/clock.ts';
import type { Core } from '../core/embedded.ts';
import { collectRows } from '../core/store.ts';
import { markup, type Content } from '../render/markup.ts';
import { appCallback } from '../resources/saml/requests.ts';
import { samlProviders } from '../resources/saml/rows.ts';
import { identityProviderOf } from '../resources/saml/rules.ts';
import { startSignIn } from '../resources/saml/sign-in.ts';
import { createSecret } from '../core/secrets.ts';
import { redirectTo, type AppAnswer } from './app-answers.ts';
import { signInCookie } from './session-cookie.ts';

/** Maximum duration of a sign-in, in seconds. */
const signInTime = 600;

/** Returns the text for a person without a session. It is the same for all paths, whether they exist or not. */
export function signInText({ publicUrl }: Pick<Core, 'publicUrl'>, links: Content): Content {
  return markup`<p>These pages are for signed-in members. Connect docsctl to this server, and open the pages with it:</p><pre><code>docsctl login --server ${publicUrl}\ndocsctl open</code></pre><p><code>docsctl open THING</code> opens a space, site or page.</p>${links}`;
}

/** Renders links to the identity providers of an organization; nothing if it has none or does not exist. */
export async function providerLinks(
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  { organizationId, to, href }: { organizationId: string; to: string; href: (path: string) => string },
): Promise<Content> {
  const now = isoTime(clock());
  const rows = await store.read((view) =>
    collectRows(view, samlProviders, 'byOrganization', [organizationId]),
  );
  const ready = rows.filter((row) => identityProviderOf(row, now) !== undefined);
  if (ready.length === 0) return '';
  const addressOf = (id: string): string =>
    href(`/o/~sign-in/${encodeURIComponent(id)}?${new URLSearchParams({ to }).toString()}`);
  const [only, second] = ready;
  return markup`<p>Or sign in with single sign-on:</p><ul class="rows">${
    only !== undefined && second === undefined
      ? markup`<li><a href="${addressOf(only.id)}">Single sign-on</a></li>`
      : ready.map(({ id, label }) => markup`<li><a href="${addressOf(id)}">${label}</a></li>`)
  }</ul>`;
}

/**
 * Starts a sign-in with an identity provider. A cookie stores the verifier and the page to open, so that only this browser can
 * finish it.
 *
 * @throws Problem(not-found) for an unknown provider; Problem(conflict) for a provider that is not completely set up
 */
export async function startBrowserSignIn(core: Core, providerId: string, to: string): Promise<AppAnswer> {
  const verifier = createSecret(core.randomBytes);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const location = await startSignIn(core, providerId, {
    redirect: appCallback(core.publicUrl),
    state: createSecret(core.randomBytes),
    challenge,
  });
  const value = `${verifier}.${Buffer.from(to).toString('base64url')}`;
  return redirectTo(location, { 'set-cookie': signInCookie(core, value, signInTime) });
}

/** Reads the cookie of a sign-in: its verifier, and the path to open. */
export function readSignIn(cookie: string): { readonly verifier: string; readonly to: string } {
  const [verifier = '', to = ''] = cookie.split('.');
  return { verifier, to: Buffer.from(to, 'base64url').toString() };
}
