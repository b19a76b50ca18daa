import { expect, it } from 'vitest';
import { addSiteSpace, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { spaceAddress } from '../../src/contract/open-address.ts';
import { publishedSite } from './published-site.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

it('the cover of a page can be an image of another space of the site', async () => {
  const site = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const images = await site.addSpace('Images', [{ title: 'Overview', text: 'Text' }]);
  const [file = ''] = await site.change(images, [
    { operation: 'insert_files', files: [{ name: 'cover.png', contentType: 'image/png', base64: png }] },
  ]);
  const address = spaceAddress(images, `~/files/${file}`);
  await site.change(site.spaceId, [
    {
      operation: 'insert_page',
      title: 'Covered',
      document: { markdown: `---\ncover: ${address}\n---\nText` },
    },
  ]);
  const { id } = await site.call(addSiteSpace, site.site, { body: { spaceId: images } });
  await site.call(updateSiteSpace, { ...site.site, siteSpaceId: id }, { body: { path: 'images' } });
  const [, src = ''] =
    /<div class="cover [^>]*><img [^>]*src="([^"]+)"/.exec((await site.visit('covered')).body) ?? [];
  expect(src).toBe(`/sites/acme/docs/images/~files/${file}/cover.png`);
});
