import { contentPolicy, filePolicy } from '../publishing/answer-headers.ts';

/** The files that hosts of static files read: what GitHub Pages must not leave out, and the headers of answers. */
export function hostFiles(isIndexed: boolean): readonly (readonly [file: string, text: string])[] {
  const assets = 'Cache-Control: public, max-age=31536000, immutable';
  const headers = [
    [
      '/*',
      `Content-Security-Policy: ${contentPolicy}`,
      'X-Content-Type-Options: nosniff',
      'Referrer-Policy: same-origin',
      ...(isIndexed ? [] : ['X-Robots-Tag: noindex']),
    ],
    ['/~assets/*', assets],
    ['/*/~assets/*', assets],
    ['/~files/*', `Content-Security-Policy: ${filePolicy}`],
    ['/*/~files/*', `Content-Security-Policy: ${filePolicy}`],
  ];
  return [
    // GitHub Pages would leave out all that starts with "~".
    ['.nojekyll', ''],
    ['_headers', headers.map((lines) => `${lines.join('\n  ')}\n`).join('')],
  ];
}
