import { expect, it } from 'vitest';
import { listReusableContents } from '../../src/resources/content/space-reusable-contents/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { publishedSite } from './published-site.ts';

const insertFile = (path: string, text: string) => ({
  operation: 'insert_files',
  files: [
    {
      name: 'a.svg',
      contentType: 'image/svg+xml',
      base64: Buffer.from(text).toString('base64'),
      git: { path },
    },
  ],
});

it('reusable content of another space shows the files of that space', async () => {
  const site = await publishedSite([{ title: 'Home', text: '' }]);
  const path = '.gitbook/assets/a.svg';
  const spaceId = await site.addSpace('Parts', [{ title: 'Parts', text: '' }]);
  const [theirs = ''] = await site.change(spaceId, [
    insertFile(path, '<svg/>'),
    {
      operation: 'put_text',
      role: 'include',
      title: 'Part',
      git: { path: '.gitbook/includes/part.md' },
      text: 'Part: ![](../assets/a.svg)\n',
    },
  ]);
  const { items } = await site.call(listReusableContents, { spaceId }, {});
  const address = `https://app.gitbook.com/s/${spaceId}/~/reusable/${items[0]?.id}/`;
  const [ours = ''] = await site.change(site.spaceId, [
    insertFile(path, '<svg></svg>'),
    { operation: 'insert_page', title: 'Use', document: { markdown: `{% include "${address}" %}\n` } },
  ]);
  expect((await site.visit('use')).body).not.toContain('Part:');
  await site.call(addSiteSpace, site.site, { body: { spaceId } });
  const { body } = await site.visit('use');
  expect(body).toContain(`/parts/~files/${theirs}/a.svg`);
  expect(body).not.toContain(ours);
});
