import fc from 'fast-check';
import { expect, it } from 'vitest';
import { areRichNodes } from '../../src/contract/rich-nodes.ts';
import { isRecord } from '../../src/contract/values.ts';
import { documentToMarkdown } from '../../src/richtext/markdown.ts';
import { readComponent, readRendered } from '../../src/contentkit/read-component.ts';
import { resolveState } from '../../src/contentkit/resolve-state.ts';
import { componentToBlocks } from '../../src/contentkit/to-document.ts';
import { componentToHtml, htmlTags, type HtmlPart } from '../../src/contentkit/to-html.ts';
import { component } from './arbitraries.ts';

const state = fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue());
const allowed = /^(https?:\/\/[^@/]*(\/|$)|mailto:|tel:)/;

/** Returns all values of the members with the given names, at any depth. */
function* valuesOf(value: unknown, names: readonly string[]): Generator {
  if (Array.isArray(value)) for (const item of value) yield* valuesOf(item, names);
  if (!isRecord(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (names.includes(name)) yield inner;
    yield* valuesOf(inner, names);
  }
}

function checkHtml(part: HtmlPart): void {
  if (typeof part === 'string') return;
  if ('blocks' in part) {
    checkBlocks(part.blocks);
    return;
  }
  expect(htmlTags).toContain(part.tag);
  for (const [name, value] of Object.entries(part.attributes)) {
    expect(name).toMatch(/^[a-z-]+$/);
    expect(name).not.toMatch(/^(on|srcdoc|style|action|formaction)/);
    if (name === 'href' || name === 'src') expect(value).toMatch(allowed);
  }
  if (part.tag === 'iframe') expect(part.attributes['sandbox']).not.toContain('allow-same-origin');
  part.children.forEach(checkHtml);
}

function checkBlocks(blocks: unknown): void {
  expect(areRichNodes(blocks)).toBe(true);
  for (const url of valuesOf(blocks, ['url'])) expect(url).toMatch(allowed);
  for (const type of valuesOf(blocks, ['type'])) expect(type).not.toBe('integration');
}

it('returns valid blocks and HTML without forbidden URLs for any tree of elements', () => {
  fc.assert(
    fc.property(component, state, (tree, values) => {
      const read = readComponent(tree, values);
      if (read.component === undefined) {
        expect(read.problem).toMatch(/^[A-Z].*\.$/);
        return;
      }
      const blocks = componentToBlocks(read.component);
      checkBlocks(blocks);
      checkHtml(componentToHtml(read.component));
      // If blocks can be drawn, they can be written: every node has the fields that its type requires.
      expect(typeof documentToMarkdown({ object: 'document', data: {}, nodes: blocks })).toBe('string');
    }),
    { numRuns: 300 },
  );
});

it('never throws for any answer', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (answer, values) => {
      readRendered(answer);
      readRendered({ type: 'element', element: answer, state: values });
      const { component: read } = readComponent({ type: 'block', children: [answer] }, values);
      if (read !== undefined) componentToHtml(read);
    }),
  );
});

it('resolves references to the state at any depth, and changes nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(JSON.stringify(resolveState(value, {}))).toBe(JSON.stringify(value));
    }),
  );
  const nested = { list: [{ $state: 'a' }, { inner: { $state: 'missing' } }], own: { $state: 'toString' } };
  expect(resolveState(nested, { a: { $state: 'a' } })).toEqual({
    list: [{ $state: 'a' }, { inner: undefined }],
    own: undefined,
  });
});
