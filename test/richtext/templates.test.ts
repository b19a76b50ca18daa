import { expect, it } from 'vitest';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { scanLinks } from '../../src/richtext/scan-links.ts';
import { convertTemplates, shortcodeTag } from '../../src/richtext/templates.ts';

/** What GitBook would write for a text. */
const written = (text: string) => documentToMarkdown(markdownToDocument(text));

it.each([
  ['[a]({{ site.baseurl }}/b/)', '[a](/b/)'],
  ['<img src="{{site.url}}{{site.baseurl}}/a.png">', '<img src="/a.png">'],
  ["[a]({{ '/b/#c' | relative_url }})", '[a](/b/#c)'],
  ['[a]({% link _docs/b.md %}) {% raw %}{{ x }}{% endraw %}', '[a](/_docs/b.md) {{ x }}'],
  ['[a]({{< relref "b.md#c" >}}) [d]({{% ref d %}})', '[a](b.md#c) [d](d)'],
  ['{{< figure src="a.png" caption="B" width=2 >}}', '![B](<a.png>)'],
  ['{{< youtube id="a-b" autoplay="true" >}}', '<https://www.youtube.com/watch?v=a-b>'],
  ['[[A b]] [[A#B#C|d]] [[#E]]', '[A b](<[[A b]]>) [d](<[[A#B#C]]>) [E](<[[#E]]>)'],
  ['| [[A\\|b]] |', '| [b](<[[A]]>) |'],
  ['* [[A]]: b', '* [A](<[[A]]>): b'],
  ['![[a.png|300]] ![[b.png|B]] ![[C]]', '![](<[[a.png]]>) ![B](<[[b.png]]>) [C](<[[C]]>)'],
])('converts %j', (given, expected) => expect(convertTemplates(given)).toBe(expected));

it.each([
  '[[1]] [[ -f x ]] [[...all]] [[toc]] [[_TOC_]] [[:alpha:]] [[^1]] \\[[a]] <[[a]]> x[[i]] [[a]](b.md) [[a]][b]',
  '{{ site.title }} {{< param "x" >}} {% include a.html %} {{ page.url | relative_url }}',
])('keeps %j', (text) => expect(convertTemplates(text)).toBe(text));

it.each([
  ['{{< alert title="T" color="warning" >}}', '{{< /alert >}}', 'warning', '**T**\n\na'],
  ['{{% hint danger %}}', '{{% /hint %}}', 'danger', 'a'],
  ["{{< admonition type='tip' >}}", '{{< /admonition >}}', 'success', 'a'],
  ['{{% note %}}', '{{% /note %}}', 'info', 'a'],
])('shows the shortcode %j as a hint', (start, end, style, body) =>
  expect(written(`${start}\na\n${end}\n`)).toBe(`{% hint style="${style}" %}\n${body}\n{% endhint %}\n`),
);

it('reads code between the highlight tags of Hugo and Jekyll', () => {
  const code = '{{< highlight go "linenos=table" >}}\na {{ b }} [c](d)\n```\n{{< /highlight >}}\n';
  expect(written(code)).toBe('````go\na {{ b }} [c](d)\n```\n````\n');
  expect(written('* a\n\n  {% highlight ruby linenos %}\n  x\n\n  {%- endhighlight -%}\n')).toBe(
    '* a\n  ```ruby\n  x\n\n  ```\n',
  );
  const open = '```\n{% highlight a %}\n```\n\n{% highlight b %}\n\nx\n';
  expect(written(`${open}\n{% endraw %}\n`)).toContain('highlight b');
});

it('knows which fences are open before a highlight tag', () => {
  const code = '{% highlight a %}\nx\n{% endhighlight %}\n';
  expect(written(`~~~\n\`\`\`\n~~~\n\n\`\`\`\`b\`\`\`\`\n\n${code}`)).toContain('\n```a\nx\n```\n');
  const fence = '````\n```\n' + code + '````\n';
  expect(written(fence)).toBe(fence);
});

it('keeps paragraphs of documents that look like highlight tags', () => {
  const text =
    '{% highlight a %}\n\nx\n\n\\{% endhighlight %}\n\n{{< highlight a >}}\n\nx\n\n\\{{< /highlight >}}\n';
  expect(written(text)).toBe(text);
});

it('shows other shortcodes as expandable blocks, as tabs, or only with their content', () => {
  expect(written('{{< details "A \'b\'" >}}\nc\n{{< /details >}}\n')).toBe(
    "<details>\n\n<summary>A 'b'</summary>\n\nc\n\n</details>\n",
  );
  expect(written('{{% tabpane %}}\n{{% tab header="A" %}}\nb\n{{% /tab %}}\n{{% /tabpane %}}\n')).toContain(
    '{% tabs %}\n{% tab title="A" %}\nb\n{% endtab %}\n{% endtabs %}\n',
  );
  expect(written('{{< blocks/section color="x" >}}\n\n* a\n\n{{< /blocks/section >}}\n')).toBe('* a\n');
});

it.each([
  '```\n{{< note >}}\n[[a]] {{ site.url }}\n{{< /note >}}\n```\n',
  '`[[a]]` and `{{ site.url }}`\n',
  '``a ` [[b]]``\n',
  '<p>[[a]] ![[b.png]] {{< figure src="c.png" >}}</p>\n',
])('does not change %j', (text) => expect(written(text)).toBe(text));

it('knows no tag for shortcodes with code, without an end or inside a line', () => {
  for (const line of ['{{< highlight go >}}', '{{< code-toggle >}}', '{{< note />}}', 'a {{< note >}}'])
    expect(shortcodeTag(line)).toBeUndefined();
});

it('finds the links in templates, with their lines', () => {
  const text =
    'a\n\n[b]({{site.baseurl}}/c/)\n\n[d]({{ site.baseurl }}/e)\n\n[[F g|h]]\n\n{{< note >}}\n![[i.png]]\n{{< /note >}}\n[j]({% link k.md %})\n';
  expect(scanLinks(text).map(({ href, line }) => `${href} ${line}`)).toEqual([
    '/c/ 3',
    '/e 5',
    '[[F g]] 7',
    '[[i.png]] 10',
    '/k.md 12',
  ]);
});

it.each(['[[', '[[a', '![[a|', '{{< figure src="', "{{ '", '{% link ', '{{< ref ', '{{- site.', '[[a#'])(
  'reads many %j in linear time',
  (start) => {
    const text = `${start.repeat(400_000 / start.length)} ]] >}} %} }}`;
    expect(convertTemplates(text).length).toBeGreaterThan(100_000);
    shortcodeTag(text);
  },
);

it('reads a shortcode with many spaces in linear time', () => {
  expect(shortcodeTag(`{{<${' '.repeat(80_000)}`)).toBeUndefined();
  expect(shortcodeTag('{{<  /  note  >}}')).toBe('</Note>');
});
