import type { RichNode } from '../contract/shapes.ts';
import { headingDepth, isInline, nodesOfFragments, textOfValue } from '../richtext/nodes.ts';
import { titleOf } from './anchors.ts';
import { showEmojis } from './emoji-names.ts';
import { attributes, classes, empty, markup, join, Markup } from './markup.ts';
import { renderCode, renderMathBlock, renderPrompt } from './render-code.ts';
import {
  renderColumns,
  renderExpandable,
  renderHint,
  renderIf,
  renderStepper,
  renderTabs,
  renderUpdates,
} from './render-containers.ts';
import type { Renderer } from './render-context.ts';
import { renderImage, renderImages } from './render-images.ts';
import { renderOperationBlock, renderSchemasBlock } from './render-operation.ts';
import { renderContentRef, renderEmbed, renderFile, renderUndrawn } from './render-references.ts';
import { renderTable } from './render-table.ts';

/** Renders one block. For an unknown block, renders its content. */
export function renderBlock(node: RichNode, renderer: Renderer): Markup {
  switch (node.type) {
    case 'paragraph':
      return renderParagraph(node, renderer);
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return renderHeading(node, renderer);
    case 'list-unordered':
      return markup`<ul>${itemsOf(node, renderer)}</ul>`;
    case 'list-ordered':
      return renderOrderedList(node, renderer);
    case 'list-tasks':
      return markup`<ul class="tasks">${itemsOf(node, renderer)}</ul>`;
    case 'code':
      return drawn(node, renderCode(node, renderer), renderer);
    case 'prompt':
      return renderPrompt(node, renderer);
    case 'integration':
      return drawn(node, renderUndrawn(node, renderer), renderer);
    case 'math':
      return renderMathBlock(node, renderer);
    case 'blockquote':
      return markup`<blockquote>${renderer.blocks(node.nodes)}</blockquote>`;
    case 'hint':
      return renderHint(node, renderer);
    case 'tabs':
      return renderTabs(node, renderer);
    case 'stepper':
      return renderStepper(node, renderer);
    case 'columns':
      return renderColumns(node, renderer);
    case 'expandable':
      return renderExpandable(node, renderer);
    case 'updates':
      return renderUpdates(node, renderer);
    case 'if':
      return renderIf(node, renderer);
    case 'images':
      return renderImages(node, renderer);
    case 'image':
    case 'drawing':
      return markup`<div class="images">${renderImage(node, renderer)}</div>`;
    case 'table':
      return renderer.inCells(() => renderTable(node, renderer));
    case 'divider':
      return new Markup('<hr>');
    case 'content-ref':
      return renderContentRef(node, renderer);
    case 'file':
      return renderFile(node, renderer);
    case 'embed':
      return renderEmbed(node, renderer);
    case 'swagger':
    case 'openapi-operation':
    case 'openapi-webhook':
      return renderOperationBlock(node, renderer);
    case 'openapi-schemas':
      return renderSchemasBlock(node, renderer);
    default:
      return renderOther(node, renderer);
  }
}

function drawn(node: RichNode, fallback: Markup, { drawBlock }: Renderer): Markup {
  return drawBlock?.(node, fallback) ?? fallback;
}

function renderParagraph(node: RichNode, renderer: Renderer): Markup {
  const content = renderer.inlines(node.nodes);
  const hasText = !(node.nodes ?? []).every(({ type }) => type === 'anchor');
  return content.text !== '' && hasText ? markup`<p${classes(alignmentOf(node))}>${content}</p>` : content;
}

function renderHeading(node: RichNode, renderer: Renderer): Markup {
  const content = renderer.inlines(node.nodes);
  if (content.text === '') return empty;
  const anchor = renderer.anchors.ofHeading(node);
  const title = showEmojis(titleOf(node));
  const align = alignmentOf(node);
  // Screen readers and the outline would list a nameless heading if it contains only an icon or a picture.
  if (title === '')
    return markup`<p${attributes({ id: anchor || undefined })}${classes(align, `h${headingDepth(node)}`)}>${content}</p>`;
  const { level, look } = renderer.levelOf(headingDepth(node));
  renderer.addToOutline({ level: look, title, anchor });
  const name = new Markup(`h${level}`);
  const style = classes(align, look !== level && `h${look}`);
  if (renderer.hasHeadingLinks === false)
    return markup`<${name}${attributes({ id: anchor })}${style}>${content}</${name}>`;
  // Without its own label, the heading would be read with the label of the link inside it.
  return markup`<${name}${attributes({ id: anchor, 'aria-label': title })}${style}>${content} <a class="heading-link" href="#${anchor}" aria-label="${renderer.words.linkToSection}: ${title}"></a></${name}>`;
}

/** Returns the alignment class of a block; undefined if it is aligned to the start. */
function alignmentOf({ data }: RichNode): string | undefined {
  const align = textOfValue(data?.['align']);
  if (align === 'center') return 'align-center';
  return align === 'right' || align === 'end' ? 'align-end' : undefined;
}

function renderOrderedList(node: RichNode, renderer: Renderer): Markup {
  const start = Number(node.data?.['start'] ?? 1);
  const isOther = Number.isSafeInteger(start) && start !== 1;
  return markup`<ol${attributes({ start: isOther ? start : undefined })}>${itemsOf(node, renderer)}</ol>`;
}

function itemsOf(node: RichNode, renderer: Renderer): Markup {
  const isTight = (node.nodes ?? []).every(
    (item) => (item.nodes ?? []).filter(({ type }) => type === 'paragraph').length < 2,
  );
  return join(
    (node.nodes ?? []).map((item) => {
      const checked = item.data?.['checked'];
      // In a tight list, the first paragraph of an item is on the line of its marker, and needs no element.
      const [first, ...rest] = item.nodes ?? [];
      const content =
        isTight && first?.type === 'paragraph'
          ? [renderer.inlines(first.nodes), renderer.blocks(rest)]
          : renderer.blocks(item.nodes);
      if (typeof checked !== 'boolean') return markup`<li>${content}</li>`;
      const { yes, no } = renderer.words;
      return markup`<li class="task"><input type="checkbox" disabled${checked ? new Markup(' checked') : empty} aria-label="${checked ? yes : no}"><div>${content}</div></li>`;
    }),
  );
}

function renderOther(node: RichNode, renderer: Renderer): Markup {
  const content = [...nodesOfFragments(node), ...(node.nodes ?? [])];
  if (content.length === 0) return empty;
  return content.every(isInline) ? markup`<p>${renderer.inlines(content)}</p>` : renderer.blocks(content);
}
