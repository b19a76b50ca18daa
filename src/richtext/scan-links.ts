import { convertDialects } from './dialects.ts';
import { LineScanner } from './line-scanner.ts';
import { InlineScanner, readDestination, normalizeLabel, type ScannedLink } from './scan-inlines.ts';

export type { ScannedLink } from './scan-inlines.ts';

/**
 * Finds the links of a Markdown text without building its tree, in linear time. Each occurrence counts once: `[text](href)`,
 * `![alt](src)`, both parts of a linked image, uses of reference definitions, `<https://…>`, the attributes `href`, `src`,
 * `srcset`, `poster` and `data-ref` of HTML, and the target of a GitBook tag. A link inside a content-ref with the same target
 * does not count again. Code, comments and `<pre>` are left out, and bare URLs are text. Indented blocks are left out unless they
 * may belong to a list or a footnote.
 */
export function scanLinks(markdown: string): ScannedLink[] {
  const links = scanText(markdown);
  const converted = convertDialects(markdown);
  if (converted === markdown) return links;
  const shown = scanText(converted);
  // Anchors of other tools, such as `[](){#id}`, are not links.
  const hasEmpty = shown.some(({ href }) => href === '');
  return addConverted(
    links.filter(({ href }) => !/^\{|\{\{|\{%/.test(href) && (href !== '' || hasEmpty)),
    shown,
    markdown,
  );
}

/** Maximum number of links whose line is not found, to limit the time. */
const maxMisses = 100;

/** Adds the links in blocks of other dialects that look like code, at the next line of the original text with the same target. */
function addConverted(
  links: readonly ScannedLink[],
  converted: readonly ScannedLink[],
  markdown: string,
): ScannedLink[] {
  const counts = new Map<string, number>();
  for (const { href } of links) counts.set(href, (counts.get(href) ?? 0) + 1);
  const hidden = converted.filter(({ href }) => {
    const left = counts.get(href) ?? 0;
    counts.set(href, left - 1);
    return left <= 0;
  });
  let [at, line, misses] = [0, 1, 0];
  const added = hidden.map((link) => {
    const find = (text: string): number => (misses < maxMisses ? markdown.indexOf(text, at) : -1);
    let found = find(link.href.replace(/\]\]$/, ''));
    // A template of Jekyll names a file without the slash.
    if (found === -1) found = find(`link ${link.href.slice(1)}`);
    if (found === -1) misses++;
    else {
      line += markdown.slice(at, found).split('\n').length - 1;
      at = found;
    }
    return { ...link, line };
  });
  return [...links, ...added].sort((one, other) => one.line - other.line);
}

function scanText(markdown: string): ScannedLink[] {
  const lines = new LineScanner(markdown);
  const inlines = new InlineScanner(markdown);
  const definitions = new Map<string, string>();
  let block = -1;
  let [blockLine, quotes] = [0, 0];
  const endBlock = (at: number): void => {
    if (block !== -1) inlines.scan(block, at, blockLine);
    block = -1;
  };
  while (lines.next()) {
    const isText = lines.kind === 'text';
    const first = markdown.charCodeAt(lines.content);
    // A line with fewer quote marks (>) than the one before may belong to the same paragraph.
    if (!isText || lines.quotes > quotes || lines.itemColumn > 0 || isBlockStart(first))
      endBlock(lines.start);
    if (!isText || block !== -1) continue;
    if (first === openBracket && readDefinition(markdown, lines.content, lines.end, definitions)) continue;
    [block, blockLine, quotes] = [lines.start, lines.number, lines.quotes];
  }
  endBlock(markdown.length);
  return resolveReferences(inlines.found, definitions);
}

const openBracket = 91;

/** Whether the character starts a heading, HTML, a tag or a row of a table. */
function isBlockStart(code: number): boolean {
  return code === 35 || code === 60 || code === 123 || code === 124;
}

const definition = /\[((?:[^[\]\\\n]|\\.){1,999})\]:/y;

/** Parses `[label]: href` into the definitions. The first definition of a label counts. */
function readDefinition(text: string, at: number, end: number, definitions: Map<string, string>): boolean {
  definition.lastIndex = at;
  const label = definition.exec(text)?.[1];
  if (label === undefined || label.startsWith('^') || label.trim() === '') return false;
  let from = at + label.length + 3;
  while (from < end && (text[from] === ' ' || text[from] === '\t')) from++;
  const target = from >= end ? undefined : readDestination(text, from, end);
  if (target === undefined || (target.href === '' && text[from] !== '<')) return false;
  const name = normalizeLabel(label);
  if (!definitions.has(name)) definitions.set(name, target.href);
  return true;
}

/** Whether a link leads to a footnote: `[a word](#user-content-fn-1)[^1]`. */
function isAnnotated(href: string): boolean {
  return href.startsWith('#user-content-fn-');
}

/** Resolves uses of references. A label without a definition is text. */
function resolveReferences(
  found: InlineScanner['found'],
  definitions: ReadonlyMap<string, string>,
): ScannedLink[] {
  const links: ScannedLink[] = [];
  for (const { href, line, kind, label } of found) {
    const target = label === undefined ? href : definitions.get(normalizeLabel(label));
    if (target !== undefined && !isAnnotated(target)) links.push({ href: target, line, kind });
  }
  return links;
}
