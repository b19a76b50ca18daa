import { isObject } from '../contract/values.ts';
import type { RichNode } from '../contract/shapes.ts';
import { titleOf } from './anchors.ts';
import { showEmojis } from './emoji-names.ts';
import { fragmentsOf, plainTextOf, textOfValue, updateTags } from '../richtext/nodes.ts';
import { attributes, classes, empty, markup, join, Markup } from './markup.ts';
import { renderTag } from './page-tag.ts';
import type { Renderer } from './render-context.ts';
import { widthClass } from './widths.ts';

const hintIcons = {
  info: 'circle-info',
  success: 'circle-check',
  warning: 'triangle-exclamation',
  danger: 'circle-exclamation',
} as const;

/** Renders a hint. Its kind is also a text for people who do not see its color. */
export function renderHint(node: RichNode, renderer: Renderer): Markup {
  const style = textOfValue(node.data?.['style']);
  const kind = Object.hasOwn(hintIcons, style) ? (style as keyof typeof hintIcons) : 'info';
  const icon = textOfValue(node.data?.['icon']) || hintIcons[kind];
  return markup`<div class="hint hint-${kind}" role="note" aria-label="${renderer.words[kind]}">${renderer.icons.draw(icon)}<div>${renderer.blocks(node.nodes)}</div></div>`;
}

/** Renders tabs as sections with titles. A script turns them into tabs; without it, nothing is hidden. */
export function renderTabs(node: RichNode, renderer: Renderer): Markup {
  const items = (node.nodes ?? []).map((item) => {
    const named = textOfValue(item.data?.['title']);
    const title = showEmojis(named);
    const icon = textOfValue(item.data?.['icon']);
    const anchor = renderer.anchors.named(named);
    return markup`<section class="tab" id="${anchor}" data-tab="${title}"><div class="tab-title">${icon === '' ? empty : renderer.icons.draw(icon)}${title}</div>${renderer.blocks(item.nodes)}</section>`;
  });
  return markup`<div class="tabs">${items}</div>`;
}

/** Renders steps as a numbered list. */
export function renderStepper(node: RichNode, renderer: Renderer): Markup {
  return markup`<ol class="stepper">${(node.nodes ?? []).map((step) => markup`<li class="step">${renderer.blocks(step.nodes)}</li>`)}</ol>`;
}

/** Renders columns side by side; below each other on a narrow screen. */
export function renderColumns(node: RichNode, renderer: Renderer): Markup {
  return markup`<div class="columns">${(node.nodes ?? []).map(
    (column) =>
      markup`<div${classes('column', widthClass(column.data?.['width']))}>${renderer.blocks(column.nodes)}</div>`,
  )}</div>`;
}

/** Renders a part that opens and closes without a script. */
export function renderExpandable(node: RichNode, renderer: Renderer): Markup {
  const part = (name: string) => fragmentsOf(node).find((each) => each['fragment'] === name)?.nodes ?? [];
  const given = node.data?.['attributes'];
  const isOpen = isObject(given) && 'open' in given;
  const [title] = part('expandable-title');
  const id = renderer.anchors.named(title === undefined ? '' : plainTextOf(title));
  return markup`<details${attributes({ id, open: isOpen })}><summary>${renderer.inlines(title?.nodes)}</summary><div class="details-body">${renderer.blocks(part('expandable-body'))}</div></details>`;
}

/** Renders a list of changes with their dates. */
export function renderUpdates(node: RichNode, renderer: Renderer): Markup {
  return markup`<div class="updates">${(node.nodes ?? []).map((update) => renderUpdate(update, renderer))}</div>`;
}

function renderUpdate(node: RichNode, renderer: Renderer): Markup {
  const date = textOfValue(node.data?.['date']);
  const tags = updateTags(node).map((slug) => renderer.tag?.(slug) ?? { label: slug });
  const anchor = renderer.anchors.named(date);
  const body = renderer.blocks(node.nodes);
  const [first] = node.nodes ?? [];
  const heading = node.nodes?.find(({ type }) => type?.startsWith('heading-') === true) ?? first;
  renderer.addUpdate({
    date,
    tags: tags.map(({ label }) => label),
    title: heading === undefined ? '' : showEmojis(titleOf(heading)),
    anchor,
    body,
  });
  return markup`<article class="update" id="${anchor}"><div class="update-head">${
    date === ''
      ? empty
      : markup`<a href="#${anchor}"><time datetime="${date}">${renderer.words.date(date)}</time></a>`
  }${join(tags.map((tag) => renderTag(tag, renderer.icons)))}</div><div class="update-body">${body}</div></article>`;
}

/** Renders the blocks if the expression is true for this visitor. */
export function renderIf(node: RichNode, renderer: Renderer): Markup {
  return renderer.isTrue(textOfValue(node.data?.['expression'])) ? renderer.blocks(node.nodes) : empty;
}
