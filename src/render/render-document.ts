import { getOrInsert } from '../contract/values.ts';
import { yieldToEvents } from '../contract/event-loop.ts';
import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { Problem } from '../errors/problem.ts';
import { paragraphOf } from '../richtext/nodes.ts';
import { markdownToRead } from '../richtext/readable.ts';
import { withAnnotations } from '../richtext/annotations.ts';
import { headingsIn, PageAnchors, titleOf } from './anchors.ts';
import { HeadingLevels } from './heading-levels.ts';
import { empty, join, type Markup } from './markup.ts';
import { renderBlock } from './render-blocks.ts';
import { renderSchemas } from './render-operation.ts';
import type { OutlineEntry, RenderContext, Renderer, UpdateEntry } from './render-context.ts';
import { limitColors, renderPlainCode } from './render-code.ts';
import { renderInlines } from './render-inlines.ts';

/** A document as HTML, with information for the page around it. */
export interface RenderedDocument {
  readonly body: Markup;
  readonly outline: readonly OutlineEntry[];
  readonly updates: readonly UpdateEntry[];
}

/**
 * Renders a document as HTML. Its size and depth must have been checked by `markdownToRead`. All texts and addresses of authors
 * are escaped or checked.
 */
export async function renderDocument(
  document: RichDocumentValue,
  context: RenderContext,
): Promise<RenderedDocument> {
  const all = withAnnotations(document.nodes);
  const uses = usesOf(all);
  const highlight = limitColors(uses.code ? (await import('./highlight.ts')).highlightCode : () => undefined);
  const formula = uses.math ? (await import('./math.ts')).createFormulaRenderer() : () => undefined;
  const anchors = new PageAnchors(all);
  const levels = new HeadingLevels(all);
  const titles = new Set([context.pageTitle, ...headingsIn(all).map(titleOf)]);
  const outline: OutlineEntry[] = [];
  let cells = 0;
  const updates: UpdateEntry[] = [];
  let behind: Markup[] = [];
  const ids = new Map<string, number>();
  const readMarkdown = markdownReader();
  const renderer: Renderer = {
    ...context,
    highlight,
    formula,
    blocks: (nodes = []) =>
      join(
        nodes.map((node) => {
          const before = behind;
          behind = [];
          const rendered = renderBlock(node, renderer);
          const whole = behind.length === 0 ? rendered : join([rendered, ...behind]);
          behind = before;
          return whole;
        }),
      ),
    markdown: (text) => renderer.blocks(readMarkdown(text)),
    lead: (text) => {
      const nodes = readMarkdown(text);
      const [first] = nodes;
      return first?.type === 'paragraph'
        ? [renderer.inlines(first.nodes), renderer.blocks(nodes.slice(1))]
        : [empty, renderer.blocks(nodes)];
    },
    code: (code, language) => renderPlainCode(code, language, renderer),
    inlines: (nodes = []) => renderInlines(nodes, renderer),
    anchors,
    levelOf: (depth) => levels.next(depth),
    get hasHeadingLinks() {
      return cells === 0 && context.hasHeadingLinks !== false;
    },
    isNew: (title) => context.pageTitle !== undefined && !titles.has(title),
    addToOutline: (entry) => cells > 0 || outline.push(entry),
    inCells: (render) => {
      cells++;
      const rendered = render();
      cells--;
      return rendered;
    },
    addUpdate: (entry) => updates.push(entry),
    uniqueId: (prefix) => {
      const number = (ids.get(prefix) ?? 0) + 1;
      ids.set(prefix, number);
      return `${prefix}-${number}`;
    },
    addBehind: (content) => behind.push(content),
  };
  const parts: Markup[] = [];
  for (const node of all) {
    // Highlighting long code takes milliseconds.
    await yieldToEvents();
    if (node.type !== 'openapi-schemas') parts.push(renderer.blocks([node]));
    else
      for (const part of renderSchemas(node, renderer)) {
        parts.push(part);
        await yieldToEvents();
      }
    const comments = context.behind?.(node);
    if (comments !== undefined) parts.push(comments);
  }
  return { body: join(parts), outline, updates };
}

/**
 * Returns a function that parses texts of a specification. Operations on one page often have the same texts, so each text is
 * parsed once. A text that cannot be parsed is shown unchanged.
 */
function markdownReader(): (text: string) => readonly RichNode[] {
  const known = new Map<string, readonly RichNode[]>();
  const parse = (text: string): readonly RichNode[] => {
    try {
      return markdownToRead(text).nodes;
    } catch (error) {
      if (error instanceof Problem) return [paragraphOf(text)];
      throw error;
    }
  };
  return (text) => getOrInsert(known, text, () => parse(text));
}

/** Returns which slow-loading parts of the renderer a document needs. */
function usesOf(nodes: readonly RichNode[]): { readonly code: boolean; readonly math: boolean } {
  let code = false;
  let math = false;
  const open: RichNode[] = [...nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'code' && node.data?.['syntax'] !== undefined) code = true;
    if (node.type?.startsWith('openapi-') === true || node.type === 'swagger') code = true;
    if (node.type === 'math' || node.type === 'inline-math') math = true;
    for (const children of [node.nodes, node['fragments']])
      if (Array.isArray(children)) for (const child of children as RichNode[]) open.push(child);
  }
  return { code, math };
}
