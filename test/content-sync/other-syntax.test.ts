import { expect, it } from 'vitest';
import { OtherSyntax } from '../../src/content-sync/other-syntax.ts';

const found = (...pages: readonly string[]) => {
  const syntax = new OtherSyntax();
  for (const [index, body] of pages.entries()) syntax.search(`${index}.md`, body, 10);
  return syntax.warnings.map(({ file, line, message }) => `${file}:${line} ${message}`);
};

it.each([
  ['{{< param "x" >}} {{< y >}}', '0.md:11 has {{< param "x" >}}, a template tag'],
  ['{{#each a}}', '0.md:11 has {{#each a}}, a template tag'],
  ['Needs Node {{ book.node }}.', '0.md:11 has {{ book.node }}, a template tag'],
  ['{% highlight ruby %}', '0.md:11 has {% highlight ruby %}, a template tag'],
  ['* x\n\n  <Card title="A">', '0.md:13 has <Card>, MDX code'],
  [':::row:::', '0.md:11 has :::row:::, a block of another tool'],
  ['/// version-added | v2', '0.md:11 has /// version-added | v2, a block of another tool'],
  ['::: {grid} 2', '0.md:11 has ::: {grid} 2, a block of another tool'],
  ['```{literalinclude} a.py\nx\n```', '0.md:11 has ```{literalinclude} a.py, a directive'],
  ['See {ref}`the text <label>`.', '0.md:11 has {ref}`the text <label>`, a role'],
])('warns about %j', (body, warning) =>
  expect(found(body)).toEqual([`${warning} that docsctl does not read; replace it with Markdown`]),
);

it('warns once about each construct, and counts the pages that contain it', () => {
  expect(found('{{< a >}} {{< b >}}\n\n{{< c >}}', 'none', '{{< d >}}\n\n<Cards>', '{{< e >}}')).toEqual([
    '0.md:11 has {{< a >}}, a template tag that docsctl does not read; replace it with Markdown. The same applies to 2 more pages',
    '2.md:13 has <Cards>, MDX code that docsctl does not read; replace it with Markdown',
  ]);
});

it.each([
  "import Tabs from '@theme/Tabs';\n\n[[toc]]\n\n[[_TOC_]]",
  '`{{< a >}}` and ``{{< x >}}``',
  '[[A]] ![[b.png]] {{ site.baseurl }} {% link a.md %} {{< ref "a" >}} {{< figure src="a" >}} {% raw %}',
  '{{< alert color="warning" >}}\na\n{{< /alert >}}\n\n{{% tabs %}}\n{{% /tabs %}}',
  '```\n<Steps>\n{{< x >}}\n<<< x\n{* x *}\n```\n\n<<<<<<< HEAD',
  '<!--\n{{< a >}}\n<<< @/a.ts\n-->',
  '```\n<!--@include: ./a.md-->\n```',
  '[[1]] and [[a]](b.md) and [[a]][b] and [[ -f x ]] and [[...all]]',
  '{% content-ref url="a.md" %}\n[a](a.md)\n{% endcontent-ref %}',
  '{% @mermaid/diagram content="x" %}',
  '{% swagger method="get" %}\n{% swagger-description %}\nx\n{% endswagger-description %}\n{% endswagger %}',
  ':::tip\nx\n:::\n\n::: code-group\n:::',
  '/// tip | A\nx\n///\n\n/// tab | B\nx\n///\n\n/// is not a block',
  '{{ name }} imports a from b. Use <Tabs> inside a line.',
  '<details>\n<summary>x</summary>\n</details>',
  '<T>',
  '{% highlight js linenos %}\n{{< a >}}\n{% endhighlight %}\n\n{{< highlight go >}}\nx\n{{< /highlight >}}',
  '```{code-block} python\nx\n```\n\n```{toctree}\na\n```\n\n:::{toctree}\na\n:::\n\n```{r}\n{ref}`x`\n```',
  '<Tabs>\n<TabItem value="a">\n<Warning>\n</Warning>\n</TabItem>\n</Tabs>',
  '<Steps>\n<Step title="A">\na\n</Step>\n</Steps>\n\n<CodeGroup>\n</CodeGroup>\n\n<ParamField path="x">\n</ParamField>',
  '[['.repeat(400_000),
])('does not warn about case %#', (body) => expect(found(body)).toEqual([]));
