import { rewriteOutsideCode } from './rewrite-links.ts';

const label = String.raw`((?:\\.|[^[\]\\\n]|\n(?!\s*\n)|\[(?:\\.|[^[\]\\\n]){0,999}\](?:\([^()\s]{0,1024}\))?){0,999})`;
const target = String.raw`(?:<([^<>\n]{1,1024})>|([^\s)<>"]{1,1024}))`;
const title = String.raw`(?:\s+(?:"[^"\n]{0,999}"|'[^'\n]{0,999}'))?`;
const code = '(?<!`)(?:`{1,9})(?!`)[^\\n]{0,1000}?(?<!`)`{1,9}(?!`)';

const reference = new RegExp(String.raw`${code}|\{% content-ref url="([^"\n]{1,1024})" %\}([^]{0,4000}?)\{% endcontent-ref %\}`, 'g'); // prettier-ignore
const caption = String.raw`(?:((?:(?!\{% (?:end)?file)[^]){0,4000})\{% endfile %\})?`;
const file = new RegExp(String.raw`${code}|\{% file src="([^"\n]{1,1024})"[^%\n]{0,999}%\}${caption}`, 'g');
const inline = new RegExp(String.raw`${code}|!?\[${label}\]\(\s{0,9}${target}${title}\s{0,9}\)`, 'g');
const definition = new RegExp(
  String.raw`^ {0,3}\[([^[\]^\n]{1,999})\]:[ \t]{1,9}${target}[^\n]{0,999}(?:\n|$)`,
  'gm',
);
const attribute = new RegExp(
  String.raw`${code}|(<[a-z][^<>]{0,2000}?)\s(?:href|src|srcset)="([^"\n]{1,1024})"`,
  'gi',
);
const use = new RegExp(String.raw`${code}|!?\[${label}\](?:\[([^[\]\n]{0,999})\])?(?![(:[])`, 'g');

/**
 * Removes the links for which the function returns true: their text remains, or the description of an image. Code is not changed.
 * It takes linear time.
 */
export function unlink(markdown: string, isUnwanted: (href: string) => boolean): string {
  const dropped = new Set<string>();
  const isDropped = (href: string | undefined): boolean => href !== undefined && isUnwanted(href);
  const unlinkInline = (text: string): string =>
    text.replace(inline, (whole, shown: string | undefined, angled?: string, bare?: string) => {
      const inner = shown?.includes('](') === true ? unlinkInline(shown) : shown;
      if (isDropped(angled ?? bare)) return inner ?? '';
      return inner === shown || shown === undefined ? whole : whole.replace(shown, () => inner ?? '');
    });
  const rewritten = rewriteOutsideCode(markdown, (part) => {
    const text = part
      .replace(reference, (whole, href?: string, inside = '') =>
        isDropped(href) ? String(inside).trim() : whole,
      )
      .replace(file, (whole, href?: string, inside = '') => (isDropped(href) ? String(inside).trim() : whole))
      .replace(definition, (whole, name: string, angled?: string, bare?: string) => {
        if (!isDropped(angled ?? bare)) return whole;
        dropped.add(nameOf(name));
        return '';
      })
      .replace(attribute, (whole, before = '', href?: string) => (isDropped(href) ? String(before) : whole));
    return unlinkInline(text);
  });
  if (dropped.size === 0) return rewritten;
  return rewriteOutsideCode(rewritten, (part) =>
    part.replace(use, (whole, shown: string | undefined, name: string | undefined) =>
      shown !== undefined && dropped.has(nameOf(name === undefined || name === '' ? shown : name))
        ? shown
        : whole,
    ),
  );
}

/** Returns the form of a label in which labels of definitions are compared. */
function nameOf(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}
