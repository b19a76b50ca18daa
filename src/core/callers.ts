import { hash } from 'node:crypto';
import { defined } from '../contract/values.ts';
import { createSecret } from './secrets.ts';
import { Problem } from '../errors/problem.ts';
import type { EffectiveRole } from './permissions.ts';
import { appSessions } from './rows/app-sessions.ts';
import { findUser } from './emails.ts';
import { settings, tokens, users, type TokenRow, type UserRow } from './rows/organizations.ts';
import {
  agreedScopes,
  installations,
  integrations,
  integrationTokens,
  pendingScopes,
  type InstallationRow,
} from './rows/integrations.ts';
import { findOne, type ReadTransaction } from './store.ts';

/**
 * What a caller authenticates with. `owner`: the user of an embedded store. `member`: the same with `--as`. `session`: the cookie
 * of a browser that shows the app or previews of sites; it can only read.
 */
export type Credential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'session'; readonly session: string; readonly isPreview?: true }
  | { readonly kind: 'owner' }
  | { readonly kind: 'member'; readonly email: string }
  | { readonly kind: 'none' };

export interface Caller {
  readonly user: UserRow;
  /** Administrator of every organization of the store. */
  readonly owner: boolean;
  /** May create organizations for others, and sees the whole store. The owner of a store is its operator too. */
  readonly operator: boolean;
  /** The only organization that the token is valid for; null for all organizations of the user. */
  readonly organization: string | null;
  /** The highest role that the token allows. */
  readonly maxRole: EffectiveRole;
  /**
   * The organization that the caller signed in to with single sign-on. `all` for callers who open the store directly, because
   * they can write everything in it anyway.
   */
  readonly signedInTo?: 'all' | (string & {});
  /** The ID of the token. */
  readonly token?: string;
  /** The ISO time at which the token or session expires (default: never). */
  readonly expiresAt?: string;
  /** Whether the caller may call only operations that change nothing. */
  readonly readOnly?: true;
  /** Set if the caller is an integration. Then `organization` is the one of its installation. */
  readonly integration?: CallingIntegration;
}

export interface CallingIntegration {
  readonly name: string;
  readonly scopes: readonly string[];
  /** The scopes that the integration requests and that the organization of the installation has not approved. */
  readonly pendingScopes: readonly string[];
  /** Absent if the token belongs to the integration itself and not to an installation. */
  readonly installation?: InstallationRow;
}

/** Returns the SHA-256 of a token in hexadecimal. Stores contain only this hash. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/**
 * Finds the caller of a credential; undefined for a request without one. It runs in the transaction of the operation, so a
 * deleted token stops working at once. `now` is an ISO time.
 *
 * @throws Problem(unauthenticated) for an invalid or expired token; Problem(not-found) for an unknown email or in an empty store
 */
export async function identify(
  view: ReadTransaction,
  credential: Credential,
  now: string,
): Promise<Caller | undefined> {
  switch (credential.kind) {
    case 'none':
      return undefined;
    case 'owner': {
      const store = await view.get(settings, 'store');
      const user = store === undefined ? undefined : await view.get(users, store.administrator);
      if (user === undefined) {
        throw new Problem('not-found', 'This store has no organization yet.', {
          hint: 'Run `docsctl init --org-title TITLE --email EMAIL` first.',
        });
      }
      return { user, owner: true, operator: true, organization: null, maxRole: 'admin' };
    }
    case 'member': {
      const user = await findUser(view, credential.email);
      if (user === undefined)
        throw new Problem(
          'not-found',
          `There is no user with the email ${credential.email.slice(0, 254)} in this store.`,
          {
            hint: 'Check --as, DOCSCTL_AS and the setting `as` (`docsctl config unset as` removes it). To see the members, run `docsctl members list` without any of the three.',
          },
        );
      return {
        user,
        owner: false,
        operator: false,
        organization: null,
        maxRole: 'admin',
        signedInTo: 'all',
      };
    }
    case 'token': {
      if (credential.token.startsWith(integrationPrefix))
        return identifyIntegration(view, credential.token, now);
      const row = isToken(credential.token)
        ? await findOne(view, tokens, 'byHash', [hashToken(credential.token)])
        : undefined;
      const caller = await callerOfToken(view, row, now);
      if (caller === undefined) throw invalidToken();
      return caller;
    }
    case 'session': {
      const session = await view.get(appSessions, hashToken(credential.session));
      const isValid =
        session !== undefined &&
        session.expiresAt > now &&
        (session.isPreview ?? false) === (credential.isPreview ?? false);
      const row = isValid ? await view.get(tokens, session.token) : undefined;
      const caller = await callerOfToken(view, row, now);
      if (caller === undefined)
        throw new Problem('unauthenticated', 'The session of this browser is not valid, or has ended.', {
          hint: 'Run `docsctl open` again.',
        });
      const ends = [session?.expiresAt ?? '', ...(caller.expiresAt === undefined ? [] : [caller.expiresAt])];
      return { ...caller, readOnly: true, expiresAt: ends.sort()[0] ?? '' };
    }
  }
}

/** Returns the caller of a token; undefined if the token is unknown or has expired. */
async function callerOfToken(
  view: ReadTransaction,
  row: TokenRow | undefined,
  now: string,
): Promise<Caller | undefined> {
  const user = row === undefined ? undefined : await view.get(users, row.user);
  if (row === undefined || user === undefined || (row.expiresAt !== null && row.expiresAt <= now))
    return undefined;
  return {
    user,
    owner: false,
    operator: row.operator,
    organization: row.organization,
    maxRole: row.role === 'guest' ? null : row.role,
    ...(row.provider !== undefined && row.isDerived === undefined && row.organization !== null
      ? { signedInTo: row.organization }
      : {}),
    token: row.id,
    ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
  };
}

function invalidToken(): Problem {
  return new Problem('unauthenticated', 'The token is not valid: it is mistyped, deleted or expired.', {
    hint: 'Run `docsctl login`, or set DOCSCTL_TOKEN to a token from `docsctl tokens create`.',
  });
}

/** Finds the integration that a token belongs to. @throws Problem(unauthenticated) */
async function identifyIntegration(view: ReadTransaction, token: string, now: string): Promise<Caller> {
  const row = await findOne(view, integrationTokens, 'byHash', [hashToken(token)]);
  const integration = row === undefined ? undefined : await view.get(integrations, row.integration);
  const user = row === undefined ? undefined : await view.get(users, row.user);
  if (row === undefined || integration === undefined || user === undefined || row.expiresAt <= now)
    throw invalidToken();
  const installation =
    row.installation === undefined ? undefined : await view.get(installations, row.installation);
  if (row.installation !== undefined && installation === undefined) throw invalidToken();
  return {
    user,
    owner: false,
    operator: false,
    organization: installation?.organization ?? integration.organization,
    maxRole: null,
    token: row.id,
    expiresAt: row.expiresAt,
    integration: {
      name: integration.id,
      scopes: agreedScopes(integration, installation ?? {}),
      pendingScopes: pendingScopes(integration, installation ?? {}),
      ...defined({ installation }),
    },
  };
}

const prefix = 'dctl_';
const integrationPrefix = 'dcti_';

/** Creates a token of an integration: the prefix `dcti_` and 32 random characters. */
export function createIntegrationToken(randomBytes: (count: number) => Uint8Array): string {
  return integrationPrefix + createSecret(randomBytes);
}

/** Returns the ID of the user that changes of an integration are recorded for. */
export function integrationUserId(integration: string): string {
  return `${integrationUserPrefix}${hash('sha256', integration).slice(0, 20)}`;
}

const integrationUserPrefix = 'usr_integration_';

/** Whether a user ID stands for an integration. */
export function isIntegrationUser(id: string): boolean {
  return id.startsWith(integrationUserPrefix);
}

/**
 * Creates a token: the prefix `dctl_`, 32 random characters, and a checksum of 6 characters, with which mistyped tokens
 * are refused without a look-up.
 */
export function createToken(randomBytes: (count: number) => Uint8Array): string {
  const secret = createSecret(randomBytes);
  return `${prefix}${secret}${checksum(secret)}`;
}

/** Whether a text has the form of a token and the right checksum. */
export function isToken(text: string): boolean {
  if (!text.startsWith(prefix) || text.length !== prefix.length + 38) return false;
  const secret = text.slice(prefix.length, -6);
  return text.slice(-6) === checksum(secret);
}

function checksum(secret: string): string {
  return hash('sha256', `docsctl:${secret}`, 'base64url').replace(/[-_]/g, 'x').slice(0, 6);
}
