/** @import { Comments } from './types.d.ts' */

/**
 * Writes a comment, or replaces the one that an earlier run has written for the same key. Comments of other authors are
 * never touched, whatever they contain. Returns the address of the comment.
 * @param {Comments} comments
 * @param {string} key
 * @param {string} body
 */
export async function writeStickyComment(comments, key, body) {
  const marker = markerOf(key);
  const former = (await comments.list()).find((comment) => comment.isOwn && comment.body.startsWith(marker));
  const text = `${marker}\n${body}`;
  return former === undefined ? comments.create(text) : comments.update(former.id, text);
}

/**
 * Returns the first line of a comment, which readers do not see.
 * @param {string} key
 */
export function markerOf(key) {
  return `<!-- docsctl: ${encodeURIComponent(key)} -->`;
}
