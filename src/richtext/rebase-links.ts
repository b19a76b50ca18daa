import { posix } from 'node:path';

const fence = /^[ \t>]*(`{3,}|~{3,})/;
/** What comes in front of a target in a link, an image, a definition, HTML or a tag, and the target as far as its first blank or ")". */
const target =
  /(\]\(\s{0,9}<?|^ {0,3}\[[^[\]^]{1,999}\]:[ \t]{1,9}<?|\b(?:href|src|url)=")([^\s)<>"]{1,1024})/gm;
const outward = /^(?:[a-z][a-z0-9+.-]*:|[/#?])/i;

/** Markdown of one file as it has to be in another: its relative links lead to where they led; from the root where the other has no place. Leaves blocks of code alone. */
export function rebaseLinks(markdown: string, from: string, to: string | undefined): string {
  if (to !== undefined && posix.dirname(from) === posix.dirname(to)) return markdown;
  const moved = (text: string): string =>
    text.replace(target, (whole, before: string, href: string) => {
      if (outward.test(href)) return whole;
      const path = posix.join(posix.dirname(from), href);
      if (path === '..' || path.startsWith('../')) return whole;
      const end = path.endsWith('/') ? '/' : '';
      return (
        before + (to === undefined ? `/${path}` : (posix.relative(posix.dirname(to), path) || '.') + end)
      );
    });
  let open = '';
  let text = '';
  let done = '';
  for (const line of markdown.split(/(?<=\n)/)) {
    const mark = fence.exec(line)?.[1];
    if (open === '' ? mark === undefined : mark?.startsWith(open) !== true) {
      if (open === '') text += line;
      else done += line;
      continue;
    }
    done += moved(text) + line;
    text = '';
    open = open === '' ? mark! : '';
  }
  return done + moved(text);
}
