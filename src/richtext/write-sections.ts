import type { BlockContent } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { textOfLength } from './html.ts';
import { fragmentsOf, textOfValue } from './nodes.ts';
import { addressOf } from './references.ts';
import { writeTag } from './tags.ts';
import { writeInlines } from './write-inlines.ts';

/** The tag of a block that holds other blocks. */
const tagNames: Readonly<Record<string, string>> = {
  hint: 'hint',
  tabs: 'tabs',
  'tabs-item': 'tab',
  stepper: 'stepper',
  'stepper-step': 'step',
  columns: 'columns',
  column: 'column',
  updates: 'updates',
  update: 'update',
  prompt: 'prompt',
};

/** The content of a block between the tags that make it that block; content alone where the block needs none. */
export function writeSection(node: RichNode, content: readonly BlockContent[]): BlockContent[] {
  const { ref, label, ...data } = node.data ?? {};
  const between = (
    name: string,
    tag: string,
    children: readonly BlockContent[] = content,
  ): BlockContent[] => [
    { type: 'wrapped', open: tag, close: `{% end${name} %}`, isHtml: false, children: [...children] },
  ];
  const alone = (tag: string): BlockContent[] => [
    { type: 'wrapped', open: tag, close: '', isHtml: false, children: [] },
  ];
  const address = addressOf(ref);
  const name = tagNames[node.type ?? ''];
  if (name !== undefined)
    return between(
      name,
      writeTag(name, { ...data, ...(node.type === 'column' ? { width: textOfLength(data['width']) } : {}) }),
    );
  switch (node.type) {
    case 'code': {
      const { syntax: _syntax, ...attributes } = data;
      return Object.keys(attributes).length === 0
        ? [...content]
        : between('code', writeTag('code', attributes));
    }
    case 'if':
      return between('if', `{% if ${textOfValue(data['expression']).replace(/\s+/g, ' ').trim()} %}`);
    case 'content-ref':
      return between('content-ref', writeTag('content-ref', { url: address }), [
        {
          type: 'paragraph',
          children: [
            {
              type: 'link',
              url: address,
              children: [{ type: 'text', value: typeof label === 'string' ? label : address }],
            },
          ],
        },
      ]);
    case 'embed':
    case 'file': {
      const tag = writeTag(node.type, node.type === 'embed' ? data : { src: address, ...data });
      const caption = fragmentsOf(node).flatMap((each) => each.nodes ?? []);
      if (caption.length === 0) return alone(tag);
      return between(
        node.type,
        tag,
        caption.map((each) => ({ type: 'paragraph', children: writeInlines(each.nodes ?? []) })),
      );
    }
    case 'reusable-content':
      return alone(writeTag('include', { '': address }));
    case 'integration': {
      const { integration, block, props } = data;
      const attributes = Object.entries(typeof props === 'object' && props !== null ? props : {}).map(
        ([key, value]) => [
          key,
          typeof value === 'string'
            ? value.replaceAll('\n', '\\n')
            : typeof value === 'object'
              ? JSON.stringify(value)
              : value,
        ],
      );
      return alone(
        writeTag(`@${textOfValue(integration)}/${textOfValue(block)}`, Object.fromEntries(attributes)),
      );
    }
    case 'swagger':
      return between('openapi', writeTag('openapi', { src: address, ...data }));
    case 'openapi-operation':
    case 'openapi-schemas':
    case 'openapi-webhook':
      return between(
        node.type,
        writeTag(node.type, {
          spec: address,
          ...data,
          ...(Array.isArray(data['schemas']) ? { schemas: data['schemas'].join(',') } : {}),
        }),
      );
    default:
      return [...content];
  }
}
