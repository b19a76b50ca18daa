import type { CallSource } from '../core/audit/record-call.ts';
import type { Credential } from '../core/callers.ts';
import { isoTime } from '../core/clock.ts';
import type { Core } from '../core/embedded.ts';
import { OneTimeCodes } from '../core/one-time-codes.ts';
import {
  appTimes,
  endSession,
  redeemLink,
  startSessionOfToken,
  type StartedSession,
} from '../resources/users/app-sessions.ts';

export interface AppSessions {
  /** Exchanges the code of a link for a session, once; undefined for an invalid or expired code. */
  readonly redeem: (
    code: string,
    from: CallSource,
  ) => Promise<(StartedSession & { readonly path: string }) | undefined>;
  /**
   * Returns the credential of a session; undefined if it is certain, without reading the store, that there is no such session.
   */
  readonly credentialOf: (session: string) => Credential | undefined;
  /** Ends a session; absent if sessions end with the program. */
  readonly end?: (session: string) => Promise<void>;
  /** Starts the session of a single sign-on token; absent if nobody signs in this way. */
  readonly startOfToken?: (
    token: string,
    start: { readonly path: string; readonly from: CallSource },
  ) => Promise<StartedSession | undefined>;
}

/** Returns the sessions of a server, which are in its store. */
export function storedSessions(core: Core): AppSessions {
  return {
    redeem: (code, from) => redeemLink(core, code, { from }),
    credentialOf: (session) => ({ kind: 'session', session }),
    end: (session) => endSession(core, session),
    startOfToken: (token, start) => startSessionOfToken(core, token, start),
  };
}

/** Returns the session of a program that shows one page to its own user. It is in memory only. */
export function localSessions(
  { randomBytes, clock }: Pick<Core, 'randomBytes' | 'clock'>,
  credential: Credential,
): { readonly sessions: AppSessions; readonly createCode: (path: string) => string } {
  const codes = new OneTimeCodes(randomBytes);
  const links = new Map<string, { readonly path: string; readonly ends: number }>();
  return {
    sessions: {
      redeem: async (code) => {
        const link = links.get(code);
        links.delete(code);
        const session = codes.redeem(code);
        const now = clock();
        if (link === undefined || session === undefined || link.ends <= now) return undefined;
        return { session, expiresAt: isoTime(now + appTimes.session), path: link.path };
      },
      credentialOf: (session) => (codes.isSession(session) ? credential : undefined),
    },
    createCode: (path) => {
      const code = codes.issue();
      links.set(code, { path, ends: clock() + appTimes.link });
      return code;
    },
  };
}
