import { describe, expect, it } from 'vitest';
import { createStyler } from '../../src/cli/output/style.ts';
import { renderPage } from '../../src/cli/output/markdown/render.ts';
import { areRichNodes } from '../../src/contract/rich-nodes.ts';
import type { RichDocumentValue } from '../../src/contract/shapes.ts';
import { Problem } from '../../src/errors/problem.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { plainTextOf } from '../../src/richtext/nodes.ts';

const ink = await createStyler(false);
const markdown = `# Title {#anchor}

A *b* **c** \`d\` ~~e~~ [f](https://a.test "t") ![g](a.png) $$h$$ <mark style="color:red;">i</mark> [j](/pages/pag_1) {% hint %}

{% hint style="info" %}
Hint
{% endhint %}

{% tabs %}
{% tab title="One" %}
Tab
{% endtab %}
{% endtabs %}

* a
  1. b
* [x] c

> quote

\`\`\`js
code
\`\`\`

{% code title="a.js" lineNumbers="true" %}
\`\`\`js
code
\`\`\`
{% endcode %}

$$
x^2
$$

| a | b |
| - | :-: |
| 1 | 2 |

<table data-view="cards"><thead><tr><th>t</th><th data-type="rating" data-max="5">r</th><th data-hidden data-card-target data-type="content-ref">l</th></tr></thead><tbody><tr><td>a</td><td>3</td><td><a href="a.md">a.md</a></td></tr></tbody></table>

<figure><img src="a.png" alt="b" width="300"><figcaption><p>c</p></figcaption></figure>

<details><summary>s</summary>d</details>

{% embed url="https://a.test" %}

{% file src="a.pdf" %}

{% content-ref url="b.md" %}
[b.md](b.md)
{% endcontent-ref %}

{% include "a.md" %}

{% openapi-operation spec="a" path="/b" method="get" %}
{% endopenapi-operation %}

{% stepper %}
{% step %}
s
{% endstep %}
{% endstepper %}

{% columns %}
{% column width="50%" %}
c
{% endcolumn %}
{% endcolumns %}

{% if visitor.claims.a %}
x
{% endif %}

---
`;
const hostile: readonly unknown[] = [
  { toString: 1, valueOf: 1 },
  null,
  7,
  true,
  [],
  [{ toString: 1 }],
  '\u0000',
  -1e308,
];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    ...(path.length === 0 ? [] : [path]),
    ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key])),
  ];
}

function withValue(document: RichDocumentValue, path: Path, value: unknown): RichDocumentValue {
  const copy = structuredClone(document) as unknown as Record<string | number, unknown>;
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key] as typeof at;
  at[path.at(-1)!] = value;
  return copy as unknown as RichDocumentValue;
}

describe('a document in which one value has the wrong type', () => {
  // Each block is in its own document, so that an error in one does not affect the others.
  const documents = markdownToDocument(markdown).nodes.map(
    (node) => ({ object: 'document', data: {}, nodes: [node] }) as const,
  );
  const uses: readonly [string, (document: RichDocumentValue) => unknown][] = [
    ['written as Markdown', documentToMarkdown],
    ['drawn on a terminal', ({ nodes }) => renderPage({ title: 'T', nodes }, 80, ink)],
    ['read as plain text', ({ nodes }) => nodes.map(plainTextOf)],
  ];

  it.each(uses)('is %s, or refused', (_, use) => {
    const broken = new Set<string>();
    const count = { refused: 0, used: 0 };
    for (const document of documents) {
      for (const path of pathsOf(document.nodes).map((each) => ['nodes', ...each])) {
        for (const value of hostile) {
          const changed = withValue(document, path, value);
          const isSound = areRichNodes(changed.nodes);
          count[isSound ? 'used' : 'refused']++;
          try {
            if (isSound) use(changed);
          } catch (error) {
            if (!(error instanceof Problem))
              broken.add(`${path.join('.')} = ${JSON.stringify(value)}: ${String(error)}`);
          }
        }
      }
    }
    expect([...broken].slice(0, 12)).toEqual([]);
    expect(count.refused).toBeGreaterThan(1000);
    expect(count.used).toBeGreaterThan(1000);
  });
});

it.each([[{}], ['text'], [[{ object: 'block', nodes: {} }]], [[[]]]])(
  '%j is no list of rich nodes',
  (value) => {
    expect(areRichNodes(value)).toBe(false);
  },
);
