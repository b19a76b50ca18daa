import { expect, it } from 'vitest';
import { updateSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { publishedSite } from '../publishing/published-site.ts';
import { buildFolder } from './built-site.ts';

it('a built site contains the images of its customization, and no actions that need a server', async () => {
  const site = await publishedSite([{ title: 'Start', text: '[out](https://example.com/)' }]);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
  const [file] = await site.change(site.spaceId, [
    { operation: 'insert_files', files: [{ name: 'logo.svg', contentType: 'image/svg+xml', base64: svg }] },
  ]);
  const logo = { kind: 'file', space: site.spaceId, file };
  await site.call(updateSiteCustomization, site.site, {
    body: {
      header: { logo: { light: logo, dark: logo } },
      socialPreview: { url: logo },
      pageActions: { mcp: true, externalAI: true },
      externalLinks: { target: 'blank' },
    },
  });
  const built = buildFolder(site);
  await built.build();
  const page = built.read('index.html');
  const [, src = ''] = /class="logo[^"]*" src="([^"]+)"/.exec(page) ?? [];
  expect(built.read(src)).toContain('<svg');
  expect(page).not.toContain('og:image');
  for (const gone of ['data-copy-text', 'claude.ai', 'chatgpt.com']) expect(page).not.toContain(gone);
  expect(page).toContain('data-copy-page');
  expect(page).toContain('href="https://example.com/" class="external" rel="noopener" target="_blank"');
  await built.build({ url: 'https://docs.example.com/base/' });
  expect(built.read('index.html')).toContain(
    `<meta property="og:image" content="https://docs.example.com/base/${src}">`,
  );
});
