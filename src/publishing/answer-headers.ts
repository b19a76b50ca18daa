import { frameHosts } from '../render/embeds.ts';
import type { SiteAnswer } from './site-request.ts';

/** What pages may load and do: nothing from elsewhere but images and frames of known players. The frame of diagrams is their own. */
const directives: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: https: http:",
  'font-src': "'self'",
  'media-src': "'self' https:",
  'connect-src': "'self'",
  'frame-src': ["'self'", ...frameHosts].join(' '),
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

/**
 * Writes the content security policy of pages that may load more: the origins by their directives. An origin is left out if
 * its host has a sign that ends a directive: a URL may have one there.
 */
export function contentPolicyWith(origins: Readonly<Record<string, Iterable<string>>>): string {
  const all = { ...directives };
  for (const [name, more] of Object.entries(origins)) {
    const added = [...new Set(more)].filter((origin) => !/[;,\s]/.test(origin)).join(' ');
    if (added !== '') all[name] = `${all[name] ?? "'self'"} ${added}`;
  }
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

/** The policy of most pages. */
export const contentPolicy = contentPolicyWith({});

/** Keeps search engines from listing an answer. Only HTML can say so itself. */
export const notIndexed = { 'x-robots-tag': 'noindex' };

/** Where an answer is sent. */
interface AnswerPlace {
  readonly isSecure: boolean;
  /** Whether the answer depends on who asks. */
  readonly isPrivate: boolean;
  /** Whether the address has the key of a share link, which no other site may learn. */
  readonly hasKey: boolean;
  /** Whether search engines may list the answer: only public sites are listed (default: no). */
  readonly isIndexed?: boolean;
}

/** The headers of all answers of sites. */
export function commonHeaders({
  isSecure,
  isPrivate,
  hasKey,
  isIndexed = false,
}: AnswerPlace): Record<string, string> {
  return {
    'content-security-policy': contentPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': hasKey ? 'no-referrer' : 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': isPrivate ? 'private, no-store' : 'public, max-age=0, must-revalidate',
    vary: 'accept, accept-encoding, authorization, cookie',
    ...(isIndexed ? {} : notIndexed),
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/**
 * What files that authors uploaded may load and do: nothing runs in them. A browser that opens a video or a sound loads the file
 * again for its player, which it refuses to documents without an origin.
 */
export const filePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox allow-same-origin";

/** The types of files that browsers show. Others are downloaded. */
const shownTypes =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|svg\+xml|x-icon|vnd\.microsoft\.icon)|video\/(?:mp4|webm|ogg)|audio\/(?:mpeg|mp4|ogg|wav|webm|aac|flac)|application\/pdf|text\/plain)(?=\s*(?:;|$))/i;

/** The headers of a file that authors uploaded: nothing in it runs. */
export function fileHeaders(contentType: string, name: string): Record<string, string> {
  const [type] = shownTypes.exec(contentType) ?? [];
  return {
    'content-type': type === undefined ? 'application/octet-stream' : contentTypeOf(type),
    'content-disposition': `${type === undefined ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`,
    'content-security-policy': filePolicy,
  };
}

/** The headers of a file with a hash. Clients can request parts of it. */
export function partHeaders(hash: string): Record<string, string> {
  return { etag: `"${hash}"`, 'accept-ranges': 'bytes' };
}

function contentTypeOf(type: string): string {
  return type.toLowerCase() === 'text/plain' ? 'text/plain; charset=utf-8' : type;
}

/** An answer that leads to another address. What a header cannot hold is encoded in it. */
export function redirectTo(
  location: string,
  { permanent = false, headers = {} }: { permanent?: boolean; headers?: SiteAnswer['headers'] } = {},
): SiteAnswer {
  const encoded = location.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  return { status: permanent ? 308 : 307, headers: { ...headers, location: encoded } };
}
