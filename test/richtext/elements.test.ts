import { expect, it } from 'vitest';
import { convertDialects } from '../../src/richtext/dialects.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { scanLinks } from '../../src/richtext/scan-links.ts';

/** What GitBook would write for a text. */
const written = (text: string) => documentToMarkdown(markdownToDocument(text));

it.each([
  [
    'a hint of Mintlify',
    '<Note>\n  See [x](y).\n</Note>\n',
    '{% hint style="info" %}\nSee [x](y).\n{% endhint %}\n',
  ],
  [
    'a hint of Starlight in a list',
    '* a\n\n  <Aside type="danger" title="T">\n  b\n  </Aside>\n',
    '* a\n\n  {% hint style="danger" %}\n  **T**\n\n  b\n  {% endhint %}\n',
  ],
  [
    'a hint in a step',
    '<Steps>\n  <Step title="One">\n    * a\n      * b\n\n    <Tip>\n      c\n    </Tip>\n  </Step>\n</Steps>\n',
    '{% stepper %}\n{% step %}\n**One**\n\n* a\n  * b\n\n{% hint style="success" %}\nc\n{% endhint %}\n{% endstep %}\n{% endstepper %}\n',
  ],
  [
    'steps in a list',
    '1. a\n\n   <Steps>\n     <Step title="B">\n       c\n     </Step>\n\n     <Step>\n       d\n     </Step>\n   </Steps>\n',
    '1. a\n\n   {% stepper %}\n   {% step %}\n   **B**\n\n   c\n   {% endstep %}\n\n   {% step %}\n   d\n   {% endstep %}\n   {% endstepper %}\n',
  ],
  [
    'steps beside other content',
    '<Steps>\nx\n<Step title="A">\nb\n</Step>\n<Step title="C">d</Step>\n</Steps>\n\n<Steps>\n1. a\n</Steps>\n\n<Steps>\n<Note>\nx\n</Note>\n<Step title="A">\nb\n</Step>\n</Steps>\n',
    'x\n\n**A**\n\nb\n\n**C**\n\nd\n\n1. a\n\n{% hint style="info" %}\nx\n{% endhint %}\n\n**A**\n\nb\n',
  ],
  [
    'elements on one line',
    '<Note>**a** <Icon icon="x" /></Note>\n\n<Card title="B" href="/b">c</Card>\n<Badge>d</Badge>\ne <Note>f</Note>\n\n- <Note>g</Note>\n\n    <Note>h</Note>\n',
    '{% hint style="info" %}\n**a** <Icon icon="x" />\n{% endhint %}\n\n[**B**](/b)\n\nc\n\n<Badge>d</Badge> e <Note>f</Note>\n\n* <Note>g</Note>\n\n  <Note>h</Note>\n',
  ],
  [
    'fields of Mintlify',
    '<ParamField path="id" type="string" required>\n  A\n</ParamField>\n<ResponseField name="x">b</ResponseField>\n',
    '**`id`** `string`\n\nA\n\n**`x`**\n\nb\n',
  ],
  [
    'a group of code',
    '<CodeGroup>\n\n```sh Yarn 2\na\n```\n\n```js a.js\nb\n```\n\n```py {1}\nc\n```\n</CodeGroup>\n',
    '{% tabs %}\n{% tab title="Yarn 2" %}\n```sh\na\n```\n{% endtab %}\n\n{% tab title="a.js" %}\n```js\nb\n```\n{% endtab %}\n\n{% tab title="py" %}\n```py\nc\n```\n{% endtab %}\n{% endtabs %}\n',
  ],
  [
    'a callout of Notion',
    '<aside>\n💡 **Tip:** [a](b.md)\n\n</aside>\n\n```\n<aside>\n</aside>\n```\n',
    '{% hint style="info" %}\n💡 **Tip:** [a](b.md)\n{% endhint %}\n\n```\n<aside>\n</aside>\n```\n',
  ],
  ['an aside of HTML', '<aside class="x">\na\n</aside>\n', '<aside class="x">\na\n</aside>\n'],
  ['a card', '<Card\n  title="A"\n  href="/b"\n>\n  c\n</Card>\n', '[**A**](/b)\n\nc\n'],
  [
    'an expandable block',
    '<Accordion title="A">\nb\n</Accordion>\n',
    '<details>\n\n<summary>A</summary>\n\nb\n\n</details>\n',
  ],
  ['an element that is not closed', '<Note>\n\n    code\n', '<Note>\n\n```\ncode\n```\n'],
  ['code', '```\n<Note>\n  x\n</Note>\n```\n', '```\n<Note>\n  x\n</Note>\n```\n'],
  [
    'code with indented fences',
    '```mdx\n    ```\n<Tab>\n</Tab>\n```\n',
    '````mdx\n    ```\n<Tab>\n</Tab>\n````\n',
  ],
  ['indented code', 'a\n\n    <Note>\n      x\n    </Note>\n', 'a\n\n```\n<Note>\n  x\n</Note>\n```\n'],
])('reads %s of MDX', (_, given, expected) => expect(written(given)).toBe(expected));

it('reads tabs of Docusaurus, whose content may be indented', () => {
  const tab = '  <TabItem value="a" label="A">\n\n    ```sh\n    a\n      b\n    ```\n\n  </TabItem>\n';
  const given = `<Tabs groupId="x" values={[{y: 1}]}>\n${tab}  <TabItem value="b">\n  c\n  </TabItem>\n</Tabs>\n`;
  const { nodes } = markdownToDocument(given + given);
  const tabs = nodes.filter(({ type }) => type === 'tabs');
  const titles = [{ data: { title: 'A' } }, { data: { title: 'b' } }];
  expect(tabs).toMatchObject([
    { type: 'tabs', nodes: titles },
    { type: 'tabs', nodes: titles },
  ]);
  expect(written(given)).toContain('```sh\na\n  b\n```');
});

it('finds the links in elements', () => {
  expect(scanLinks('<Note>\n  [a](a.md)\n</Note>\n').map(({ href, line }) => [href, line])).toEqual([
    ['a.md', 2],
  ]);
});

it('takes a time that grows with the length of the text', () => {
  const lines = [
    '<Note>\n',
    '</Note>\n',
    '<A>\n</B>\n',
    '<Note\n',
    '<Tab>\n</Tab>\n',
    ' <A>\n  <B>\n',
    '<A <',
    '<Note>a</Note>\n',
    '<Steps>\n<Step>\n</Step>\n',
    '<Step>\n</Step>\n</Steps>\n<Steps>\n',
    `<A>${' '.repeat(100)}</`,
  ];
  for (const line of lines)
    expect(convertDialects(`${line.repeat(40_000)}\n</Note>\n</A>\n`).length).toBeGreaterThan(100_000);
});
