import { expect, it } from 'vitest';
import { listReusableContents } from '../../src/resources/content/space-reusable-contents/contract.ts';
import { readFacts } from '../../src/pdf/book.ts';
import { updateSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { downloadSpacePdf } from '../../src/resources/spaces/contract.ts';
import { inflatePdf, readPdf } from '../pdf/read-pdf.ts';
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

it('PDFs draw the images in reusable content of another space', async () => {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const site = await publishedSite([{ title: 'Home', text: '' }]);
  const spaceId = await site.addSpace('Parts', [{ title: 'Parts', text: '' }]);
  const [file = ''] = await site.change(spaceId, [
    { operation: 'insert_files', files: [{ name: 'dot.png', contentType: 'image/png', base64: png }] },
  ]);
  await site.change(spaceId, [
    {
      operation: 'put_text',
      role: 'include',
      title: 'Part',
      git: { path: '.gitbook/includes/part.md' },
      text: `Part: ![dot](/files/${file}) and [the file](/files/${file})\n`,
    },
  ]);
  const { items } = await site.call(listReusableContents, { spaceId }, {});
  const address = `https://app.gitbook.com/s/${spaceId}/~/reusable/${items[0]?.id}/`;
  await site.change(site.spaceId, [
    { operation: 'insert_page', title: 'Use', document: { markdown: `{% include "${address}" %}\n` } },
  ]);
  await site.call(addSiteSpace, site.site, { body: { spaceId } });
  await site.call(updateSiteCustomization, site.site, { body: { pdf: { enabled: true } } });
  const published = (await site.visit('~gitbook/pdf')).rawPayload;
  const api = site.world.as('read');
  const exported = (await api.call(downloadSpacePdf, { params: { spaceId: site.spaceId } })).bytes;
  for (const [name, bytes] of [['site', published] as const, ['space', exported] as const]) {
    const { pages, raw } = readPdf(inflatePdf(bytes));
    expect([name, readFacts(bytes)?.undrawn, pages.join().includes('Part:')]).toEqual([name, {}, true]);
    expect([name, raw.includes('/Subtype /Image')]).toEqual([name, true]);
    expect(raw).toContain(
      name === 'site'
        ? `/docs/parts/~files/${file}/dot.png)`
        : `/v1/spaces/${spaceId}/content/files/${file}/download)`,
    );
  }
});
