import { hash, type Hash } from 'node:crypto';
import { isObject } from './values.ts';

/** Returns the entity tag of an answer: 22 characters of the SHA-256 of its JSON, in quotes. */
export function entityTag(json: string): string {
  return toTag(hash('sha256', json, 'base64url'));
}

/** Returns the entity tag for the SHA-256 of an answer's JSON. */
export function entityTagOf(sha256: Hash): string {
  return toTag(sha256.digest('base64url'));
}

function toTag(digest: string): string {
  return `"${digest.slice(0, 22)}"`;
}

/**
 * Whether a list of entity tags, as in If-None-Match, contains a tag; `*` matches any. With `strong`, as in If-Match, a weak tag
 * never matches (RFC 9110, section 8.8.3.2).
 */
export function hasTag(list: string, tag: string, strong = false): boolean {
  const matching = strong ? [tag, '*'] : [tag, `W/${tag}`, '*'];
  return list.split(',').some((one) => matching.includes(one.trim()));
}

const tags = new WeakMap<object, () => string | undefined>();

/** Stores the entity tag of an answer for `tagOf`. */
export function noteTag(answer: unknown, tag: () => string | undefined): void {
  if (isObject(answer)) tags.set(answer, tag);
}

/** Returns the entity tag of an answer from an Api; undefined if there is none, because not all servers support tags. */
export function tagOf(answer: unknown): string | undefined {
  return isObject(answer) ? tags.get(answer)?.() : undefined;
}
