import { createHash, timingSafeEqual } from 'node:crypto';
import { createSecret } from '../../core/secrets.ts';
import { signInActions } from '../../core/audit/actions.ts';
import { recordChanges, type AuditContext } from '../../core/audit/record-changes.ts';
import { hashToken } from '../../core/callers.ts';
import { addTime, isoTime } from '../../core/clock.ts';
import type { Core } from '../../core/embedded.ts';
import {
  members,
  memberId,
  organizations,
  users,
  type OrganizationRow,
  type UserRow,
} from '../../core/rows/organizations.ts';
import type { CallSource } from '../../core/audit/record-call.ts';
import { samlCodes, samlProviders, samlUsed, type SamlProviderRow, type SamlReturn } from './rows.ts';
import { removeExpired } from '../../core/remove-expired.ts';
import { getExisting, type WriteTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { findMissingSettings } from '../../saml/certificates.ts';
import {
  decodeResponse,
  verifyResponse,
  createServiceMetadata,
  createSignInUrl,
  type IdentityProvider,
  type ServiceUrls,
} from '../../saml/service-provider.ts';
import type { SignedInUser } from '../../saml/assertion.ts';
import { retryHint, createRequest, readRequest } from './requests.ts';
import { identityProviderOf, serviceUrls, signerOf, signersOf } from './rules.ts';
import { signInMember, createSessionToken } from './session.ts';

type SignInCore = Pick<Core, 'store' | 'clock' | 'newId' | 'randomBytes' | 'publicUrl' | 'vault'>;

const minute = 60 * 1000;
/** Lifetime of a code, and maximum lifetime of a session, in milliseconds. */
const times = { code: 2 * minute, session: 12 * 60 * minute };

/** Creates the metadata of the service for a provider. @throws Problem(not-found) */
export async function createProviderMetadata(core: SignInCore, providerId: string): Promise<string> {
  const row = await core.store.read((view) => view.get(samlProviders, providerId));
  if (row === undefined) throw notFound('SAML provider', providerId);
  return createServiceMetadata(
    serviceUrls((path) => core.publicUrl + path, row.id),
    row.id,
  );
}

/**
 * Starts a sign-in and returns the URL at which the browser continues. Stores nothing, so requests without a token cannot fill
 * the store.
 */
export async function startSignIn(
  core: SignInCore,
  providerId: string,
  back: SamlReturn | null,
): Promise<string> {
  const time = core.clock();
  const { provider, service } = await core.store.read((view) =>
    readReadyProvider(view, core, providerId, isoTime(time)),
  );
  return createSignInUrl(service, provider, await createRequest(core, providerId, back, time));
}

/** The result of a sign-in: a token to show, or the address of a program that waits for its code. */
export type SignInOutcome =
  | {
      readonly token: string;
      readonly organization: string;
      readonly email: string;
      readonly expiresAt: string;
    }
  | { readonly redirect: string };

/**
 * Finishes a sign-in with the response of the identity provider, which can be used once.
 *
 * @throws Problem(forbidden) for an untrusted response, or if the user may not join; Problem(conflict) if the provider changed
 * meanwhile
 */
export async function finishSignIn(
  core: SignInCore,
  providerId: string,
  answer: { response: string; relayState: string },
  from?: CallSource,
): Promise<SignInOutcome> {
  const time = core.clock();
  const now = isoTime(time);
  const before = await core.store.read((view) => readReadyProvider(view, core, providerId, now));
  const response = decodeResponse(answer.response);
  // A response without a request of this server is refused before its XML is parsed.
  const asked = { id: response.inResponseTo, relayState: answer.relayState };
  const request = await readRequest(core, providerId, asked, time);
  const signedIn = await verifyResponse(before.service, before.provider, response, time);
  const signIn = async (tx: WriteTransaction) => {
    const { row, organization, provider } = await readReadyProvider(tx, core, providerId, now);
    if (
      provider.certificate !== before.provider.certificate ||
      provider.entityID !== before.provider.entityID ||
      provider.ssoURL !== before.provider.ssoURL
    )
      throw new Problem('conflict', 'The provider was changed during the sign-in.', {
        hint: retryHint(core, providerId),
      });
    await markUsed(tx, core, row.id, signedIn, request.expiresAt, now);
    const session = { ...core, tx, now };
    const user = await signInMember(session, row, organization, signedIn);
    const sessionEndsAt = isoTime(
      Math.min(
        time + times.session,
        signedIn.certificate.validTo,
        signedIn.sessionEndsAt ?? Number.POSITIVE_INFINITY,
      ),
    );
    const signer = signerOf(provider, signedIn.certificate);
    if (request.return === null) {
      const token = await createSessionToken(session, row, {
        user: user.id,
        signer,
        expiresAt: sessionEndsAt,
      });
      const { email } = user;
      const outcome = { token, organization: organization.title, email, expiresAt: sessionEndsAt };
      return { outcome, user, organization };
    }
    const code = createSecret(core.randomBytes);
    await removeExpired(tx, samlCodes, now);
    await tx.insert(samlCodes, {
      id: hashToken(code),
      provider: row.id,
      user: user.id,
      challenge: request.return.challenge,
      signer,
      sessionEndsAt,
      expiresAt: addTime(now, times.code),
    });
    const redirect = new URL(request.return.redirect);
    redirect.search = new URLSearchParams({ code, state: request.return.state }).toString();
    return { outcome: { redirect: redirect.href }, user, organization };
  };
  const { outcome } = await core.store.write((tx) =>
    recordChanges(
      tx,
      signIn,
      ({ user, organization }) => ({
        ...describeSession(user, now, from),
        action: signInActions.signIn.id,
        organization: organization.id,
        targetIds: [user.id],
        fallback: () => ({ type: 'member', id: user.id, label: user.email }),
      }),
      { always: true },
    ),
  );
  return outcome;
}

function describeSession(
  user: UserRow,
  now: string,
  from: CallSource = { origin: { kind: 'local' } },
): Omit<AuditContext, 'action'> {
  const { origin, execution } = from;
  const actor = { type: 'user', id: user.id, label: user.email } as const;
  return { actor, source: 'ui', origin, execution, correlation: execution, now };
}

/** Exchanges a code for a token, once, for the program that started the sign-in. @throws Problem(forbidden) */
export async function redeemCode(
  core: SignInCore,
  code: string,
  verifier: string,
  from?: CallSource,
): Promise<{ token: string; organization: string; expiresAt: string }> {
  const now = isoTime(core.clock());
  const refused = (): Problem =>
    new Problem('forbidden', 'The sign-in code is not valid or has expired.', {
      hint: 'Run `docsctl login --sso` again.',
    });
  const redeem = async (tx: WriteTransaction) => {
    const row = await tx.get(samlCodes, hashToken(code));
    const given = createHash('sha256').update(verifier).digest('base64url');
    if (row === undefined || row.expiresAt <= now || !isEqualSecret(given, row.challenge)) throw refused();
    await tx.remove(samlCodes, row.id);
    const provider = await tx.get(samlProviders, row.provider);
    const member = provider && (await tx.get(members, memberId(provider.organization, row.user)));
    if (provider === undefined || member === undefined || member.disabled) throw refused();
    // The certificates of the provider may have changed meanwhile.
    if (row.signer === undefined || !signersOf(provider).has(row.signer)) throw refused();
    const session = { user: row.user, signer: row.signer, expiresAt: row.sessionEndsAt };
    const token = await createSessionToken({ ...core, tx, now }, provider, session);
    const user = await getExisting(tx, users, row.user);
    return { session: { token, organization: provider.organization, expiresAt: row.sessionEndsAt }, user };
  };
  const { session } = await core.store.write((tx) =>
    recordChanges(tx, redeem, ({ user, session: { organization } }) => ({
      ...describeSession(user, now, from),
      action: signInActions.startSession.id,
      organization,
    })),
  );
  return session;
}

interface ReadyProvider {
  readonly row: SamlProviderRow;
  readonly organization: OrganizationRow;
  readonly provider: IdentityProvider;
  readonly service: ServiceUrls;
}

async function readReadyProvider(
  view: Pick<WriteTransaction, 'get'>,
  core: SignInCore,
  id: string,
  now: string,
): Promise<ReadyProvider> {
  const row = await view.get(samlProviders, id);
  const organization = row && (await view.get(organizations, row.organization));
  if (row === undefined || organization === undefined) throw notFound('SAML provider', id);
  const provider = identityProviderOf(row, now);
  if (provider === undefined) {
    throw new Problem(
      'conflict',
      `The provider "${row.label}" is not set up completely: it has no ${findMissingSettings(row, Date.parse(now)).join(', no ')}.`,
      { hint: `Ask an administrator to complete it: \`docsctl saml update ${row.id} --metadata FILE\`.` },
    );
  }
  return { row, organization, provider, service: serviceUrls((path) => core.publicUrl + path, id) };
}

/** Marks an assertion and its request as used. @throws Problem(forbidden) if one of them was used before */
async function markUsed(
  tx: WriteTransaction,
  core: SignInCore,
  provider: string,
  { inResponseTo, assertionId, acceptedUntil }: SignedInUser,
  requestEnds: number,
  now: string,
): Promise<void> {
  const used = [
    ['The SAML response', hashToken(`request\n${inResponseTo}`), requestEnds],
    ['The assertion', hashToken(`${provider}\n${assertionId}`), acceptedUntil],
  ] as const;
  await removeExpired(tx, samlUsed, now);
  for (const [what, id, end] of used) {
    if ((await tx.get(samlUsed, id)) !== undefined)
      throw new Problem('forbidden', `${what} was already used.`, { hint: retryHint(core, provider) });
    await tx.insert(samlUsed, { id, expiresAt: isoTime(end) });
  }
}

function isEqualSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
