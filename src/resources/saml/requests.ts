import type { Core } from '../../core/embedded.ts';
import type { SamlReturn } from './rows.ts';
import { Problem } from '../../errors/problem.ts';
import type { AuthnRequest } from '../../saml/service-provider.ts';

type Sealing = Pick<Core, 'vault' | 'randomBytes'>;

/** A sign-in that was begun here, as its id and RelayState tell it. */
export interface BegunSignIn {
  /** Null: the token is shown in the browser. */
  readonly return: SamlReturn | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What to do where a sign-in cannot be gone on with. */
export const again = 'Begin again at the start URL of the provider; `docsctl sso list` shows it.';

/** How long somebody may take to sign in; milliseconds. */
const longest = 10 * 60 * 1000;

/**
 * Makes the request of a sign-in. Nothing of it is kept, since anybody may begin any number: its id is sealed for this
 * provider and this RelayState, and holds when it ends and the challenge of the program that waits. The RelayState has
 * at most the 80 bytes that SAML allows.
 */
export async function beginRequest(
  { vault, randomBytes }: Sealing,
  provider: string,
  back: SamlReturn | null,
  time: number,
): Promise<AuthnRequest> {
  const relayState = back === null ? Buffer.from(randomBytes(24)).toString('base64url') : relayStateOf(back);
  return {
    id: `_${await vault.seal(`${time + longest} ${back?.challenge ?? ''}`, about(provider, relayState))}`,
    relayState,
  };
}

/** The sign-in that an answer is to. Throws `forbidden` where it is none that was begun here, at this provider, or not in time. */
export async function readRequest(
  { vault }: Sealing,
  provider: string,
  { id, relayState }: AuthnRequest,
  time: number,
): Promise<BegunSignIn> {
  const text = await vault.open(id.slice(1), about(provider, relayState)).catch((error: unknown) => {
    // Sealed by nobody, for another provider or for another RelayState: which one cannot be told apart.
    if (error instanceof Problem && error.reason === 'store-failed') return undefined;
    throw error;
  });
  if (text === undefined || !isCanonical(id))
    throw new Problem(
      'forbidden',
      'The answer is to no request of this provider, or came without the RelayState of it.',
      { hint: again },
    );
  const [end, challenge = ''] = text.split(' ');
  const expiresAt = Number(end);
  if (expiresAt <= time) throw new Problem('forbidden', 'The sign-in took too long.', { hint: again });
  return { return: challenge === '' ? null : readRelayState(relayState, challenge), expiresAt };
}

/** Whether an id is spelled the one way it was: of several that open as the same, each could be used once. */
function isCanonical(id: string): boolean {
  const [, , ...parts] = id.split('.');
  return (
    id.startsWith('_') && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}

function about(provider: string, relayState: string): string {
  return `a sign-in at ${provider}\n${relayState}`;
}

const loopback = { 4: '127.0.0.1', 6: '[::1]' } as const;

function relayStateOf({ redirect, state }: SamlReturn): string {
  const { hostname, port } = new URL(redirect);
  return `${hostname === loopback[6] ? 6 : 4}.${port}.${state}`;
}

/** What relayStateOf made: the seal of the id holds for this text alone. */
function readRelayState(relayState: string, challenge: string): SamlReturn {
  const [version, port, state] = relayState.split('.') as ['4' | '6', string, string];
  return { redirect: `http://${loopback[version]}:${port}/callback`, state, challenge };
}
