import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findStrayTags } from '../../src/content-sync/find-stray-tags.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { newFolder } from './folder-support.ts';

it.each([
  [
    '{% hint style="info" %}\nx\n{% endhint %}\n\n{% tabs %}\n{% tab title="A" %}\nx\n\n```md\n{% endtabs %}\n```\n{% endtab %}\n{% endtabs %}',
    [],
  ],
  ['{% code title="a" %}\n```js\n{% hint %}\n```\n{% endcode %}', []],
  [
    '1. One\n\n    {% code %}\n    ```js\n    x\n    ```\n    {% endcode %}\n2. {% hint %}\n   x\n   {% endhint %}',
    [],
  ],
  [
    '{% embed url="https://x.test" %}\n\n{% embed url="https://x.test" %}\nSays\n{% endembed %}\n\n{% include "a.md" %}\n{% unknown %}',
    [],
  ],
  ['<!--\n{% tabs %}\n-->\nThe tag {% tabs %} opens tabs, `{% endtab %}`', []],
  ['    {% tabs %}', []],
  ['{% hint %}\nx\n{% endhint %}\n\n```\n{% hint style="..." %}\n```\n', []],
  [
    'a\n{% hint style="warn" %}\nx\n{% endhint %}',
    [
      [
        2,
        'has a hint with the unknown style "warn", which is shown as info; use info, success, warning or danger',
      ],
    ],
  ],
  [
    '{% hint style="warn" a= %}\nx\n{% endhint %}\n\n{% if a == "b" %}\n{% endif %}\n{% code title="a"b" %}\n```\n```\n{% endcode %}\n{% embed "x" %}',
    [
      [1, 'has {% hint %} with attributes that docsctl cannot read, which is kept as text'],
      [7, 'has {% code %} with attributes that docsctl cannot read, which is kept as text'],
      [11, 'has {% embed %} with attributes that docsctl cannot read, which is kept as text'],
    ],
  ],
  [
    '\n{% tabs %}\n{% tab title="A" %}\nx\n{% endtab %}\n',
    [[2, 'has {% tabs %} without {% endtabs %}, which is kept as text']],
  ],
  ['x\n{% endhint %}\r\n', [[2, 'has {% endhint %} without {% hint %}, which is kept as text']]],
  [
    '{% tabs %}\n{% tab title="A" %}\nx\n{% endtabs %}\n',
    [[2, 'has {% tab %} without {% endtab %}, which is kept as text']],
  ],
  [
    '{% code %}\n> {% hint %}\n> quoted\n> {% endhint %}\n{% endcode %}',
    [[1, 'has {% code %} that contains more than one block of code, which is kept as text']],
  ],
  [
    '{% code %}\n> quoted\n{% endcode %}',
    [[1, 'has {% code %} that contains more than one block of code, which is kept as text']],
  ],
  [
    '{% tabs %}\nText\n{% tab title="A" %}\nx\n{% endtab %}\n{% endtabs %}',
    [[1, 'has {% tabs %} that contains something outside {% tab %}, which is kept as text']],
  ],
])('reports the stray tags of %j', (text, found) =>
  expect(findStrayTags(text).map(({ line, message }) => [line, message])).toEqual(found),
);

it('reports the file and line of an unclosed tag, in pages and in reusable content', async () => {
  const dir = newFolder({
    'README.md': '---\ntitle: A\n---\n\n{% hint %}\nx\n',
    '.gitbook/includes/part.md': '{% code %}\n> x\n{% endcode %}\n',
  });
  const { warnings } = await readFolder(dir);
  expect(warnings).toMatchObject([
    { file: 'README.md', line: 5, message: expect.stringContaining('{% hint %}') },
    { file: '.gitbook/includes/part.md', line: 1, message: expect.stringContaining('{% code %}') },
  ]);
  rmSync(dir, { recursive: true });
});

it('takes time linear in the number of stray tags', () => {
  const text = `${'{% tab %}\n'.repeat(50_000)}${'{% endhint %}\n'.repeat(50_000)}`;
  expect(findStrayTags(text)).toHaveLength(20);
});
