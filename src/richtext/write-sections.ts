import type { BlockContent } from 'mdast';
import { isObject } from '../contract/values.ts';
import type { RichNode } from '../contract/shapes.ts';
import { textOfLength } from './html.ts';
import { nodesOfFragments, textOfValue } from './nodes.ts';
import { addressOf } from './references.ts';
import { containerTags, writeTag } from './tags.ts';
import { writeInlines } from './write-inlines.ts';

/** The tags of blocks by their types. */
const tagNames = new Map(Object.entries(containerTags).map(([name, { type }]) => [type, name]));

/** Writes the content of a block between its tags; only the content if the block needs no tags. */
export function writeSection(node: RichNode, content: readonly BlockContent[]): BlockContent[] {
  const { type = '' } = node;
  const { ref, label, ...data } = node.data ?? {};
  const address = addressOf(ref);
  const between = (name: string, attributes: object, children = content): BlockContent[] => [
    wrapped(writeTag(name, { ...attributes }), `{% end${name} %}`, children),
  ];
  const name = tagNames.get(type);
  if (name !== undefined)
    return between(name, type === 'column' ? { ...data, width: textOfLength(data['width']) } : data);
  switch (type) {
    case 'code': {
      const { syntax: _syntax, ...attributes } = data;
      return Object.keys(attributes).length === 0 ? [...content] : between('code', attributes);
    }
    case 'if': {
      const expression = textOfValue(data['expression']).replace(/\s+/g, ' ').trim();
      return [wrapped(`{% if ${expression} %}`, '{% endif %}', content)];
    }
    case 'content-ref': {
      const text = { type: 'text', value: typeof label === 'string' ? label : address } as const;
      return between(type, { url: address }, [
        { type: 'paragraph', children: [{ type: 'link', url: address, children: [text] }] },
      ]);
    }
    case 'embed':
    case 'file': {
      const attributes = type === 'embed' ? data : { src: address, ...data };
      const caption = nodesOfFragments(node);
      if (caption.length === 0) return [wrapped(writeTag(type, attributes))];
      return between(
        type,
        attributes,
        caption.map((each) => ({ type: 'paragraph', children: writeInlines(each.nodes ?? []) })),
      );
    }
    case 'reusable-content':
      return [wrapped(writeTag('include', { '': address }))];
    case 'integration': {
      const { integration, block, props } = data;
      const attributes = Object.entries(isObject(props) ? props : {}).map(([key, value]) => [
        key,
        typeof value === 'object' ? JSON.stringify(value) : oneLine(value),
      ]);
      return [
        wrapped(
          writeTag(`@${textOfValue(integration)}/${textOfValue(block)}`, Object.fromEntries(attributes)),
        ),
      ];
    }
    case 'swagger':
      return between('openapi', { src: address, ...data });
    case 'openapi-operation':
    case 'openapi-schemas':
    case 'openapi-webhook': {
      const { schemas } = data;
      const joined = Array.isArray(schemas) ? { schemas: schemas.join(',') } : {};
      // The tag contains the name of the specification itself.
      return between(type, { spec: address.replace(/^openapi:/, ''), ...data, ...joined });
    }
    default:
      return [...content];
  }
}

function wrapped(open: string, close = '', children: readonly BlockContent[] = []): BlockContent {
  return { type: 'wrapped', open, close, isHtml: false, children: [...children] };
}

function oneLine(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\n', '\\n') : value;
}
