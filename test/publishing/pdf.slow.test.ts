import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import { Problem } from '../../src/errors/problem.ts';
import { PdfCache } from '../../src/publishing/pdf-cache.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import { createSpec, replaceSpec } from '../../src/resources/openapi/contract.ts';
import { downloadSpacePdf } from '../../src/resources/spaces/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { createSitesServer } from '../../src/server/sites-app.ts';
import { inflatePdf, readPdf } from '../pdf/read-pdf.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the PDF of a site', () => {
  let site: PublishedSite;
  const pagesOf = async (query = ''): Promise<readonly string[]> => {
    const answer = await site.visit(`~gitbook/pdf${query}`);
    expect([query, answer.statusCode, answer.headers['content-type']]).toEqual([
      query,
      200,
      'application/pdf',
    ]);
    return readPdf(inflatePdf(answer.rawPayload)).pages;
  };

  beforeAll(async () => {
    site = await publishedSite([
      {
        title: 'Welcome',
        text: 'Read [the setup](setup.md#install), [a corner](corner.md) or [more](https://more.test/a).',
      },
      { title: 'Setup', text: '## Install\n\nRun **it** now.' },
      { title: 'Corner', text: 'Only with the address.', hidden: true },
    ]);
    const [file] = await site.change(site.spaceId, [
      { operation: 'insert_files', files: [{ name: 'dot.png', contentType: 'image/png', base64: png }] },
    ]);
    await site.change(site.spaceId, [
      {
        operation: 'insert_page',
        title: 'Deeper',
        into: site.pages.get('Setup'),
        document: { markdown: `Below the setup.\n\n![dot](/files/${file})` },
      },
    ]);
  });

  it('is disabled until the customization enables it', async () => {
    expect((await site.visit('~gitbook/pdf')).statusCode).toBe(404);
    expect((await site.visit('setup')).body).not.toContain('~gitbook/pdf');
    await site.call(replaceSiteCustomization, site.site, { body: { pdf: { enabled: true } } });
    const id = site.pages.get('Setup');
    expect((await site.visit('setup')).body).toContain(
      `/sites/acme/docs/~gitbook/pdf?page=${id}&amp;only=yes`,
    );
  });

  it('contains the listed pages in order, with a table of contents', async () => {
    const pages = await pagesOf();
    expect(pages).toHaveLength(5);
    expect(pages[0]).toContain('Docs');
    expect(pages[1]).toMatch(/Contents[^]*Welcome[^]*Setup[^]*Deeper/);
    expect(pages.slice(2).map((text) => /Read|Run|Below/.exec(text)?.[0])).toEqual(['Read', 'Run', 'Below']);
    expect(pages.join()).not.toContain('address');
  });

  it('contains a single page, with or without the pages below it', async () => {
    const id = site.pages.get('Setup');
    expect((await pagesOf(`?page=${id}`)).join()).toMatch(/Install\nRun[^]*Below the setup/);
    const [page, ...others] = await pagesOf(`?page=${id}&only=yes`);
    expect([page?.includes('Install'), others]).toEqual([true, []]);
    expect((await pagesOf(`?page=${site.pages.get('Corner')}`)).join()).toContain('Only with the address');
  });

  it('links to the site and to the web, and contains images', async () => {
    const id = site.pages.get('Welcome');
    const raw = (await site.visit(`~gitbook/pdf?page=${id}&only=yes`)).rawPayload.toString('latin1');
    expect(raw).toContain('(https://docs.test/sites/acme/docs/setup#install)');
    expect(raw).toContain('(https://more.test/a)');
    const whole = (await site.visit('~gitbook/pdf')).rawPayload.toString('latin1');
    expect(whole).not.toContain('(https://docs.test/sites/acme/docs/setup');
    expect(whole).toContain('/Subtype /Image');
    expect(whole).toContain('docsctl: 5 pages)');
  });

  it('has a file name, and does not exist for an unknown page', async () => {
    expect((await site.visit('~gitbook/pdf?page=pag_none')).statusCode).toBe(404);
    const { headers } = await site.visit(`~gitbook/pdf?page=${site.pages.get('Setup')}`);
    expect(headers['content-disposition']).toBe("inline; filename*=UTF-8''Setup.pdf");
    expect(headers['x-robots-tag']).toBe('noindex');
    expect(headers.link).toBe('<https://docs.test/sites/acme/docs/setup>; rel="canonical"');
  });

  it('is made again after the content has changed', async () => {
    await site.change(site.spaceId, [
      { operation: 'insert_page', title: 'Newest', document: { markdown: 'Fresh words.' } },
    ]);
    expect((await pagesOf()).join()).toContain('Fresh words.');
  });

  it('does not block readers while it is made', async () => {
    await site.change(
      site.spaceId,
      Array.from({ length: 60 }, (_, index) => ({
        operation: 'insert_page',
        title: `Page ${index}`,
        document: { markdown: `Text ${index}. `.repeat(200) },
      })),
    );
    const order: string[] = [];
    const pdf = site.visit('~gitbook/pdf').then(({ statusCode }) => order.push(`pdf ${statusCode}`));
    for (let index = 0; index < 3; index++)
      order.push(`page ${(await site.visit(`setup?${index}`)).statusCode}`);
    await pdf;
    expect(order).toEqual(['page 200', 'page 200', 'page 200', 'pdf 200']);
  });
});

it('the PDF of one of several spaces has the title of the space on its cover', async () => {
  const pages = ['Welcome', 'More'].map((title) => ({ title, text: 'Hello.' }));
  const { call, site, addSpace, visit } = await publishedSite(pages);
  await call(replaceSiteCustomization, site, { body: { pdf: { enabled: true } } });
  const coverOf = async (base = '') => {
    const { rawPayload } = await visit(`${base}~gitbook/pdf`);
    return readPdf(inflatePdf(rawPayload)).pages[0]?.split('\n');
  };
  expect(await coverOf()).not.toContain('Guide');
  const spaceId = await addSpace('Other', pages);
  const { path } = await call(addSiteSpace, site, { body: { spaceId, title: 'Handbook' } });
  expect(await coverOf()).toEqual(expect.arrayContaining(['Docs', 'Guide']));
  expect(await coverOf(`${path}/`)).toEqual(expect.arrayContaining(['Docs', 'Handbook']));
});

describe('a PDF that takes long to make', () => {
  it('responds with 504 in time, and is ready for the next request', async () => {
    const { core, call, site } = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
    await call(replaceSiteCustomization, site, { body: { pdf: { enabled: true } } });
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    let reads = 0;
    // The first read finds the site. The PDF is made in the others.
    const store: Store = {
      ...core.store,
      read: async (work) => {
        if (++reads > 1) await gate;
        return core.store.read(work);
      },
    };
    const server = await createSitesServer({
      core: { ...core, store },
      limits: { answerTimeout: 20, socketTimeout: 100 },
      newRequestId: () => 'req',
      log: undefined,
    });
    try {
      const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
      const address = `${url}/sites/acme/docs/~gitbook/pdf`;
      const early = await fetch(address);
      expect(early.status).toBe(504);
      expect(await early.text()).toBe('The PDF is still being made. Request it again in a minute.\n');
      open();
      await vi.waitFor(async () => expect((await fetch(address)).status).toBe(200), 30_000);
    } finally {
      open();
      await server.close(0);
    }
  });
});

describe('the cache of PDFs', () => {
  it('makes one PDF at a time, once for all requests, and limits how many wait', async () => {
    const cache = new PdfCache();
    const open: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const make = (text: string) => async (): Promise<Uint8Array> => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => open.push(resolve));
      running--;
      return Buffer.from(text);
    };
    const get = (site: string, key: string) => cache.get({ site, key, alone: true }, make(key));
    const asked = ['a', 'a', 'b', 'c', 'd'].map((key) => get('one', key));
    // No site uses up the places of others.
    await expect(get('one', 'e')).rejects.toMatchObject({ reason: 'rate-limited' });
    asked.push(...['e', 'f', 'g', 'h'].map((key) => get('other', key)));
    await expect(get('third', 'i')).rejects.toMatchObject({ reason: 'rate-limited' });
    let made = 0;
    const all = Promise.all(asked.map(async (each) => String(await each))).finally(() => made++);
    while (made === 0) {
      open.shift()?.();
      await new Promise(setImmediate);
    }
    expect([await all, most]).toEqual([['a', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], 1]);
    expect(String(await cache.get({ site: 'one', key: 'h', alone: true }, make('other')))).toBe('h');
  });

  it('makes PDFs of different sites at the same time if other threads make them', async () => {
    const cache = new PdfCache();
    const begun: string[] = [];
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const get = (site: string, key: string) =>
      cache.get({ site, key, alone: false }, async () => {
        begun.push(key);
        await gate;
        return Buffer.from(key);
      });
    const asked = [get('one', 'a'), get('one', 'b'), get('other', 'c')];
    await new Promise(setImmediate);
    expect(begun).toEqual(['a', 'c']);
    open();
    expect((await Promise.all(asked)).map(String)).toEqual(['a', 'b', 'c']);
    expect(begun).toEqual(['a', 'c', 'b']);
  });

  it('refuses a PDF at once that was too large before', async () => {
    const cache = new PdfCache();
    const refuse = () => Promise.reject(new Problem('too-large', 'Too long.'));
    for (const make of [refuse, async () => Buffer.from('yes')])
      await expect(cache.get({ site: 'one', key: 'a', alone: true }, make)).rejects.toThrow('Too long.');
  });

  it('makes a PDF again after a failure', async () => {
    const cache = new PdfCache();
    await expect(
      cache.get({ site: 'one', key: 'a', alone: true }, () => Promise.reject(new Error('no'))),
    ).rejects.toThrow('no');
    expect(
      String(await cache.get({ site: 'one', key: 'a', alone: true }, async () => Buffer.from('yes'))),
    ).toBe('yes');
  });
});

it('a PDF links to generated pages of a specification inside the file', async () => {
  const site = await publishedSite([
    {
      title: 'Welcome',
      text: 'Read [the tag](pet.md), [an operation](pet.md#get-pets) or [no page](cat.md).',
    },
  ]);
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    tags: [{ name: 'pet' }],
    paths: {
      '/pets': {
        get: { tags: ['pet'], summary: 'List all walruses', responses: { 200: { description: 'Pets' } } },
      },
    },
  };
  const source = { text: JSON.stringify(spec) };
  await site.call(createSpec, { organizationId: site.world.org }, { body: { slug: 'pets', source } });
  await runDueJobs(site.world.core, { signal: new AbortController().signal });
  const computed = {
    type: 'builtin:openapi',
    props: { models: false },
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
  };
  await site.change(site.spaceId, [
    { operation: 'insert_page', title: 'Pets', type: 'computed', computed, document: {} },
  ]);
  await site.call(replaceSiteCustomization, site.site, { body: { pdf: { enabled: true } } });
  const { rawPayload } = await site.visit('~gitbook/pdf');
  const { pages, jumps, urls } = readPdf(inflatePdf(rawPayload));
  const sheet = (text: string) => pages.findIndex((one) => one.includes(text)) + 1;
  const [from, to] = [sheet('no page'), sheet('walruses')];
  expect(jumps.filter(([one]) => one === from)).toEqual([
    [from, to],
    [from, to],
  ]);
  expect(urls.filter((url) => url.includes('pet.md') || url.includes('/v1/orgs/'))).toEqual([]);
});

it('PDFs show the operation of a block in the latest version of its specification', async () => {
  const block = '{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}';
  const site = await publishedSite([{ title: 'Welcome', text: block }]);
  const organizationId = site.world.org;
  const sourceOf = (description: string) => {
    const paths = { '/pets': { get: { description, responses: { 200: { description: 'Pets' } } } } };
    return { text: JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths }) };
  };
  const runJobs = () => runDueJobs(site.world.core, { signal: new AbortController().signal });
  const readAll = async (): Promise<string[]> => {
    const { rawPayload } = await site.visit('~gitbook/pdf');
    const { bytes } = await site.call(downloadSpacePdf, { spaceId: site.spaceId }, { query: {} });
    return [rawPayload, bytes].map((pdf) => readPdf(inflatePdf(pdf)).pages.join('\n'));
  };
  await site.call(createSpec, { organizationId }, { body: { slug: 'pets', source: sourceOf('Walruses') } });
  await runJobs();
  await site.call(replaceSiteCustomization, site.site, { body: { pdf: { enabled: true } } });
  for (const text of await readAll()) expect(text).toContain('Walruses');
  const params = { organizationId, specSlug: 'pets' };
  await site.call(replaceSpec, params, { body: { source: sourceOf('Seals') } });
  await runJobs();
  for (const text of await readAll()) expect(text).toContain('Seals');
});
