import type { RootContent } from 'mdast';
import { maxDepth, tooDeep } from './guard.ts';
import { tokenizeHtml, type HtmlToken } from './html.ts';
import { nest, type Nested, type Part } from './nest.ts';
import { isClosable, splitTagLine, type Tag } from './tags.ts';
import type { Summary } from './tree.ts';

/** Parses a piece of Markdown by itself. */
export type Parse = (text: string, options: { readonly tags: boolean }) => RootContent[];

/**
 * Groups the content of `{% tags %}` and of `<details>` into sections, at every depth.
 *
 * @throws Problem(invalid-input) for more than 200 levels
 */
export function groupSections(nodes: readonly RootContent[], parse: Parse, depth = 0): RootContent[] {
  if (depth > 2 * maxDepth) throw tooDeep();
  const parts = nodes.flatMap((node): Part<RootContent>[] => {
    if (node.type === 'tagLine') return partsOfTagLine(node.value, parse);
    if (node.type === 'html' && /<\/?(?:details|summary)[\s>]/i.test(node.value) && !isWhole(node.value))
      return partsOfHtml(node.value, parse);
    return [{ item: node }];
  });
  return buildSections(nest(parts), parse, depth);
}

/** Whether HTML is one block regardless of its content: raw text, or a whole table. */
function isWhole(html: string): boolean {
  return (
    /^<(?:[!?]|(?:pre|script|style|textarea)\b)/i.test(html) ||
    (/^<table[\s>]/i.test(html) && /<\/table>\s*$/i.test(html.slice(-99)))
  );
}

function buildSections(nested: readonly Nested<RootContent>[], parse: Parse, depth: number): RootContent[] {
  if (depth > 2 * maxDepth) throw tooDeep();
  return nested.map((part): RootContent => {
    if (!('item' in part)) {
      const [open, close] = [sourceOf(part.open), sourceOf(part.close)];
      const [tag] = part.open.type === 'tagLine' ? splitTagLine(open) : [];
      const { name, argument } = typeof tag === 'object' ? tag : { name: 'details', argument: '' };
      return {
        type: 'section',
        name,
        argument,
        open,
        close,
        children: buildSections(part.inner, parse, depth + 1),
      };
    }
    const { item } = part;
    switch (item.type) {
      case 'blockquote':
      case 'listItem':
      case 'footnoteDefinition':
      case 'list':
        return { ...item, children: groupSections(item.children, parse, depth + 1) } as typeof item;
      default:
        return item;
    }
  });
}

function sourceOf(node: RootContent): string {
  return 'value' in node ? node.value : '';
}

/** Returns the tags of a line. A line that also has text must close all tags that it opens; otherwise it is text. */
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

/** Returns the tags of `<details>`, each `<summary>`, and the Markdown between them. */
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
  let next = 0;
  for (const [index, token] of tokens.entries()) {
    if (index < next) continue;
    const role = roleOfHtml(token);
    const summary = role === undefined ? summaryAt(tokens, index) : undefined;
    if (role !== undefined) {
      flush();
      parts.push({ item: { type: 'html', value: token.raw }, ...role });
    } else if (summary !== undefined) {
      flush();
      parts.push({ item: summary.item });
      next = summary.next;
    } else rest += token.raw;
  }
  flush();
  return parts;
}

function roleOfHtml(token: HtmlToken): Omit<Part<RootContent>, 'item'> | undefined {
  if (!('name' in token) || token.name !== 'details') return undefined;
  return token.kind === 'open' ? { opens: '<details>' } : { closes: '<details>' };
}

/** Parses the `<summary>` that starts at a token. It must end before the next one starts. */
function summaryAt(
  tokens: readonly HtmlToken[],
  from: number,
): { readonly item: Summary; readonly next: number } | undefined {
  const isSummary = (token: HtmlToken | undefined) =>
    token !== undefined && 'name' in token && token.name === 'summary';
  const first = tokens[from];
  if (!isSummary(first) || first?.kind !== 'open') return undefined;
  let end = from + 1;
  while (end < tokens.length && !isSummary(tokens[end])) end++;
  if (tokens[end]?.kind !== 'close') return undefined;
  const textOf = (part: readonly HtmlToken[]) => part.map(({ raw }) => raw).join('');
  const [raw, value] = [textOf(tokens.slice(from, end + 1)), textOf(tokens.slice(from + 1, end)).trim()];
  return { item: { type: 'summary', raw, value }, next: end + 1 };
}
