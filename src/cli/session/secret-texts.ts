/** The placeholder for a secret. */
export const redacted = '[redacted]';

/** Names of fields and query parameters that hold secrets, such as `token`, `signingSecret` and `privateKey`. */
export const secretNames =
  /(token|secret|secrets|password|credential|credentials|private_?key|signing_?key|api_?key|authorization|code|verifier|assertion|signature|key)$/i;

/**
 * Removes the secrets that can be recognized by their form from a text: tokens, the IDs of invite links, with which anyone
 * can join, credentials in URLs, and the values of query parameters with the name of a secret, such as the code of a sign-in
 * link.
 */
export function redactSecrets(text: string): string {
  return redactCredentials(text)
    .replace(/\b(?:dctl_[\w-]{20,}|inv_[\w-]{16,})/g, redacted)
    .replace(/([?&]([\w.~%-]{1,100})=)[^\s&#"'`<>\\]+/g, (all, start: string, name: string) =>
      secretNames.test(name) ? start + redacted : all,
    );
}

/**
 * Removes the credentials of URLs from a text. A user name alone is a credential, because git hosts take a token as the user
 * name. The exceptions are ssh and PostgreSQL, where it is only a name.
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

/** A copy of a value without the credentials in those of its texts that are URLs. */
export function withoutCredentials(value: unknown): unknown {
  if (typeof value === 'string') return /^[^\s/]+:\/\/\S+$/.test(value) ? redactCredentials(value) : value;
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutCredentials(inner)]));
}
