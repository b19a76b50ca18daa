import { expect, it } from 'vitest';
import { PageCache, type MadePage } from '../../src/publishing/page-cache.ts';
import type { OpenSpace } from '../../src/publishing/page-links.ts';
import type { SiteView } from '../../src/publishing/site-view.ts';
import type { SitePage } from '../../src/publishing/space-pages.ts';

it('the page cache counts pages without a body, so that many of them do not fill the memory', async () => {
  const cache = new PageCache({ maxBytes: 100_000 });
  let made = 0;
  const make = async (): Promise<MadePage> => {
    made++;
    return { body: Buffer.alloc(0), versions: new Map(), blocks: [] };
  };
  const open = { shown: { row: { id: 'sitesp_1' } }, pages: { digest: '' } } as unknown as OpenSpace;
  const ask = (visitor: number) => {
    const view = {
      installedOn: async () => ({ digest: '' }),
      scripts: async () => [],
      fingerprint: () => String(visitor),
      organization: { id: 'org' },
    } as unknown as SiteView;
    return cache.get(view, open, { id: 'pag_1' } as SitePage, make, 'feed');
  };
  await ask(0);
  await ask(0);
  expect(made).toBe(1);
  for (let visitor = 1; visitor <= 200; visitor++) await ask(visitor);
  await ask(200);
  expect(made).toBe(201);
  await ask(1);
  expect(made).toBe(202);
});

it('the size of the page cache includes pages, texts of whole sites, PDFs and files', async () => {
  const cache = new PageCache();
  const empty = cache.size;
  await cache.fullTexts.get('a', async () => Buffer.alloc(10_000));
  await cache.pdfs.get({ site: 'one', key: 'a', alone: true }, async () => Buffer.alloc(20_000));
  expect(cache.size - empty).toBeGreaterThanOrEqual(30_000);
  await cache.files.get('hash', async () => Buffer.alloc(40_000));
  expect(cache.size - empty).toBeGreaterThanOrEqual(70_000);
});
