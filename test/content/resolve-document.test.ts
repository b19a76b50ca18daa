import { expect, it } from 'vitest';
import { resolveDocument } from '../../src/content/resolve-document.ts';
import type { ReferenceResolver } from '../../src/content/links/reference-resolver.ts';
import { markdownToDocument } from '../../src/richtext/markdown.ts';

it('resolves each href once, and does not change texts and lines of code', async () => {
  const asked: string[] = [];
  const references = {
    resolve: async (_source: unknown, href: string) => {
      asked.push(href);
      return { kind: 'page', page: 'pag_1' };
    },
  } as unknown as ReferenceResolver;
  const document = markdownToDocument('- [a](a.md) and [b](a.md)\n\n```js\nlet a;\nlet b;\n```\n');
  const { nodes } = await resolveDocument(document, references, { target: 'page:pag_0' }, { labels: false });
  expect(asked).toEqual(['a.md']);
  expect(JSON.stringify(nodes).match(/"ref":\{"kind":"page","page":"pag_1"\}/g)).toHaveLength(2);
  expect(nodes[1]?.type).toBe('code');
  expect(nodes[1]?.nodes).toBe(document.nodes[1]?.nodes);
  const [item, before] = [nodes, document.nodes].map((all) => all[0]?.nodes?.[0]?.nodes?.[0]?.nodes ?? []);
  const texts = before!.filter(({ object }) => object === 'text');
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(item).toContain(text);
});
