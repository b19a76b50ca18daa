import { domainToASCII, domainToUnicode } from 'node:url';
import { users, type UserRow } from './rows/organizations.ts';
import { findOne, type ReadTransaction } from './store.ts';

/** Returns a domain in lower case, and in Punycode if it has other letters than ASCII. */
export function normalizeDomain(domain: string): string {
  const lower = domain.toLowerCase();
  return /^[\u0021-\u007e]*$/.test(lower) ? lower : domainToASCII(lower) || lower;
}

/** Returns an email in the form in which emails are compared: in lower case, with the domain as of `normalizeDomain`. */
export function normalizeEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at).toLowerCase() + normalizeDomain(email.slice(at));
}

/** Returns the domain of an email as of `normalizeDomain`. */
export function emailDomainOf(email: string): string {
  return normalizeDomain(email.slice(email.lastIndexOf('@') + 1));
}

/** Returns an email with its domain in the letters that people read. */
export function readableEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + (domainToUnicode(email.slice(at)) || email.slice(at));
}

/** Returns the user with an email; undefined if there is none. */
export async function findUser(view: ReadTransaction, email: string): Promise<UserRow | undefined> {
  const address = normalizeEmail(email);
  // Older versions stored the domain with the letters with which it was entered.
  for (const one of new Set([address, readableEmail(address), email.toLowerCase()])) {
    const found = await findOne(view, users, 'byEmail', [one]);
    if (found !== undefined) return found;
  }
  return undefined;
}
