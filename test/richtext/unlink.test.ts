import { expect, it } from 'vitest';
import { unlink } from '../../src/richtext/unlink.ts';

const isGone = (href: string): boolean => href.startsWith('gone');

it.each([
  ['See [the *text*](gone.md) here.', 'See the *text* here.'],
  ['[a](gone.md "Title"), [b](<gone away.md>) and [c](kept.md)', 'a, b and [c](kept.md)'],
  ['![A plan](gone.png) ![](gone.png)', 'A plan '],
  ['[![A plan](gone.png)](kept.md)', '[A plan](kept.md)'],
  ['[![A plan](kept.png)](gone.md)', '![A plan](kept.png)'],
  ['[a \\] b](gone.md) [c [d] e](gone.md)', 'a \\] b c [d] e'],
  ['`[a](gone.md)` and ``[b](gone.md)``', '`[a](gone.md)` and ``[b](gone.md)``'],
  ['```\n[a](gone.md)\n```\n[b](gone.md)', '```\n[a](gone.md)\n```\nb'],
  ['    x\n\n<a href="gone.md">text</a> <a href="kept.md">kept</a>', '    x\n\n<a>text</a> <a href="kept.md">kept</a>'],
  ['<img src="gone.png" alt="A plan">', '<img alt="A plan">'],
  ['{% content-ref url="gone.md" %}\n[gone.md](gone.md)\n{% endcontent-ref %}\n', 'gone.md\n'],
  ['{% content-ref url="kept.md" %}\n[kept.md](kept.md)\n{% endcontent-ref %}', '{% content-ref url="kept.md" %}\n[kept.md](kept.md)\n{% endcontent-ref %}'],
  ['a {% file src="gone.pdf" %} b', 'a  b'],
  ['{% file src="gone.pdf" %}\nThe plan\n{% endfile %}\n', 'The plan\n'],
  ['{% file src="gone.pdf" %}\n\n{% file src="kept.pdf" %}\na\n{% endfile %}', '\n\n{% file src="kept.pdf" %}\na\n{% endfile %}'],
  ['[text][Label], [label][] and [label]. [other][kept]\n\n[LABEL]: gone.md "T"\n[kept]: kept.md\n', 'text, label and label. [other][kept]\n\n[kept]: kept.md\n'],
  ['[not a link] (gone.md) and [x]', '[not a link] (gone.md) and [x]'],
])('removes the links to deleted targets: %j becomes %j', (markdown, plain) => {
  expect(unlink(markdown, isGone)).toBe(plain);
  expect(unlink(markdown, () => false)).toBe(markdown);
}); // prettier-ignore

it('takes time linear in the length of hostile texts', () => {
  for (const piece of [
    '[',
    '![',
    '[a](',
    '](gone',
    '`',
    '<a ',
    '{% content-ref url="gone" %}',
    '{% file src="kept" %}x',
    '[a][',
    '[[a]',
    '\\',
    '[x\n',
  ])
    expect(unlink(piece.repeat(20_000), isGone).length).toBeGreaterThan(0);
});
