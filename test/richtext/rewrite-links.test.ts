import { expect, it } from 'vitest';
import { rebaseLinks } from '../../src/richtext/rebase-links.ts';
import { linkHrefs, rewriteLinks } from '../../src/richtext/rewrite-links.ts';

it.each([
  ['[[A b#C|d]] `[[A]]`', '[[A b#C]]', '[d](<x.md>) `[[A]]`'],
  ['| ![[a.png\\|300]] |', '[[a.png]]', '| ![](<x.md>) |'],
  ['[a]({{< ref "b.md#c" >}} "t")', 'b.md#c', '[a](x.md "t")'],
  ['[a]({% link b.md %}#c)', '/b.md#c', '[a](x.md)'],
  ['[a]: {{ site.baseurl }}/b/', '/b/', '[a]: x.md'],
  ['<img src="{{site.url}}/b.png">', '/b.png', '<img src="x.md">'],
  ['{{< figure src="b.png" alt="C" >}}', 'b.png', '![C](<x.md>)'],
])('replaces the target of %j', (text, href, expected) => {
  expect([...linkHrefs(text)]).toEqual([href]);
  expect(rewriteLinks(text, () => 'x.md')).toBe(expected);
  expect(rewriteLinks(text, () => undefined)).toBe(text);
});

it('keeps the names of notes in a text that moves to another folder', () => {
  expect(rebaseLinks('[[A]] ![[b.png]] [c]({{< ref "d.md" >}})', 'e/f.md', 'g.md')).toBe(
    '[[A]] ![[b.png]] [c](e/d.md)',
  );
});

it.each(['[[', '[a]({{', '[a]({{a', '![[a|', '{{< figure ', '[a]({%', '](', 'src="{{'])(
  'searches many %j in linear time',
  (start) => void linkHrefs(start.repeat(400_000 / start.length)),
);
