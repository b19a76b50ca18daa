import { isObject } from '../../contract/values.ts';

/** The placeholder for a secret. */
export const redacted = '[redacted]';

/** Names of fields and query parameters with secrets, such as `token`, `signingSecret` and `privateKey`. */
export const secretNames =
  /(token|secret|secrets|password|credential|credentials|private_?key|signing_?key|api_?key|authorization|code|verifier|assertion|signature|key)$/i;

/**
 * Removes secrets that can be recognized by their form from a text: tokens, the IDs of invite links, with which anyone can join,
 * credentials in URLs, and the values of query parameters with a secret name, such as the code of a sign-in link.
 */
export function redactSecrets(text: string): string {
  return redactCredentials(text)
    .replace(/\b(?:dctl_[\w-]{20,}|inv_[\w-]{16,})/g, redacted)
    .replace(/([?&]([\w.~%-]{1,100})=)[^\s&#"'`<>\\]+/g, (all, start: string, name: string) =>
      secretNames.test(name) ? start + redacted : all,
    );
}

/**
 * Removes the credentials of URLs from a text. A user name alone counts as a credential, because git hosts accept a token as user
 * name. In ssh and PostgreSQL URLs, a user name alone is kept.
 */
function redactCredentials(text: string): string {
  return text.replace(
    /([a-z][a-z0-9+.-]{0,30})?:\/\/([^\s/?#"'`<>\\]+)@/gi,
    (all, scheme: string | undefined, user: string) =>
      !user.includes(':') && /^(?:(?:git\+)?ssh|postgres(?:ql)?)$/i.test(scheme ?? '')
        ? all
        : `${scheme ?? ''}://${redacted}@`,
  );
}

/** Copies a value without the credentials of URLs in its texts. */
export function withoutCredentials(value: unknown): unknown {
  if (typeof value === 'string') return /^[^\s/]+:\/\/\S+$/.test(value) ? redactCredentials(value) : value;
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutCredentials(inner)]));
}
