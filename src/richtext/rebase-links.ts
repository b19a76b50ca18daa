import { posix } from 'node:path';
import { LineScanner } from './line-scanner.ts';

/** The text in front of the target of a link, an image, a definition, HTML or a tag, and the target up to a blank or ")". */
const target =
  /(\]\(\s{0,9}<?|^ {0,3}\[[^[\]^]{1,999}\]:[ \t]{1,9}<?|\b(?:href|src|url)=")([^\s)<>"]{1,1024})/gm;
const absolute = /^(?:[a-z][a-z0-9+.-]*:|[/#?])/i;

/**
 * Rewrites the relative links of the file `from` so that they work in the file `to`; without `to` they begin at the root.
 * Fenced code is kept.
 */
export function rebaseLinks(markdown: string, from: string, to: string | undefined): string {
  if (to !== undefined && posix.dirname(from) === posix.dirname(to)) return markdown;
  const rebase = (text: string): string =>
    text.replace(target, (whole, before: string, href: string) => {
      if (absolute.test(href)) return whole;
      const path = posix.join(posix.dirname(from), href);
      if (path === '..' || path.startsWith('../')) return whole;
      if (to === undefined) return `${before}/${path}`;
      return before + (posix.relative(posix.dirname(to), path) || '.') + (path.endsWith('/') ? '/' : '');
    });
  let rebased = '';
  let start = 0;
  let isCode = false;
  const endPart = (end: number): void => {
    const part = markdown.slice(start, end);
    rebased += isCode ? part : rebase(part);
    start = end;
  };
  for (const lines = new LineScanner(markdown); lines.next();) {
    if (lines.isFenced === isCode) continue;
    endPart(lines.start);
    isCode = lines.isFenced;
  }
  endPart(markdown.length);
  return rebased;
}
