import { contentPolicy, filePolicy } from '../publishing/answer-headers.ts';

/** Returns the configuration files of static hosts: a marker for GitHub Pages, and response headers. */
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
    // Without it, GitHub Pages leaves out all files that start with "~".
    ['.nojekyll', ''],
    ['_headers', headers.map((lines) => `${lines.join('\n  ')}\n`).join('')],
  ];
}
