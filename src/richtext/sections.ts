import type { RootContent } from 'mdast';
import { maxDepth, tooDeep } from './guard.ts';
import { tokenizeHtml, type HtmlToken } from './html.ts';
import { nest, type Nested, type Part } from './nest.ts';
import { isClosable, splitTagLine, type Tag } from './tags.ts';

/** Parses a piece of Markdown by itself. */
export type Parse = (text: string, options: { readonly tags: boolean }) => RootContent[];

/** Puts what stands between `{% tags %}`, and inside `<details>`, into sections; at every depth, which it bounds. */
export function groupSections(nodes: readonly RootContent[], parse: Parse, depth = 0): RootContent[] {
  if (depth > 2 * maxDepth) throw tooDeep();
  const parts = nodes.flatMap((node): Part<RootContent>[] => {
    if (node.type === 'tagLine') return partsOfTagLine(node.value, parse);
    if (node.type === 'html' && /<\/?(?:details|summary)[\s>]/i.test(node.value) && !isWhole(node.value))
      return partsOfHtml(node.value, parse);
    return [{ item: node }];
  });
  return built(nest(parts), parse, depth);
}

/** HTML that is one block whatever is in it: raw text, or a table from its beginning to its end. */
function isWhole(html: string): boolean {
  return (
    /^<(?:[!?]|(?:pre|script|style|textarea)\b)/i.test(html) ||
    (/^<table[\s>]/i.test(html) && /<\/table>\s*$/i.test(html.slice(-99)))
  );
}

function built(nested: readonly Nested<RootContent>[], parse: Parse, depth: number): RootContent[] {
  if (depth > 2 * maxDepth) throw tooDeep();
  return nested.map((part): RootContent => {
    if (!('item' in part)) {
      const [open, close] = [sourceOf(part.open), sourceOf(part.close)];
      const [tag] = part.open.type === 'tagLine' ? splitTagLine(open) : [];
      const { name, argument } = typeof tag === 'object' ? tag : { name: 'details', argument: '' };
      return { type: 'section', name, argument, open, close, children: built(part.inner, parse, depth + 1) };
    }
    const { item } = part;
    if (item.type === 'blockquote' || item.type === 'listItem' || item.type === 'footnoteDefinition')
      return { ...item, children: groupSections(item.children, parse, depth + 1) as typeof item.children };
    if (item.type === 'list')
      return { ...item, children: groupSections(item.children, parse, depth + 1) as typeof item.children };
    return item;
  });
}

function sourceOf(node: RootContent): string {
  return 'value' in node ? node.value : '';
}

/** The tags of a line. A line that has text as well must close what it opens, or it is all text. */
function partsOfTagLine(line: string, parse: Parse): Part<RootContent>[] {
  const given = splitTagLine(line);
  const parts = given.flatMap((part): Part<RootContent>[] => {
    if (typeof part === 'string') return parse(part.trim(), { tags: false }).map((item) => ({ item }));
    return [{ item: { type: 'tagLine', value: part.raw }, ...roleOf(part) }];
  });
  const hasText = given.some((part) => typeof part === 'string');
  if (hasText && nest(parts).some((part) => 'item' in part))
    return parse(line, { tags: false }).map((item) => ({ item }));
  return parts;
}

function roleOf({ name, isClosing }: Tag): Omit<Part<RootContent>, 'item'> {
  if (!isClosable(name)) return {};
  return isClosing ? { closes: name } : { opens: name };
}

/** The tags of `<details>`, each `<summary>`, and the Markdown between them. */
function partsOfHtml(html: string, parse: Parse): Part<RootContent>[] {
  const parts: Part<RootContent>[] = [];
  const tokens = tokenizeHtml(html);
  let rest = '';
  const flush = () => {
    if (rest.trim() !== '')
      for (const item of parse(rest.replace(/^[ \t]*\n/, '').trimEnd(), { tags: false }))
        parts.push({ item });
    rest = '';
  };
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const role = roleOfHtml(token);
    const summary = role === undefined ? summaryAt(tokens, index) : undefined;
    if (role === undefined && summary === undefined) rest += token.raw;
    else {
      flush();
      if (role !== undefined) parts.push({ item: { type: 'html', value: token.raw }, ...role });
      else {
        parts.push({ item: { type: 'summary', raw: summary!.raw, value: summary!.value } });
        index = summary!.end;
      }
    }
  }
  flush();
  return parts;
}

function roleOfHtml(token: HtmlToken): Omit<Part<RootContent>, 'item'> | undefined {
  if ((token.kind !== 'open' && token.kind !== 'close') || token.name !== 'details') return undefined;
  return token.kind === 'open' ? { opens: '<details>' } : { closes: '<details>' };
}

/** The `<summary>` that begins at a token; it ends before the next one begins. */
function summaryAt(
  tokens: readonly HtmlToken[],
  from: number,
): { readonly raw: string; readonly value: string; readonly end: number } | undefined {
  const isSummary = (token: HtmlToken | undefined) =>
    (token?.kind === 'open' || token?.kind === 'close') && token.name === 'summary';
  if (!isSummary(tokens[from]) || tokens[from]!.kind !== 'open') return undefined;
  let end = from + 1;
  while (end < tokens.length && !isSummary(tokens[end])) end++;
  if (tokens[end]?.kind !== 'close') return undefined;
  const raw = (part: readonly HtmlToken[]) => part.map((token) => token.raw).join('');
  return { raw: raw(tokens.slice(from, end + 1)), value: raw(tokens.slice(from + 1, end)).trim(), end };
}
