import { createHash, timingSafeEqual } from 'node:crypto';
import { hashToken } from '../../core/callers.ts';
import { isoTime } from '../../core/clock.ts';
import type { Core } from '../../core/embedded.ts';
import { members, memberId, organizations, type OrganizationRow } from '../../core/rows/organizations.ts';
import {
  samlCodes,
  samlProviders,
  samlUsed,
  type SamlCodeRow,
  type SamlProviderRow,
  type SamlReturn,
} from './rows.ts';
import type { Row, Table, WriteTransaction } from '../../core/store.ts';
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
import { again, beginRequest, readRequest } from './requests.ts';
import { identityProviderOf, later, serviceOf } from './rules.ts';
import { letIn, makeToken } from './session.ts';

/** What signing in stands on. */
export type SignInCore = Pick<Core, 'store' | 'clock' | 'newId' | 'randomBytes' | 'publicUrl' | 'vault'>;

const minute = 60 * 1000;
/** How long a code is good; how long a session lasts at most. */
const times = { code: 2 * minute, session: 12 * 60 * minute };

/** The metadata of the service for a provider. */
export async function metadataOf(core: SignInCore, providerId: string): Promise<string> {
  const row = await core.store.read((view) => view.get(samlProviders, providerId));
  if (row === undefined) throw notFound('SAML provider', providerId);
  return createServiceMetadata(
    serviceOf((path) => core.publicUrl + path, row.id),
    row.id,
  );
}

/** Begins a sign-in: where the browser goes on. Nothing is written, so nobody can fill anything up. */
export async function startSignIn(
  core: SignInCore,
  providerId: string,
  back: SamlReturn | null,
): Promise<string> {
  const time = core.clock();
  const { provider, service } = await core.store.read((view) =>
    readyProvider(view, core, providerId, isoTime(time)),
  );
  return createSignInUrl(service, provider, await beginRequest(core, providerId, back, time));
}

/** What became of a sign-in: a token to show, or the place where a program waits for its code. */
export type Outcome =
  | {
      readonly token: string;
      readonly organization: string;
      readonly email: string;
      readonly expiresAt: string;
    }
  | { readonly redirect: string };

/** Ends a sign-in by the answer of the identity provider, which is taken once. */
export async function endSignIn(
  core: SignInCore,
  providerId: string,
  answer: { readonly response: string; readonly relayState: string },
): Promise<Outcome> {
  const time = core.clock();
  const now = isoTime(time);
  const before = await core.store.read((view) => readyProvider(view, core, providerId, now));
  const given = decodeResponse(before.service, answer.response);
  // What nobody began here is refused before its signature costs anything.
  const begun = await readRequest(
    core,
    providerId,
    { id: given.inResponseTo ?? '', relayState: answer.relayState },
    time,
  );
  const signedIn = await verifyResponse(before.service, before.provider, given, time);
  return core.store.write(async (tx) => {
    const { row, organization, provider } = await readyProvider(tx, core, providerId, now);
    if (
      provider.certificate !== before.provider.certificate ||
      provider.entityID !== before.provider.entityID
    )
      throw new Problem('conflict', 'The provider was changed meanwhile.', { hint: again });
    await useUp(tx, row.id, signedIn, begun.expiresAt, now);
    const user = await letIn(tx, core, row, organization, signedIn, now);
    const sessionEndsAt = isoTime(
      Math.min(time + times.session, signedIn.sessionEndsAt ?? Number.POSITIVE_INFINITY),
    );
    if (begun.return === null)
      return {
        token: await makeToken(tx, core, row, user.id, sessionEndsAt, now),
        organization: organization.title,
        email: user.email,
        expiresAt: sessionEndsAt,
      };
    const code = secretOf(core);
    await forgetOld(tx, samlCodes, now);
    await tx.insert(samlCodes, {
      id: hashToken(code),
      provider: row.id,
      user: user.id,
      challenge: begun.return.challenge,
      sessionEndsAt,
      expiresAt: later(now, times.code),
    });
    const redirect = new URL(begun.return.redirect);
    redirect.search = new URLSearchParams({ code, state: begun.return.state }).toString();
    return { redirect: redirect.href };
  });
}

/** Changes a code into a token, once, for the program that began the sign-in. */
export async function redeemCode(
  core: SignInCore,
  code: string,
  verifier: string,
): Promise<{ token: string; organization: string; expiresAt: string }> {
  const now = isoTime(core.clock());
  const refused = (): Problem =>
    new Problem('forbidden', 'The code is not valid, or no longer.', {
      hint: 'Run `docsctl login --sso` again.',
    });
  return core.store.write(async (tx) => {
    const row: SamlCodeRow | undefined = await tx.get(samlCodes, hashToken(code));
    const given = createHash('sha256').update(verifier).digest('base64url');
    if (row === undefined || row.expiresAt <= now || !isSame(given, row.challenge)) throw refused();
    await tx.remove(samlCodes, row.id);
    const provider = await tx.get(samlProviders, row.provider);
    const member =
      provider === undefined ? undefined : await tx.get(members, memberId(provider.organization, row.user));
    if (provider === undefined || member === undefined || member.disabled) throw refused();
    return {
      token: await makeToken(tx, core, provider, row.user, row.sessionEndsAt, now),
      organization: provider.organization,
      expiresAt: row.sessionEndsAt,
    };
  });
}

interface Ready {
  readonly row: SamlProviderRow;
  readonly organization: OrganizationRow;
  readonly provider: IdentityProvider;
  readonly service: ServiceUrls;
}

async function readyProvider(
  view: Pick<WriteTransaction, 'get'>,
  core: SignInCore,
  id: string,
  now: string,
): Promise<Ready> {
  const row = await view.get(samlProviders, id);
  const organization = row === undefined ? undefined : await view.get(organizations, row.organization);
  if (row === undefined || organization === undefined) throw notFound('SAML provider', id);
  const provider = identityProviderOf(row, now);
  if (provider === undefined) {
    throw new Problem(
      'conflict',
      `The provider is not set up completely: it has no ${findMissingSettings(row, Date.parse(now)).join(', no ')}.`,
      {
        hint: 'An administrator completes it: docsctl saml update PROVIDER --metadata FILE.',
      },
    );
  }
  return { row, organization, provider, service: serviceOf((path) => core.publicUrl + path, id) };
}

/** Takes an assertion and the request that it answers, each of them once. */
async function useUp(
  tx: WriteTransaction,
  provider: string,
  { inResponseTo, assertionId, acceptedUntil }: SignedInUser,
  requestEnds: number,
  now: string,
): Promise<void> {
  const used = [
    ['The answer', hashToken(`request\n${inResponseTo}`), requestEnds],
    ['The assertion', hashToken(`${provider}\n${assertionId}`), acceptedUntil],
  ] as const;
  await forgetOld(tx, samlUsed, now);
  for (const [what, id, end] of used) {
    if ((await tx.get(samlUsed, id)) !== undefined)
      throw new Problem('forbidden', `${what} was used before.`, { hint: again });
    await tx.insert(samlUsed, { id, expiresAt: isoTime(end) });
  }
}

/** Removes a few rows that are over with each new one, so that none are kept for long. */
async function forgetOld<R extends Row & { readonly expiresAt: string }>(
  tx: WriteTransaction,
  from: Table<R, 'byExpiry'>,
  now: string,
): Promise<void> {
  for (const old of await tx.find(from, { index: 'byExpiry', equals: [], limit: 8 }))
    if (old.expiresAt <= now) await tx.remove(from, old.id);
}

function secretOf({ randomBytes }: SignInCore): string {
  return Buffer.from(randomBytes(24)).toString('base64url');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left!, right!);
}
