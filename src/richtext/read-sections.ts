import type { RichNode } from '../contract/shapes.ts';
import { tokenizeHtml, readTag } from './html.ts';
import { atLeastParagraph, block, fragment, plainTextOf, voidBlock } from './nodes.ts';
import { readHtmlInlines } from './read-inlines.ts';
import { refOf } from './references.ts';
import { lengthOf } from './html.ts';
import { attributesOf, isIntegration, type Attributes, type Tag } from './tags.ts';
import type { Section, Summary } from './tree.ts';

const booleans = new Set(['lineNumbers', 'fullWidth', 'expandable', 'expanded', 'grouped', 'deprecated']);
const numbers = new Set(['collapsedLineCount']);

/** The block of a section whose content is read already; nothing where tags and content do not fit each other. */
export function readSection(node: Section, children: readonly RichNode[]): RichNode | undefined {
  if (node.name === 'details') return expandableOf(node, children);
  if (node.name === 'if') return block('if', atLeastParagraph(children), { expression: node.argument });
  const attributes = attributesOf(node.argument);
  if (attributes === undefined || '' in attributes) return undefined;
  const data = dataOf(attributes);
  switch (node.name) {
    case 'hint':
      return block('hint', atLeastParagraph(children), { style: 'info', ...data });
    case 'tabs':
      return holding('tabs', 'tabs-item', children, data);
    case 'tab':
      return block('tabs-item', atLeastParagraph(children), data);
    case 'stepper':
      return holding('stepper', 'stepper-step', children, data);
    case 'step':
      return block('stepper-step', atLeastParagraph(children), data);
    case 'columns':
      return holding('columns', 'column', children, data);
    case 'column':
      return block('column', atLeastParagraph(children), {
        ...data,
        ...(attributes['width'] === undefined ? {} : { width: lengthOf(attributes['width']) }),
      });
    case 'updates':
      return holding('updates', 'update', children, data);
    case 'update':
      return block('update', atLeastParagraph(children), data);
    case 'prompt':
      return block('prompt', atLeastParagraph(children), data);
    case 'code': {
      const [code] = children;
      return children.length === 1 && code?.type === 'code'
        ? { ...code, data: { ...code.data, ...data } }
        : undefined;
    }
    case 'content-ref':
      return contentRefOf(attributes, children);
    case 'embed':
    case 'file':
      return withCaption(node.name, attributes, children);
    default:
      return apiOf(node.name, attributes, children);
  }
}

/** The block of a tag that has no closing one. */
export function readTagAlone(tag: Tag | string | undefined): RichNode | undefined {
  if (typeof tag !== 'object' || tag.isClosing) return undefined;
  const attributes = attributesOf(tag.argument);
  if (attributes === undefined) return undefined;
  const { '': given, ...named } = attributes;
  const names = Object.keys(named);
  if (tag.name === 'include')
    return given === undefined || names.length > 0
      ? undefined
      : voidBlock('reusable-content', { ref: { kind: 'reusable-content', reusableContent: given } });
  if (given !== undefined) return undefined;
  if (tag.name === 'page-ref')
    return names.join() === 'page' ? voidBlock('content-ref', { ref: refOf(named['page']!) }) : undefined;
  if (isIntegration(tag.name)) {
    const [integration, name] = tag.name.slice(1).split('/');
    // A tag is one line, so the lines of a value are written in one.
    const props = Object.fromEntries(
      Object.entries(named).map(([key, value]) => [key, value.replaceAll('\\n', '\n')]),
    );
    return voidBlock('integration', { integration, block: name, props });
  }
  if (tag.name === 'embed' || tag.name === 'file') return withCaption(tag.name, attributes, []);
  return apiOf(tag.name, attributes, []);
}

function dataOf(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      if (booleans.has(name) && (value === 'true' || value === 'false')) return [name, value === 'true'];
      return [name, numbers.has(name) && String(Number(value)) === value ? Number(value) : value];
    }),
  );
}

function holding(
  type: string,
  inner: string,
  children: readonly RichNode[],
  data: Record<string, unknown>,
): RichNode | undefined {
  return children.length > 0 && children.every((child) => child.type === inner)
    ? block(type, children, data)
    : undefined;
}

/** A reference; GitBook writes a link inside, whose text is kept where it says more than the address. */
function contentRefOf({ url, ...more }: Attributes, children: readonly RichNode[]): RichNode | undefined {
  const inner = children.length === 1 && children[0]!.type === 'paragraph' ? (children[0]!.nodes ?? []) : [];
  const [link] = inner;
  const fits = children.length === 0 || (inner.length === 1 && link?.type === 'link');
  if (url === undefined || Object.keys(more).length > 0 || !fits) return undefined;
  const label = link === undefined ? url : plainTextOf(link);
  return voidBlock('content-ref', { ref: refOf(url), ...(label === url || label === '' ? {} : { label }) });
}

function withCaption(
  type: 'embed' | 'file',
  attributes: Attributes,
  children: readonly RichNode[],
): RichNode | undefined {
  const { url, src, ...more } = dataOf(attributes) as Record<string, string | undefined>;
  const target = type === 'embed' ? url : src;
  if (
    target === undefined ||
    (url !== undefined && src !== undefined) ||
    !children.every((child) => child.type === 'paragraph')
  )
    return undefined;
  const data = { ...(type === 'embed' ? { url: target } : { ref: refOf(target) }), ...more };
  return voidBlock(type, data, children.length === 0 ? undefined : [fragment('caption', children)]);
}

/** An operation or schemas of an OpenAPI description, with what else stands between the tags. */
function apiOf(name: string, attributes: Attributes, children: readonly RichNode[]): RichNode | undefined {
  const isFile = name === 'openapi' || name === 'swagger';
  if (!isFile && !name.startsWith('openapi-')) return undefined;
  const { src, spec, schemas, ...more } = attributes;
  const target = isFile ? src : spec;
  if (target === undefined || (isFile ? spec : src) !== undefined || attributes['ref'] !== undefined)
    return undefined;
  const ref = isFile ? refOf(target) : { kind: 'openapi', spec: target };
  const data = { ref, ...dataOf(more), ...(schemas === undefined ? {} : { schemas: schemas.split(',') }) };
  return {
    ...voidBlock(isFile ? 'swagger' : name, data),
    ...(children.length === 0 ? {} : { nodes: children }),
  };
}

/** `<details>` with what its `<summary>` says. */
function expandableOf(node: Section, children: readonly RichNode[]): RichNode | undefined {
  const tag = readTag(node.open);
  const summary = node.children.find((child): child is Summary => child.type === 'summary');
  if (tag?.kind !== 'open' || (summary !== undefined && node.children[0] !== summary)) return undefined;
  const title = readHtmlInlines(tokenizeHtml(summary?.value ?? ''));
  const body = summary === undefined ? children : children.slice(1);
  const attributes = Object.keys(tag.attributes).length === 0 ? {} : { attributes: tag.attributes };
  return voidBlock('expandable', attributes, [
    fragment('expandable-title', [block('paragraph', title)], 'expandable-title'),
    fragment('expandable-body', atLeastParagraph(body), 'expandable-body'),
  ]);
}
