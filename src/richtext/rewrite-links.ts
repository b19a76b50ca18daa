import { maxLevels, readNoteFence } from './dialects.ts';
import { LineScanner } from './line-scanner.ts';
import { convertTemplates } from './templates.ts';

/**
 * Matches inline code, or the text before the target of a link, an image, a definition, HTML or a tag, and the target: in `<…>`,
 * up to a blank or ")", or in quotes. Targets may contain templates. Also matches links of Obsidian and images of Hugo.
 */
const pattern = new RegExp(
  [
    '(?<!`)(`{1,9})(?!`)[^\\n]{0,1000}?(?<!`)\\1(?!`)',
    String.raw`(\]\(\s{0,9}|^ {0,3}\[[^[\]^]{1,999}\]:[ \t]{1,9})(?:<([^<>\n]{1,1024})>|((?:\{[{%][^{}\n]{1,1024}[%}]\}|[^\s)<>"]){1,1024}))`,
    String.raw`(\b(?:href|src|url|srcset)=")([^"\n]{1,1024})`,
    String.raw`((?<![\w\])<\\])!?\[\[[^[\]\n]{1,1200}\]\](?![[(])|\{\{[<%]\s?(?:figure|image|img)\s[^{}\n]{1,2000}[>%]\}\})`,
  ].join('|'),
  'gm',
);

/** Returns the targets of the links of a Markdown text, without duplicates. Links in code are left out. */
export function linkHrefs(markdown: string): Set<string> {
  const hrefs = new Set<string>();
  rewriteLinks(markdown, (href) => void hrefs.add(href));
  return hrefs;
}

/** Rewrites the parts of a Markdown text that are not fenced code. MyST fences that contain Markdown are not code. */
export function rewriteOutsideCode(markdown: string, rewrite: (text: string) => string, level = 0): string {
  let rewritten = '';
  let start = 0;
  let kind: 'text' | 'code' | 'note' = 'text';
  let isNote = false;
  const endPart = (end: number): void => {
    const part = markdown.slice(start, end);
    rewritten +=
      kind === 'code' ? part : kind === 'text' ? rewrite(part) : rewriteOutsideCode(part, rewrite, level + 1);
    start = end;
  };
  for (const lines = new LineScanner(markdown); lines.next();) {
    const next = !lines.isFenced ? 'text' : lines.kind === 'code' && isNote ? 'note' : 'code';
    if (lines.kind === 'fence')
      isNote = level < maxLevels && readNoteFence(markdown.slice(lines.start, lines.end)) !== undefined;
    if (next === kind) continue;
    endPart(lines.start);
    kind = next;
  }
  endPart(markdown.length);
  return rewritten;
}

/** Replaces the targets of links. If the function returns undefined, the target does not change. Code is not changed. */
export function rewriteLinks(markdown: string, replace: (href: string) => string | undefined | void): string {
  const rewrite = (text: string): string =>
    text.replace(
      pattern,
      (
        whole,
        _ticks: string | undefined,
        before = '',
        inAngles: string | undefined,
        bare: string | undefined,
        attribute = '',
        quoted: string | undefined,
        template: string | undefined,
      ) => {
        if (template !== undefined) {
          const link = convertTemplates(template);
          const rewritten = link === template ? link : rewrite(link);
          return rewritten === link ? template : rewritten;
        }
        const href = inAngles ?? bare ?? quoted;
        const other = href === undefined ? undefined : replace(inAngles ?? convertTemplates(href));
        if (typeof other !== 'string') return whole;
        return quoted === undefined
          ? String(before) + (inAngles === undefined ? other : `<${other}>`)
          : String(attribute) + other;
      },
    );
  return rewriteOutsideCode(markdown, rewrite);
}
