import { ownValue } from '../contract/values.ts';
import type { RichNode } from '../contract/shapes.ts';
import { decodeHtml, openTag, type HtmlToken } from './html.ts';
import { markTags, sortMarks, tagMarks, type Leaf, type Mark } from './marks.ts';
import { block, leavesOf, textNode } from './nodes.ts';

/** The attributes of `<pre>` for the display of code, with the corresponding fields of a code block. */
const attributeFields: Readonly<Record<string, string>> = {
  'data-title': 'title',
  'data-overflow': 'overflow',
  'data-line-numbers': 'lineNumbers',
  'data-full-width': 'fullWidth',
};

/** Parses `<pre><code>`, which GitBook writes for code with marks, as a code block; undefined for other HTML. */
export function readHtmlCode(tokens: readonly HtmlToken[]): RichNode | undefined {
  const [pre, code, ...rest] = tokens;
  const [closeCode, closePre] = rest.slice(-2);
  if (pre?.kind !== 'open' || code?.kind !== 'open' || code.name !== 'code') return undefined;
  if (closeCode?.kind !== 'close' || closeCode.name !== 'code' || closePre?.kind !== 'close')
    return undefined;
  const data: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(pre.attributes)) {
    const field = attributeFields[name];
    if (field !== undefined)
      data[field] = value === '' || value === 'true' ? true : value === 'false' ? false : value;
    else if (name !== 'class') return undefined;
  }
  if (Object.keys(code.attributes).some((name) => name !== 'class')) return undefined;
  const classes = `${code.attributes['class'] ?? ''} ${pre.attributes['class'] ?? ''}`;
  const [, syntax] = /(?:^|\s)lang(?:uage)?-(\S+)/.exec(classes) ?? [];
  const lines = linesOf(rest.slice(0, -2));
  return (
    lines &&
    block(
      'code',
      lines.map((leaves) => block('code-line', [textNode(leaves)])),
      { ...(syntax === undefined ? {} : { syntax }), ...data },
    )
  );
}

/** Returns the lines of code with their marks; undefined if a tag is not a mark or is not closed. */
function linesOf(tokens: readonly HtmlToken[]): Leaf[][] | undefined {
  const lines: Leaf[][] = [[]];
  const open: Mark[] = [];
  for (const token of tokens) {
    if (token.kind === 'text') {
      for (const [index, text] of decodeHtml(token.raw).split(/\r?\n/).entries()) {
        if (index > 0) lines.push([]);
        if (text !== '') lines.at(-1)?.push({ text, marks: sortMarks([...new Set(open)]) });
      }
      continue;
    }
    if (!('name' in token)) return undefined;
    const mark = ownValue(tagMarks, token.name);
    if (mark === undefined) return undefined;
    if (token.kind === 'close') {
      if (open.pop() !== mark) return undefined;
    } else if (Object.keys(token.attributes).length > 0) return undefined;
    else open.push(mark);
  }
  if (open.length > 0) return undefined;
  // The line end before `</code>` does not start another line.
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
  return lines.map((leaves) => (leaves.length === 0 ? [{ text: '', marks: [] }] : leaves));
}

/** Whether code has marks, which a fence cannot express. */
export function hasMarks(code: RichNode): boolean {
  return linesWith(code).some((leaves) => leaves.some(({ marks }) => marks.some(isWritten)));
}

/** Writes code as one line of HTML, with the attributes of the code block. */
export function htmlLineOfCode(code: RichNode): string {
  const attributes = Object.entries(attributeFields).flatMap(([name, field]) => {
    const value = code.data?.[field];
    return typeof value === 'string' || typeof value === 'boolean' ? [[name, String(value)]] : [];
  });
  const html = htmlOfCode(code).replaceAll('\n', '&#10;');
  const tag = openTag('pre', Object.fromEntries(attributes) as Record<string, string>);
  return `${tag.slice(0, -1)}${html.slice('<pre'.length)}`;
}

/** Writes code with marks as `<pre><code>`. */
export function htmlOfCode(code: RichNode): string {
  const syntax = code.data?.['syntax'];
  const [outer, inner] =
    typeof syntax === 'string' ? [{ class: `language-${syntax}` }, { class: `lang-${syntax}` }] : [{}, {}];
  const lines = linesWith(code).map((leaves) => leaves.map(htmlOfLeaf).join(''));
  return `${openTag('pre', outer)}${openTag('code', inner)}${lines.join('\n')}${lines.length > 1 && lines.at(-1) === '' ? '\n' : ''}</code></pre>`;
}

function linesWith(code: RichNode): Leaf[][] {
  return (code.nodes ?? []).map((line) =>
    (line.nodes ?? []).flatMap((node) => (node.object === 'text' ? leavesOf(node) : [])),
  );
}

function isWritten(mark: Mark): boolean {
  return mark !== 'code' && mark !== 'color';
}

function htmlOfLeaf({ text, marks }: Leaf): string {
  const tags = marks.filter(isWritten).map((mark) => markTags[mark]);
  const escaped = text.replace(/[&<>\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `${tags.map((tag) => `<${tag}>`).join('')}${escaped}${tags
    .toReversed()
    .map((tag) => `</${tag}>`)
    .join('')}`;
}
