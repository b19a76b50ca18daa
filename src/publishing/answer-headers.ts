import { frameHosts } from '../render/embeds.ts';
import type { SiteAnswer } from './site-request.ts';

/**
 * The content security policy of pages: nothing from other origins except images and frames of known players. The frame for
 * diagrams has its own policy.
 */
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
 * Returns the content security policy of pages that may load from more origins, by directive. An origin is left out if its host
 * contains a character that ends a directive, which URLs allow.
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

/** Keeps search engines from listing an answer. Only HTML pages can use a meta tag instead. */
export const notIndexed = { 'x-robots-tag': 'noindex' };

/** The properties of a request and its site that headers depend on. */
interface AnswerPlace {
  readonly isSecure: boolean;
  /** Whether the answer depends on the visitor. */
  readonly isPrivate: boolean;
  /** Whether the URL contains the key of a share link, which other sites must not learn. */
  readonly hasKey: boolean;
  /** Whether search engines may list the answer. Only public sites are listed (default false). */
  readonly isIndexed?: boolean;
}

/** Returns the headers of all answers of sites. */
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
 * The content security policy of uploaded files: no scripts. When a browser opens a video or a sound, its player loads the file
 * again, which is refused for documents without an origin.
 */
export const filePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox allow-same-origin";

/** The types of files that browsers show. Other files are downloaded. */
const shownTypes =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|svg\+xml|x-icon|vnd\.microsoft\.icon)|video\/(?:mp4|webm|ogg)|audio\/(?:mpeg|mp4|ogg|wav|webm|aac|flac)|application\/pdf|text\/plain)(?=\s*(?:;|$))/i;

/** Returns the headers of an uploaded file. Scripts in it do not run. */
export function fileHeaders(contentType: string, name: string): Record<string, string> {
  const [type] = shownTypes.exec(contentType) ?? [];
  return {
    'content-type': type === undefined ? 'application/octet-stream' : contentTypeOf(type),
    'content-disposition': `${type === undefined ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`,
    'content-security-policy': filePolicy,
  };
}

/** Returns the headers of a file with a hash, of which clients can request parts. */
export function partHeaders(hash: string): Record<string, string> {
  return { etag: `"${hash}"`, 'accept-ranges': 'bytes' };
}

function contentTypeOf(type: string): string {
  return type.toLowerCase() === 'text/plain' ? 'text/plain; charset=utf-8' : type;
}

/** Returns a redirect to an address. Characters that are not allowed in a header are encoded. */
export function redirectTo(
  location: string,
  { permanent = false, headers = {} }: { permanent?: boolean; headers?: SiteAnswer['headers'] } = {},
): SiteAnswer {
  const encoded = location.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  return { status: permanent ? 308 : 307, headers: { ...headers, location: encoded } };
}
