/** The placeholder for a secret. */
export const redacted = '[redacted]';

/**
 * Removes the secrets that can be recognized by their form from a text: tokens, passwords in URLs, and the IDs of invite
 * links, with which anyone can join.
 */
export function redactSecrets(text: string): string {
  return text
    .replace(/\b(?:dctl_[\w-]{20,}|inv_[\w-]{16,})/g, redacted)
    .replace(/(?<=:\/\/)[^\s/?#@"'`]*:[^\s/?#"'`]*@/g, `${redacted}@`);
}
