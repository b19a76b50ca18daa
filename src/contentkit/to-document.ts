import type { RichNode } from '../contract/shapes.ts';
import { defined, isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { atLeastParagraph, block, fragmentsOf, paragraphOf, textNode, voidBlock } from '../richtext/nodes.ts';
import type { Leaf } from '../richtext/marks.ts';
import { markdownToRead } from '../richtext/readable.ts';
import type { Component, Element, TextRun } from './elements.ts';
import { openedAddress } from './opened-address.ts';
import { linkAddress, safeText, webAddress } from './safe-values.ts';

/** Converts a component to blocks of a document, for output without interaction: PDF and terminal. */
export function componentToBlocks({ title, subtitle, submit, children }: Component): RichNode[] {
  return [
    ...(title === '' ? [] : [boldParagraph(title)]),
    ...(subtitle === '' ? [] : [paragraphOf(subtitle)]),
    ...elementsToBlocks(children),
    ...elementsToBlocks(submit === undefined ? [] : [submit]),
  ];
}

function elementsToBlocks(elements: readonly Element[]): RichNode[] {
  return elements.flatMap(blocksOf);
}

function blocksOf(element: Element): RichNode[] {
  switch (element.type) {
    case 'box':
    case 'vstack':
      return elementsToBlocks(element.children);
    case 'hstack':
      return rowOf(element.children);
    case 'divider':
      return [voidBlock('divider', {})];
    case 'card':
      return [block('blockquote', atLeastParagraph(cardContent(element)))];
    case 'text':
    case 'button':
      return paragraphOfInlines(inlinesOf(element));
    case 'image':
      return element.url === undefined
        ? []
        : [block('images', [voidBlock('image', { ref: { kind: 'url', url: element.url } })])];
    case 'markdown':
      return markdownBlocks(element.content);
    case 'codeblock':
      return [
        ...elementsToBlocks(element.header),
        codeOf(element.content, element.syntax),
        ...elementsToBlocks(element.footer),
      ];
    case 'webframe':
      return element.url === undefined ? [] : [voidBlock('embed', { url: element.url })];
    case 'input':
      return [
        ...paragraphOfInlines([
          ...(element.label === '' ? [] : [textNode(labelOf(element.label))]),
          ...(element.element === undefined ? [] : inlinesOf(element.element)),
        ]),
        ...paragraphOfInlines(runsToInlines(element.hint)),
      ];
    case 'hint':
      return [block('hint', atLeastParagraph(elementsToBlocks(element.children)), { style: 'info' })];
    case 'stepper': {
      const steps = element.steps.map(({ title, children }) =>
        block(
          'stepper-step',
          atLeastParagraph([...(title === '' ? [] : [boldParagraph(title)]), ...elementsToBlocks(children)]),
        ),
      );
      return steps.length === 0 ? [] : [block('stepper', steps)];
    }
    default:
      return paragraphOfInlines(inlinesOf(element));
  }
}

/** Returns the nodes of elements side by side: on one line if all of them are short. */
function rowOf(children: readonly Element[]): RichNode[] {
  const isLine = children.every(({ type }) =>
    ['text', 'button', 'textinput', 'select', 'switch', 'checkbox', 'radio'].includes(type),
  );
  if (!isLine) return elementsToBlocks(children);
  const inlines = children
    .map(inlinesOf)
    .filter((one) => one.length > 0)
    .flatMap((one, index) => (index === 0 ? one : [textNode([{ text: '  ', marks: [] }]), ...one]));
  return paragraphOfInlines(inlines);
}

function cardContent({ title, hint, onPress, children, buttons }: Element & { type: 'card' }): RichNode[] {
  const url = openedAddress(onPress);
  return [
    ...paragraphOfInlines(runsToInlines(title === '' ? [] : [{ text: title, marks: ['bold'], url }])),
    ...paragraphOfInlines(runsToInlines(hint)),
    ...elementsToBlocks(children),
    ...rowOf(buttons),
  ];
}

/** Returns the inline nodes of an element. */
function inlinesOf(element: Element): RichNode[] {
  switch (element.type) {
    case 'text':
      return runsToInlines(element.runs);
    case 'button': {
      const text = element.label === '' ? '' : `[${element.label}]`;
      return runsToInlines([{ text, marks: [], url: openedAddress(element.onPress) }]);
    }
    case 'textinput':
      return plain(element.inputType === 'password' ? '' : element.value || element.placeholder);
    case 'select': {
      const labels = new Map(element.options.map(({ id, label }) => [id, label]));
      const chosen = element.values.map((value) => labels.get(value) ?? value);
      return plain(chosen.length === 0 ? element.placeholder : chosen.join(', '));
    }
    case 'switch':
      return plain(element.isOn ? 'on' : 'off');
    case 'checkbox':
      return plain(element.isOn ? `[x] ${element.value}`.trim() : `[ ] ${element.value}`.trimEnd());
    case 'radio':
      return plain(element.isOn ? `(x) ${element.value}`.trim() : `( ) ${element.value}`.trimEnd());
    default:
      return [];
  }
}

function labelOf(label: string): Leaf[] {
  return [
    { text: `${label}:`, marks: ['bold'] },
    { text: ' ', marks: [] },
  ];
}

function plain(text: string): RichNode[] {
  return runsToInlines([{ text, marks: [] }]);
}

function runsToInlines(runs: readonly TextRun[]): RichNode[] {
  return runs
    .filter(({ text }) => text !== '')
    .map(({ text, marks, url }) => {
      const node = textNode([{ text, marks }]);
      return url === undefined ? node : linkOf(url, [node]);
    });
}

function linkOf(url: string, nodes: readonly RichNode[]): RichNode {
  return { object: 'inline', type: 'link', isVoid: false, data: { ref: { kind: 'url', url } }, nodes };
}

function paragraphOfInlines(nodes: readonly RichNode[]): RichNode[] {
  return nodes.length === 0 ? [] : [block('paragraph', nodes)];
}

function boldParagraph(text: string): RichNode {
  return block('paragraph', [textNode([{ text, marks: ['bold'] }])]);
}

/** Returns a block of code. */
export function codeOf(content: string, syntax: string): RichNode {
  const lines = content
    .replace(/\n$/, '')
    .split('\n')
    .map((text) => block('code-line', [textNode([{ text, marks: [] }])]));
  return block('code', lines, syntax === '' ? {} : { syntax });
}

/** Parses Markdown of a script. References to anything but the web are removed. */
export function markdownBlocks(markdown: string): RichNode[] {
  try {
    return markdownToRead(markdown).nodes.flatMap(checkNode);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [codeOf(markdown, 'markdown')];
  }
}

/** Blocks that would load content from elsewhere. */
const foreign = new Set(['integration', 'reusable-content', 'content-ref', 'file', 'swagger']);

function checkNode(node: RichNode): RichNode[] {
  if (node.object === 'text') return [node];
  const { type = '', data = {}, nodes } = node;
  if (foreign.has(type) || type.startsWith('openapi')) return [];
  const inner = nodes?.flatMap(checkNode);
  const check = type === 'image' || type === 'inline-image' || type === 'embed' ? webAddress : linkAddress;
  const ref = isRecord(data['ref']) ? check(data['ref']['url']) : undefined;
  const url = check(data['url']);
  if (isRecord(data['ref']) && ref === undefined) return type === 'link' ? (inner ?? []) : [];
  if (data['url'] !== undefined && url === undefined) return [];
  const checked = {
    ...checkData(data),
    ...(ref === undefined ? {} : { ref: { kind: 'url', url: ref } }),
    ...defined({ url }),
  };
  const fragments = fragmentsOf(node).map((one) => ({ ...one, nodes: (one.nodes ?? []).flatMap(checkNode) }));
  return [
    {
      ...node,
      data: checked,
      ...defined({ nodes: inner }),
      ...(fragments.length === 0 ? {} : { fragments }),
    },
  ];
}

/** Copies data without references in it, such as those in the cells of a table. */
function checkData(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy = (inner: unknown): unknown => {
    if (typeof inner === 'string') return safeText(inner);
    if (Array.isArray(inner)) return inner.map(copy).filter((item) => item !== undefined);
    if (!isRecord(inner)) return inner;
    if (typeof inner['kind'] === 'string') {
      const url = inner['kind'] === 'url' ? linkAddress(inner['url']) : undefined;
      return url === undefined ? undefined : { kind: 'url', url };
    }
    const fields = Object.entries(inner).map(([name, one]) => [name, copy(one)] as const);
    return Object.fromEntries(fields.filter(([, one]) => one !== undefined));
  };
  return copy(value) as Record<string, unknown>;
}
