import { table } from '../store.ts';

/** A link that opens the app or a preview of a site in a browser. It works once. */
interface SignInLinkRow {
  /** A digest of the code in the link. */
  readonly id: string;
  /** The ID of the token that made it. */
  readonly token: string;
  readonly path: string;
  /** Whether it opens a preview of a site instead of the app. */
  readonly isPreview?: true;
  readonly expiresAt: string;
}
export const signInLinks = table<SignInLinkRow>()('sign_in_links', {
  byExpiry: { on: [], by: ['expiresAt'] },
});

/** A session of a browser, which reads with the rights of a token and changes nothing. It ends with the token. */
interface AppSessionRow {
  /** A digest of the secret in the cookie. */
  readonly id: string;
  /** The ID of the token. */
  readonly token: string;
  /** Whether it shows previews of sites instead of the app. */
  readonly isPreview?: true;
  readonly expiresAt: string;
}
export const appSessions = table<AppSessionRow>()('app_sessions', {
  byExpiry: { on: [], by: ['expiresAt'] },
});
