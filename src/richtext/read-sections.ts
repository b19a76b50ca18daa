import type { RichNode } from '../contract/shapes.ts';
import { defined } from '../contract/values.ts';
import { slugOfFile } from '../contract/specification-slug.ts';
import { lengthOf, readTag, tokenizeHtml } from './html.ts';
import { atLeastParagraph, block, fragment, plainTextOf, voidBlock } from './nodes.ts';
import { readHtmlInlines } from './read-inlines.ts';
import { refOf } from './references.ts';
import { attributesOf, containerTags, isIntegration, type Attributes, type Tag } from './tags.ts';
import type { Section, Summary } from './tree.ts';

const booleans = ['lineNumbers', 'fullWidth', 'expandable', 'expanded', 'grouped', 'deprecated'];
const numbers = ['collapsedLineCount'];

/** Creates the block of a section from its children; undefined if the tag and the content do not fit together. */
export function readSection(node: Section, children: readonly RichNode[]): RichNode | undefined {
  const { name, argument } = node;
  if (name === 'details') return expandableOf(node, children);
  if (name === 'if') return block('if', atLeastParagraph(children), { expression: argument });
  const attributes = attributesOf(argument);
  if (attributes === undefined || '' in attributes) return undefined;
  const data = dataOf(attributes);
  const container = containerTags[name];
  if (container?.holds !== undefined)
    return children.length > 0 && children.every(({ type }) => type === container.holds)
      ? block(container.type, children, data)
      : undefined;
  if (container !== undefined) {
    const { width } = name === 'column' ? attributes : {};
    return block(container.type, atLeastParagraph(children), {
      ...(name === 'hint' ? { style: 'info' } : {}),
      ...data,
      ...(width === undefined ? {} : { width: lengthOf(width) }),
    });
  }
  if (name === 'content-ref') return contentRefOf(attributes, children);
  if (name !== 'code') return captionedOf(name, attributes, children) ?? apiOf(name, attributes, children);
  const [code] = children;
  return children.length === 1 && code?.type === 'code'
    ? { ...code, data: { ...code.data, ...data } }
    : undefined;
}

/** Creates the block of a tag without a closing tag; undefined if the tag is not a block. */
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
  if (tag.name === 'page-ref') {
    const { page } = named;
    return page === undefined || names.length > 1
      ? undefined
      : voidBlock('content-ref', { ref: refOf(page) });
  }
  if (isIntegration(tag.name)) {
    const [integration, name] = tag.name.slice(1).split('/');
    // A tag is on one line, so line ends in values are written as `\n`.
    const lines = names.map((key) => [key, named[key]?.replaceAll('\\n', '\n')]);
    return voidBlock('integration', { integration, block: name, props: Object.fromEntries(lines) });
  }
  return captionedOf(tag.name, attributes, []) ?? apiOf(tag.name, attributes, []);
}

function dataOf(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      if (booleans.includes(name) && (value === 'true' || value === 'false')) return [name, value === 'true'];
      return [name, numbers.includes(name) && String(Number(value)) === value ? Number(value) : value];
    }),
  );
}

/** Returns a content reference. GitBook writes a link or a text inside, which is kept if it differs from the address. */
function contentRefOf({ url, ...more }: Attributes, children: readonly RichNode[]): RichNode | undefined {
  if (url === undefined || Object.keys(more).length > 0) return undefined;
  if (!children.every(({ type }) => type === 'paragraph')) return undefined;
  const label = children.map(plainTextOf).join(' ').replace(/\s+/g, ' ').trim();
  return voidBlock('content-ref', { ref: refOf(url), ...(label === url || label === '' ? {} : { label }) });
}

/** Returns an embed or a file. The paragraphs between the tags are its caption. */
function captionedOf(
  name: string,
  { url, src, ...more }: Attributes,
  children: readonly RichNode[],
): RichNode | undefined {
  const target = name === 'embed' ? url : name === 'file' ? src : undefined;
  const isClear = url === undefined || src === undefined;
  if (target === undefined || !isClear || !children.every(({ type }) => type === 'paragraph'))
    return undefined;
  const data = { ...(name === 'embed' ? { url: target } : { ref: refOf(target) }), ...dataOf(more) };
  return voidBlock(name, data, children.length === 0 ? undefined : [fragment('caption', children)]);
}

/** Returns the reference to the file of a specification. A specification with the name of the file stands for it. */
function fileRef(src: string) {
  const ref = refOf(src);
  const spec = slugOfFile(src);
  return ref.kind === 'url' && spec !== '' ? { ...ref, spec } : ref;
}

/** Returns an operation or schemas of an OpenAPI specification, with the blocks between the tags. */
function apiOf(
  name: string,
  { src, spec, schemas, ...more }: Attributes,
  children: readonly RichNode[],
): RichNode | undefined {
  const isFile = name === 'openapi' || name === 'swagger';
  if (!isFile && !name.startsWith('openapi-')) return undefined;
  const target = isFile ? src : spec;
  if (target === undefined || (isFile ? spec : src) !== undefined || more['ref'] !== undefined)
    return undefined;
  const ref = isFile ? fileRef(target) : { kind: 'openapi', spec: target };
  const data = { ref, ...dataOf(more), ...defined({ schemas: schemas?.split(',') }) };
  return {
    ...voidBlock(isFile ? 'swagger' : name, data),
    ...(children.length === 0 ? {} : { nodes: children }),
  };
}

/** Returns an expandable block for `<details>`. The `<summary>` is its title. */
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
