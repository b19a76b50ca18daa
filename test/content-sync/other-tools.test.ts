import { expect, it, onTestFinished } from 'vitest';
import { rmSync } from 'node:fs';
import { listSpaceLinks } from '../../src/resources/spaces/contract.ts';
import { createWorld } from '../support/world.ts';
import { filesOf, newFolder, openShelf, type Files } from './folder-support.ts';

it.each<[string, Files]>([
  [
    'Obsidian',
    {
      'Start here.md': '# Start\n\n[[Deep note|x]] [[#Start]] [[sub/Deep note#A b]] ![[Pic.png|300]]\n',
      'sub/Deep note.md': '## A b\n\n[[start here]]\n',
      'Attachments/Pic.png': 'png',
    },
  ],
  [
    'Hugo',
    {
      '_index.md': '+++\ntitle = "Start"\ndescription = "A"\n+++\n[a](docs/b/#c)\n',
      'docs/_index.md': '---\ntitle: Docs\n---\n[a]({{< ref "b" >}})\n',
      'docs/b.md':
        '# C\r\n\r\n{{% alert color="warning" %}}\r\n[a](../D/)\r\n{{% /alert %}}\r\n![e](../e.png)\r\n',
      'docs/d.md': '[a](/docs/b) {{< figure src="/img/f.png" >}}\n',
      'docs/e.png': 'png',
      'static/img/f.png': 'png',
    },
  ],
  [
    'Jekyll',
    {
      '_docs/a.md':
        '[b]({{ site.baseurl }}/docs/b/#c) [b]({% link _docs/b.md %}) {% raw %}{{ x }}{% endraw %}\n',
      '_docs/b.md': '# C\n\n<img src="{{site.url}}{{site.baseurl}}/img/e.png">\n',
      'img/e.png': 'png',
    },
  ],
  [
    'Docusaurus',
    {
      'intro.md': '---\nsidebar_position: 2\nsidebar_label: Start\n---\n[a](/b/other) [a](./b/a.md)\n',
      'b/a.md': '---\nslug: other\nsidebar_position: 1\n---\n# A\n\n[intro](../intro.md)\n\n## X\n',
      'b/z.md': '---\nsidebar_position: 0\n---\n# Z\n',
      'c.md': '---\nsidebar_position: 1\n---\n[z](/b/z)\n\n## X\n',
    },
  ],
  [
    'Docusaurus with sidebars',
    {
      'sidebars.js': "module.exports = { docs: ['a', { Group: ['b/c'] }] };\n",
      'docs/a.md':
        '# A\n\n![x](@site/static/img/x.png) [c](@site/docs/b/c.md#d) [c](/docs/b/c) ![x](/img/x.png)\n',
      'docs/b/c.md':
        "## D\n\n[a](../a.md)\n\n<img src={require('./y.png').default} />\n\n<Link\n  to={useBaseUrl('files/z.zip')}\n>Z</Link>\n",
      'docs/b/y.png': 'png',
      'static/files/z.zip': 'zip',
      'static/img/x.png': 'png',
    },
  ],
  [
    'Mintlify',
    {
      'docs.json': '{"navigation": {"groups": [{"group": "Start", "pages": ["a", "b/c"]}]}}',
      'a.mdx': '# A\n\n<Card title="C" href="/b/c">x</Card>\n\n[c](/b/c#d) <img src="/images/x.png" />\n',
      'b/c.mdx': '## D\n\n[a](/a)\n',
      'images/x.png': 'png',
    },
  ],
  [
    'Notion',
    {
      'Home 0123456789abcdef0123456789abcdef.md':
        '# Home\n\n[B](Home%200123456789abcdef0123456789abcdef/B%20(x)%20fedcba98765432100123456789abcdef.md) ' +
        '[T](Home%200123456789abcdef0123456789abcdef/T%2000000000000000000000000000000000.csv)\n',
      'Home 0123456789abcdef0123456789abcdef/B (x) fedcba98765432100123456789abcdef.md':
        '# B (x)\n\n[Home](../Home%200123456789abcdef0123456789abcdef.md)\n',
      'Home 0123456789abcdef0123456789abcdef/T 00000000000000000000000000000000.csv': 'Name\n',
    },
  ],
  [
    'VuePress',
    {
      'README.md': '![logo](/logo.png) [a](./guide/#b)\n',
      'guide/README.md': '## B\n\n[home](../)\n',
      '.vuepress/public/logo.png': 'png',
    },
  ],
])('a folder of %s is imported with working links and comes back byte for byte', async (_, files) => {
  const world = await createWorld();
  const shelf = await openShelf(world);
  const dir = newFolder(files);
  onTestFinished(() => rmSync(dir, { recursive: true }));
  await shelf.importFolder(dir);
  const { items } = await world
    .as('read')
    .call(listSpaceLinks, { params: { spaceId: shelf.spaceId }, query: { anchors: true } });
  expect(items.length).toBeGreaterThan(2);
  expect(items.filter(({ status }) => status !== 'ok')).toEqual([]);
  const { 'sidebars.js': _sidebars, 'docs.json': _docs, ...content } = filesOf(dir);
  expect(await shelf.exportFiles()).toMatchObject(content);
  expect(await shelf.plan(dir)).toEqual({ pages: [], texts: [], files: [], deletedFiles: [] });
});
