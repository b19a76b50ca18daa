import { expect, it } from 'vitest';
import { blockSourceKey, listBlockSources, replaceBlocks } from '../../src/contentkit/document-blocks.ts';
import { documentToMarkdown } from '../../src/richtext/markdown.ts';
import { paragraphOf } from '../../src/richtext/nodes.ts';
import { markdownToRead } from '../../src/richtext/readable.ts';

const text = `{% @mermaid/diagram content="a\\nb" title="x" %}

> \`\`\`mermaid
> graph
> two
> \`\`\`

{% hint style="info" %}
{% @mermaid/diagram title="x" content="a\\nb" %}
{% endhint %}

<details>

<summary>More</summary>

\`\`\`mermaid
inner
\`\`\`

</details>

\`\`\`
plain
\`\`\`
`;

it('finds the blocks of a document at any depth, and equal blocks once', () => {
  expect(listBlockSources(markdownToRead(text).nodes)).toEqual([
    { kind: 'tag', integration: 'mermaid', block: 'diagram', props: { content: 'a\nb', title: 'x' } },
    { kind: 'code', syntax: 'mermaid', content: 'graph\ntwo' },
    { kind: 'code', syntax: 'mermaid', content: 'inner' },
  ]);
});

it('replaces the drawn blocks at any depth', () => {
  const { nodes } = markdownToRead(text);
  const drawn = new Map(
    listBlockSources(nodes).map((source, index) => [blockSourceKey(source), [paragraphOf(`drawn ${index}`)]]),
  );
  const replaced = documentToMarkdown({ object: 'document', data: {}, nodes: replaceBlocks(nodes, drawn) });
  expect(replaced.match(/drawn \d/g)).toEqual(['drawn 0', 'drawn 1', 'drawn 0', 'drawn 2']);
  expect(replaced).not.toContain('mermaid');
  expect(replaced).toContain('plain');
  expect(replaceBlocks(nodes, new Map())).toEqual(nodes);
});
