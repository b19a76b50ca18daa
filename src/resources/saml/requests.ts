import type { Core } from '../../core/embedded.ts';
import { createSecret } from '../../core/secrets.ts';
import type { SamlReturn } from './rows.ts';
import { serviceUrls } from './rules.ts';
import { orUndefined, Problem } from '../../errors/problem.ts';
import type { AuthnRequest } from '../../saml/service-provider.ts';

type SealingCore = Pick<Core, 'vault' | 'randomBytes' | 'publicUrl'>;

/** A sign-in that this server started, restored from its id and RelayState. */
interface StartedSignIn {
  /** Null if the token is shown in the browser. */
  readonly return: SamlReturn | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Returns the hint for a sign-in that cannot continue. People read it in a browser. */
export function retryHint({ publicUrl }: Pick<Core, 'publicUrl'>, provider: string): string {
  const { startURL } = serviceUrls((path) => publicUrl + path, provider);
  return `Start again at ${startURL}, or run \`docsctl login --sso ${startURL}\`.`;
}

/** Maximum duration of a sign-in, in milliseconds. */
const maxDuration = 10 * 60 * 1000;

/**
 * Creates the request of a sign-in. It is not stored, because anybody may start any number. Its id is sealed for this provider
 * and this RelayState, and contains its expiry and the challenge of the waiting program. The RelayState has at most the 80 bytes
 * that SAML allows (SAML 2.0 bindings, section 3.4.3). `time` is in milliseconds since 1970.
 */
export async function createRequest(
  { vault, randomBytes, publicUrl }: SealingCore,
  provider: string,
  back: SamlReturn | null,
  time: number,
): Promise<AuthnRequest> {
  const relayState = back === null ? createSecret(randomBytes) : writeRelayState(back, publicUrl);
  return {
    id: `_${await vault.seal(`${time + maxDuration} ${back?.challenge ?? ''}`, sealPurpose(provider, relayState))}`,
    relayState,
  };
}

/** Restores the sign-in of a response. @throws Problem(forbidden) if it was not started here for this provider, or has expired */
export async function readRequest(
  core: SealingCore,
  provider: string,
  { id, relayState }: AuthnRequest,
  time: number,
): Promise<StartedSignIn> {
  const { vault, publicUrl } = core;
  // A forged id looks the same as an id that was sealed for another provider or RelayState.
  const opened = vault.open(id.slice(1), sealPurpose(provider, relayState));
  const text = await orUndefined(opened, 'store-failed');
  if (text === undefined || !isCanonical(id))
    throw new Problem(
      'forbidden',
      'The SAML response does not answer a request of this provider, or lacks its RelayState.',
      { hint: retryHint(core, provider) },
    );
  const [end, challenge = ''] = text.split(' ');
  const expiresAt = Number(end);
  if (expiresAt <= time)
    throw new Problem('forbidden', 'The sign-in took longer than 10 minutes.', {
      hint: retryHint(core, provider),
    });
  return { return: challenge === '' ? null : readRelayState(relayState, challenge, publicUrl), expiresAt };
}

/**
 * Whether an ID has its canonical encoding. Base64 has other encodings of the same bytes, and each of them could be used once
 * more.
 */
function isCanonical(id: string): boolean {
  const [, , ...parts] = id.split('.');
  return (
    id.startsWith('_') && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}

function sealPurpose(provider: string, relayState: string): string {
  return `a sign-in at ${provider}\n${relayState}`;
}

const loopback = { 4: '127.0.0.1', 6: '[::1]' } as const;

/** Returns the address at which a browser exchanges a code for a session of the app. */
export function appCallback(publicUrl: string): string {
  return `${publicUrl}/o/~session`;
}

function writeRelayState({ redirect, state }: SamlReturn, publicUrl: string): string {
  if (redirect === appCallback(publicUrl)) return `app.${state}`;
  const { hostname, port } = new URL(redirect);
  return `${hostname === loopback[6] ? 6 : 4}.${port}.${state}`;
}

/** Parses the text from `writeRelayState`. The seal of the id guarantees that it is unchanged. */
function readRelayState(relayState: string, challenge: string, publicUrl: string): SamlReturn {
  if (relayState.startsWith('app.'))
    return { redirect: appCallback(publicUrl), state: relayState.slice(4), challenge };
  const [version, port, state] = relayState.split('.') as ['4' | '6', string, string];
  return { redirect: `http://${loopback[version]}:${port}/callback`, state, challenge };
}
