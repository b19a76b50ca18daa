import type { SiteAnswer } from './site-request.ts';
import { themeFile } from './open-frame.ts';
import { filesOfAddresses } from './site-files.ts';
import type { SiteView } from './site-view.ts';

/** Returns a file that pages of all sites load. */
export function assetOf(segments: readonly string[]): SiteAnswer | undefined {
  if (segments.length !== 2 || segments[0] !== '~assets') return undefined;
  const file = filesOfAddresses().find(({ name }) => name === segments[1]);
  return file === undefined
    ? undefined
    : {
        status: 200,
        headers: { 'content-type': file.contentType, ...forever, ...file.headers },
        body: file.bytes,
      };
}

const forever = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Returns the stylesheet with the colors and fonts of the site, or of one of its spaces. Old file names get the current one, and
 * browsers keep it only for a short time.
 */
export function themeOf(view: SiteView, segments: readonly string[]): SiteAnswer | undefined {
  if (segments.length !== 2 || segments[0] !== '~assets' || !segments[1]?.startsWith('theme-'))
    return undefined;
  const files = [undefined, ...view.map.spaces].map((shown) => themeFile(view, shown));
  const exact = files.find(({ name }) => name === segments[1]);
  const file = exact ?? files[0];
  return file === undefined
    ? undefined
    : {
        status: 200,
        headers: { 'content-type': file.contentType, ...(exact === undefined ? {} : forever) },
        body: file.bytes,
      };
}
