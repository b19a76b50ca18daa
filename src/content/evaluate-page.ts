import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { decodeHtml } from '../richtext/html.ts';
import { LineScanner } from '../richtext/line-scanner.ts';
import { isInline, paragraphOf, plainText, textNode } from '../richtext/nodes.ts';
import { titleName } from '../richtext/table-data.ts';
import { defined, isRecord } from '../contract/values.ts';
import { rewriteOutsideCode } from '../richtext/rewrite-links.ts';
import type { Expressions } from './expressions.ts';
import { expressionSource, hasExpressions } from './hide-undecided.ts';

const expressionPattern = new RegExp(
  '(?<!`)(`{1,9})(?!`)[^\\n]{0,1000}?(?<!`)\\1(?!`)|' + expressionSource,
  'g',
);
const special = /[\\`*_[\]<|~]|\{(?=%)/g;

/**
 * Replaces the expressions of a Markdown text by their values, and evaluates its `{% if %}` blocks. Code does not change.
 * `escape` escapes a value (default: for Markdown).
 */
export function evaluateMarkdown(
  markdown: string,
  expressions: Expressions,
  escape: (value: string, expression: string) => string = (value) => value.replace(special, '\\$&'),
): string {
  const decided = markdown.includes('{%') ? decideBlocks(markdown, expressions) : markdown;
  if (!hasExpressions(decided)) return decided;
  return rewriteOutsideCode(decided, (text) =>
    text.replace(expressionPattern, (written, _ticks: unknown, expression: string | undefined) => {
      const plain = expression === undefined ? '' : decodeHtml(expression);
      const value = expression === undefined ? undefined : expressions.textOf(plain);
      return value === undefined ? written : escape(value.replace(/\s+/g, ' '), plain);
    }),
  );
}

/** Replaces the expressions of a title or description by their values. */
export function evaluateLine(text: string, expressions: Expressions): string {
  return text.replace(
    /<code class="expression">([^<]{0,4096})<\/code>/g,
    (written, expression: string) =>
      expressions.textOf(decodeHtml(expression))?.replace(/\s+/g, ' ') ?? written,
  );
}

interface Block {
  readonly open: number;
  readonly isShown: boolean | undefined;
  close: number;
}

/** Returns the condition of a line with an `if` tag. */
function conditionOf(line: string): string | undefined {
  if (!line.startsWith('{%') || !line.endsWith('%}') || line.length > 4200) return undefined;
  const tag = line.slice(2, -2).replace(/^-|-$/g, '').trim();
  return /^if\s/.test(tag) ? tag.slice(2).trim() : undefined;
}

/**
 * Removes the blocks whose condition is false, and the tags of blocks whose condition is true. With `hidden`, each removed line
 * becomes this line.
 */
export function decideBlocks(markdown: string, expressions: Expressions, hidden?: string): string {
  const blocks: Block[] = [];
  const open: Block[] = [];
  const lines: string[] = [];
  for (const scanner = new LineScanner(markdown); scanner.next();) {
    const number = lines.push(markdown.slice(scanner.start, scanner.end));
    if (scanner.isFenced || scanner.kind === 'raw' || scanner.kind === 'comment') continue;
    const text = markdown.slice(scanner.content, scanner.end).trim();
    const condition = conditionOf(text);
    if (condition !== undefined)
      open.push({ open: number - 1, isShown: expressions.isTrue(condition), close: -1 });
    else if (/^\{%-?\s*endif\s*-?%\}$/.test(text)) {
      const block = open.pop();
      if (block !== undefined) blocks.push(Object.assign(block, { close: number - 1 }));
    }
  }
  const gone = new Set<number>();
  for (const { open: from, close, isShown } of blocks) {
    if (isShown === undefined) continue;
    gone.add(from).add(close);
    if (!isShown) for (let line = from; line <= close; line++) gone.add(line);
  }
  if (gone.size === 0) return markdown;
  const end = markdown.includes('\r\n') ? '\r\n' : '\n';
  const kept = lines
    .flatMap((line, index) => (!gone.has(index) ? [line] : hidden === undefined ? [] : [hidden]))
    .join(end);
  return markdown.endsWith('\n') && kept !== '' ? kept + end : kept;
}

/** Sets the titles of table columns to their evaluated fragments. */
function withTitles(
  data: Readonly<Record<string, unknown>>,
  before: readonly RichNode[],
  after: readonly RichNode[],
): Readonly<Record<string, unknown>> {
  const { definition } = data;
  if (!isRecord(definition)) return data;
  const columns = Object.entries(definition).map(([id, column]) => {
    const index = before.findIndex((each) => each['fragment'] === titleName(id));
    const nodes = after[index]?.nodes;
    return nodes === undefined || !isRecord(column)
      ? [id, column]
      : [id, { ...column, title: plainText(nodes.flatMap((block) => block.nodes ?? [])).trim() }];
  });
  return { ...data, definition: Object.fromEntries(columns) };
}

/** Replaces the expressions of a document by their values, and evaluates its `if` blocks. */
export function evaluateDocument(document: RichDocumentValue, expressions: Expressions): RichDocumentValue {
  const evaluate = (node: RichNode): readonly RichNode[] => {
    if (node.type === 'expression' && node.object === 'inline') {
      const value = expressions.textOf(String(node.data?.['expression'] ?? ''));
      return value === undefined ? [node] : [textNode([{ text: value, marks: [] }])];
    }
    if (node.type === 'if' && node.object === 'block') {
      const isShown = expressions.isTrue(String(node.data?.['expression'] ?? ''));
      if (isShown === false) return [];
      const inner = (node.nodes ?? []).flatMap(evaluate);
      return isShown === true ? inner : [{ ...node, nodes: inner }];
    }
    const fragments = node['fragments'] as readonly RichNode[] | undefined;
    if (node.nodes === undefined && fragments === undefined) return [node];
    const evaluated = fragments?.flatMap(evaluate);
    return [
      {
        ...node,
        ...(node.type === 'table' && isRecord(node.data)
          ? { data: withTitles(node.data, fragments ?? [], evaluated ?? []) }
          : {}),
        ...(node.nodes === undefined ? {} : { nodes: within(node.nodes) }),
        ...defined({ fragments: evaluated }),
      },
    ];
  };
  /** A block without content gets an empty paragraph. */
  const within = (nodes: readonly RichNode[]): readonly RichNode[] => {
    const evaluated = nodes.flatMap(evaluate);
    return evaluated.length === 0 && nodes.some((node) => !isInline(node)) ? [paragraphOf('')] : evaluated;
  };
  return { ...document, nodes: document.nodes.flatMap(evaluate) };
}
