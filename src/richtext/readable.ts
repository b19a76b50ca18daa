import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { decodeHtml, tokenizeHtml, type HtmlToken } from './html.ts';
import { markdownToDocument } from './markdown.ts';
import { block, fragmentsOf, leavesOf, textNode, voidInline } from './nodes.ts';
import { readHtmlContent } from './read-html-content.ts';
import { readHtmlTable } from './read-html-tables.ts';
import { readableText } from './readable-text.ts';
import { refOf } from './references.ts';
import type { Leaf } from './marks.ts';

/**
 * Reads Markdown as a document to be shown, not to be written again: HTML and tags that `markdownToDocument` keeps as they
 * are become what a reader sees of them.
 *
 * @throws Problem(too-large) or Problem(invalid-input) where the text is too long, too deep or too expensive
 */
export function markdownToRead(text: string): RichDocumentValue {
  const document = markdownToDocument(readableText(text));
  return { ...document, nodes: readableBlocks(document.nodes) };
}

function readableBlocks(nodes: readonly RichNode[]): RichNode[] {
  return nodes.flatMap((node): RichNode[] => {
    const html = htmlOf(node);
    if (html !== undefined) return blocksOfHtml(html).map(readable);
    const shown = readable(node);
    return node.type === 'paragraph' && isBlank(shown) && !isBlank(node) ? [] : [shown];
  });
}

function readable(node: RichNode): RichNode {
  if (node.object === 'text') return node;
  const isLine = (node.nodes ?? []).some(({ object }) => object === 'text' || object === 'inline');
  const fragments = fragmentsOf(node).map((one) => ({ ...one, nodes: readableBlocks(one.nodes ?? []) }));
  const isUncaptioned = node.type === 'image' && fragments.every(({ nodes }) => nodes.every(isBlank));
  return {
    ...node,
    ...(node.nodes === undefined
      ? {}
      : { nodes: isLine ? readableLine(node.nodes, node.type === 'paragraph') : readableBlocks(node.nodes) }),
    ...(fragments.length === 0 ? {} : { fragments: isUncaptioned ? [] : fragments }),
  };
}

/** The HTML of a paragraph that has nothing else. */
function htmlOf(node: RichNode): string | undefined {
  const [text, ...others] = node.type === 'paragraph' ? (node.nodes ?? []) : [];
  if (text?.object !== 'text' || others.length > 0) return undefined;
  const [leaf, ...more] = leavesOf(text);
  return leaf?.html === true && more.length === 0 ? leaf.text : undefined;
}

function blocksOfHtml(html: string): RichNode[] {
  const tokens = tokenizeHtml(html.trim()).filter(({ kind }) => kind !== 'comment');
  const [first] = tokens;
  if (first?.kind !== 'open') return contentOf(tokens);
  if (first.name === 'pre') return [codeOf(tokens)];
  const inner = tokens.at(-1)?.kind === 'close' ? tokens.slice(1, -1) : tokens.slice(1);
  const { 'data-tag': tag, 'data-style': style = 'info' } = first.attributes;
  if (first.name === 'div' && tag === 'hint') return [block('hint', contentOf(inner), { style })];
  return [(first.name === 'table' ? plainTable(tokens) : undefined) ?? contentOf(tokens)].flat();
}

function contentOf(tokens: readonly HtmlToken[]): RichNode[] {
  return readHtmlContent(tokens).filter((node) => !isBlank(node));
}

/** Reads code in HTML, which GitBook writes where some of its lines are marked. */
function codeOf(tokens: readonly HtmlToken[]): RichNode {
  const open = tokens.filter((token) => token.kind === 'open').slice(0, 2);
  const given = open
    .map(({ attributes }) => /(?:^|\s)lang(?:uage)?-(\S+)/.exec(attributes['class'] ?? '')?.[1])
    .find((name) => name !== undefined);
  const title = open[0]?.attributes['data-title'];
  const text = decodeHtml(tokens.map((token) => (token.kind === 'text' ? token.raw : '')).join(''))
    .replace(/^\n/, '')
    .trimEnd();
  const lines = text.split('\n').map((line) => block('code-line', [textNode([{ text: line, marks: [] }])]));
  return block('code', lines, {
    ...(given === undefined ? {} : { syntax: given }),
    ...(title === undefined ? {} : { title }),
  });
}

/** Reads a table without what a table block cannot have: cells over several columns, row headers, looks. */
function plainTable(tokens: readonly HtmlToken[]): RichNode | undefined {
  const isPart = (token: HtmlToken): token is HtmlToken & { kind: 'open' | 'close' } =>
    (token.kind === 'open' || token.kind === 'close') &&
    ['thead', 'tbody', 'tr', 'td', 'th'].includes(token.name);
  const firstEnd = tokens.findIndex((token) => token.kind === 'close' && token.name === 'tr');
  const hasHead = !tokens.slice(0, firstEnd + 1).some((token) => isPart(token) && token.name === 'td');
  const plain = tokens.flatMap((token, index): HtmlToken[] => {
    if ('name' in token && ['caption', 'colgroup', 'col', 'tfoot'].includes(token.name)) return [];
    if (!isPart(token)) return [token];
    const name = token.name === 'th' && (!hasHead || index > firstEnd) ? 'td' : token.name;
    return [token.kind === 'open' ? { ...token, name, attributes: {} } : { ...token, name }];
  });
  const rows = plain.filter(
    (token, index) =>
      token.kind !== 'text' ||
      token.raw.trim() !== '' ||
      !isRowEdge(plain[index - 1]) ||
      !isRowEdge(plain[index + 1]),
  );
  return readHtmlTable(rows);
}

function isRowEdge(token: HtmlToken | undefined): boolean {
  return (
    token === undefined ||
    ('name' in token && ['table', 'thead', 'tbody', 'tr', 'td', 'th'].includes(token.name))
  );
}

/** Reads a line without meaningless tags; the text between `<a href>` and its end becomes a link. */
function readableLine(nodes: readonly RichNode[], isParagraph: boolean): RichNode[] {
  const line = nodes.flatMap((node): RichNode[] => {
    if (node.object !== 'text') return [readable(node)];
    const found: RichNode[] = [];
    let leaves: Leaf[] = [];
    let link: string | undefined;
    const flush = (): void => {
      if (leaves.length === 0) return;
      const text = textNode(leaves);
      found.push(
        link === undefined
          ? text
          : { object: 'inline', type: 'link', isVoid: false, data: { ref: refOf(link) }, nodes: [text] },
      );
      leaves = [];
    };
    for (const leaf of leavesOf(node)) {
      if (leaf.html !== true) leaves.push(leaf);
      for (const tag of leaf.html === true ? tokenizeHtml(leaf.text) : []) {
        const { src, alt, href } = tag.kind === 'open' ? tag.attributes : {};
        const name = 'name' in tag ? tag.name : '';
        if (tag.kind === 'text') leaves.push({ ...leaf, text: decodeHtml(tag.raw), html: undefined });
        const image = name === 'img' && src !== undefined ? refOf(src) : undefined;
        if (name !== 'a' && image === undefined) continue;
        flush();
        if (image === undefined) link = href;
        else found.push(voidInline('inline-image', { ref: image, ...(alt ? { alt } : {}) }));
      }
    }
    flush();
    return found;
  });
  const last = line.at(-1);
  if (!isParagraph || last?.object !== 'text') return line;
  const leaves = leavesOf(last).map((leaf, index, all) =>
    index === all.length - 1 ? { ...leaf, text: leaf.text.trimEnd() } : leaf,
  );
  return [...line.slice(0, -1), textNode(leaves)];
}

function isBlank(node: RichNode): boolean {
  return (
    node.type === 'paragraph' &&
    (node.nodes ?? []).every(
      (child) => child.object === 'text' && leavesOf(child).every(({ text }) => text.trim() === ''),
    )
  );
}
