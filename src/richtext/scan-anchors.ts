import { convertDialects } from './dialects.ts';
import { includesMarkdown } from './file-includes.ts';
import { LineScanner } from './line-scanner.ts';
import { AnchorNames, anchorSlug, isParagraph, isUnderline, readHeading, titleOf } from './scan-sections.ts';

/** Maximum number and length of the headings that get anchors, as in a search. */
const maxHeadings = 2000;
const maxHeading = 4000;

/** Blocks whose content comes from elsewhere and may have its own anchors. */
const foreignBlock = /\{% *(?:include|openapi|swagger|openapi-operation|openapi-schemas|content)[\s%]/;
/** Matches blocks that have an anchor made from their title or date: tabs, steps, code, updates and expandable blocks. */
const titled =
  /\{% *(?:(?:tab|step|code) [^%]{0,500}?\btitle|update [^%]{0,500}?\bdate)="([^"\n]{1,255})"|<summary>(.{1,300}?)<\/summary>/g;
/** Marks of quotes, and of an item that starts with a heading. */
const nesting = /^(?: {0,3}>[ \t]?){1,20}|^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}(?=#)/;
const explicit = /<[a-z][\w-]*\s[^<>]{0,500}?\b(?:id|name)\s?=\s?(?:"([^"<>]{1,255})"|'([^'<>]{1,255})')/gi;

/**
 * Returns the anchors of a Markdown text, sorted: from headings, from the titles of tabs and expandable blocks, from the dates of
 * updates, and from ids in HTML. Undefined if it includes content with unknown anchors, so that no anchor can be reported as
 * missing.
 */
export function scanAnchors(given: string): string[] | undefined {
  if (includesMarkdown(given)) return undefined;
  const markdown = convertDialects(given);
  const found = new Set<string>();
  const names = new AnchorNames();
  const titles: string[] = [];
  let headings = 0;
  let before = '';
  let wasNested = false;
  const add = (heading: string): void => {
    headings++;
    found.add(names.name(heading.slice(0, maxHeading)).anchor);
  };
  for (const lines = new LineScanner(markdown); lines.next();) {
    if (lines.kind === 'blank' || lines.isFenced || lines.kind === 'comment') {
      before = '';
      continue;
    }
    const line = markdown.slice(lines.start, lines.end);
    if (line.includes('{%')) {
      if (foreignBlock.test(line)) return undefined;
    }
    if (line.includes('="') || line.includes('<summary>'))
      for (const [, title, summary = ''] of line.matchAll(titled)) titles.push(title ?? titleOf(summary));
    if (line.includes('<'))
      for (const [, double, single = ''] of line.matchAll(explicit)) found.add(double ?? single);
    const bare = line.replace(nesting, '');
    const isNested = bare.length < line.length;
    const first = bare.trimStart().charAt(0);
    if (headings < maxHeadings && first !== '' && '#=-<'.includes(first)) {
      const isSetext = isUnderline(bare) && isParagraph(before) && wasNested === isNested;
      const title = isSetext ? before : readHeading(bare);
      if (title !== undefined) add(title);
    }
    before = bare;
    wasNested = isNested;
  }
  // On sites, blocks with titles get only anchors that headings do not use.
  for (const title of titles) found.add(names.free(anchorSlug(title)));
  found.delete('');
  return [...found].sort();
}
