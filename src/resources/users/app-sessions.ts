import { signInActions } from '../../core/audit/actions.ts';
import { createSecret } from '../../core/secrets.ts';
import type { CallSource } from '../../core/audit/record-call.ts';
import { recordChanges } from '../../core/audit/record-changes.ts';
import { hashToken, type Caller } from '../../core/callers.ts';
import { addTime, isoTime } from '../../core/clock.ts';
import type { Core } from '../../core/embedded.ts';
import { isActiveFor } from '../../core/membership.ts';
import { removeExpired } from '../../core/remove-expired.ts';
import { appSessions, signInLinks } from '../../core/rows/app-sessions.ts';
import {
  memberId,
  members,
  tokens,
  users,
  type TokenRow,
  type UserRow,
} from '../../core/rows/organizations.ts';
import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { findOne, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';

const minute = 60 * 1000;
/** Lifetime of a link, and maximum lifetime of a session, in milliseconds. */
export const appTimes = { link: 2 * minute, session: 8 * 60 * minute } as const;

type SessionCore = Pick<Core, 'store' | 'clock' | 'randomBytes'>;

export interface StartedSession {
  /** The value of the session cookie. The store contains only its digest. */
  readonly session: string;
  readonly expiresAt: string;
}

/**
 * Returns the ID of the token that a link signs in with.
 *
 * @throws Problem(forbidden) for an integration, Problem(conflict) without a token
 */
export function tokenOfLink({ integration, token }: Caller): string {
  if (integration !== undefined)
    throw new Problem('forbidden', 'Integrations cannot create links to pages for members.', {
      hint: 'Create the link with a token of a member: `docsctl tokens create`.',
    });
  if (token === undefined)
    throw new Problem(
      'conflict',
      'The link would open pages with the rights of a token, and a command on an embedded store has no token.',
      {
        hint: 'Run the command against a server: start `docsctl serve --sites-port 8081`, then run `docsctl login --server URL`.',
      },
    );
  return token;
}

/** Creates a link that opens a path of the app, or a preview, once, with the rights of a token. Returns its code. */
export async function createLink(
  { tx, now, randomBytes }: { tx: WriteTransaction; now: string } & Pick<Core, 'randomBytes'>,
  { token, path, isPreview }: { token: string; path: string; isPreview?: true },
): Promise<{ code: string; expiresAt: string }> {
  const code = createSecret(randomBytes);
  const expiresAt = addTime(now, appTimes.link);
  await removeExpired(tx, signInLinks, now);
  await tx.insert(signInLinks, { id: hashToken(code), token, path, ...defined({ isPreview }), expiresAt });
  return { code, expiresAt };
}

/**
 * Exchanges the code of a link for a session, once. Returns undefined if the code is unknown, used or expired, if its token was
 * deleted, or if the code of a preview is used in the app or vice versa. The recipient of a preview link must not see more than
 * previews.
 */
export async function redeemLink(
  core: SessionCore,
  code: string,
  { from, isPreview }: { from: CallSource; isPreview?: true },
): Promise<(StartedSession & { path: string }) | undefined> {
  return core.store.write(async (tx) => {
    const now = isoTime(core.clock());
    const link = await tx.get(signInLinks, hashToken(code));
    if (link === undefined || link.isPreview !== isPreview) return undefined;
    await tx.remove(signInLinks, link.id);
    const token = link.expiresAt <= now ? undefined : await tx.get(tokens, link.token);
    const started = token && (await startSession(core, tx, { token, path: link.path, isPreview, from, now }));
    return started && { ...started, path: link.path };
  });
}

/** Starts a session with the rights of a single sign-on token. Returns undefined if the token was deleted. */
export async function startSessionOfToken(
  core: SessionCore,
  secret: string,
  { path, from }: { path: string; from: CallSource },
): Promise<StartedSession | undefined> {
  return core.store.write(async (tx) => {
    const token = await findOne(tx, tokens, 'byHash', [hashToken(secret)]);
    return token && startSession(core, tx, { token, path, from, now: isoTime(core.clock()) });
  });
}

/** Ends the session of a browser, so that its cookie is refused. */
export async function endSession({ store }: SessionCore, session: string): Promise<void> {
  await store.write(async (tx) => {
    const row = await tx.get(appSessions, hashToken(session));
    if (row !== undefined) await tx.remove(appSessions, row.id);
  });
}

interface Start {
  readonly token: TokenRow;
  /** The path that the browser opens. It determines the organization of the audit event. */
  readonly path: string;
  readonly isPreview?: true | undefined;
  readonly from: CallSource;
  readonly now: string;
}

async function startSession(
  { randomBytes }: Pick<Core, 'randomBytes'>,
  tx: WriteTransaction,
  { token, path, isPreview, from, now }: Start,
): Promise<StartedSession | undefined> {
  const user = await tx.get(users, token.user);
  if (user === undefined || (token.expiresAt !== null && token.expiresAt <= now)) return undefined;
  const session = createSecret(randomBytes);
  const end = addTime(now, appTimes.session);
  const expiresAt = token.expiresAt !== null && token.expiresAt < end ? token.expiresAt : end;
  const organization = await organizationOf(tx, token, user, path);
  await recordChanges(
    tx,
    async (recorded) => {
      await removeExpired(recorded, appSessions, now);
      await recorded.insert(appSessions, {
        id: hashToken(session),
        token: token.id,
        ...defined({ isPreview }),
        expiresAt,
      });
    },
    () => ({
      action: signInActions.openApp.id,
      actor: { type: 'user', id: user.id, label: user.email },
      source: 'ui',
      origin: from.origin.kind === 'remote' ? { ...from.origin, token: token.id } : from.origin,
      execution: from.execution,
      correlation: from.correlation ?? from.execution,
      now,
      organization,
      targetIds: [user.id],
      fallback: () => ({ type: 'member', id: user.id, label: user.email }),
    }),
    { always: true },
  );
  return { session, expiresAt };
}

/** Returns the organization of a path, if the user is a member of it; undefined for a path without an organization. */
async function organizationOf(
  view: ReadTransaction,
  token: TokenRow,
  user: UserRow,
  path: string,
): Promise<string | undefined> {
  const named = /\/o\/([^/?#]+)/.exec(path)?.[1] ?? token.organization;
  const member = named === null ? undefined : await view.get(members, memberId(named, user.id));
  const caller: Pick<Caller, 'organization'> = { organization: token.organization };
  return member !== undefined && isActiveFor(caller, member) ? member.organization : undefined;
}
