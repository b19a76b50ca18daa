import { expect, it } from 'vitest';
import type { Core } from '../../src/core/embedded.ts';
import type { ReadTransaction, Store } from '../../src/core/store.ts';
import { answerSite } from '../../src/publishing/answer-site.ts';
import { PageCache } from '../../src/publishing/page-cache.ts';
import type { SiteAnswer } from '../../src/publishing/site-request.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { createSitesServer, type SitesServer } from '../../src/server/sites-app.ts';
import type { SiteCall } from '../../src/server/threads/messages.ts';
import { inflatePdf, readPdf } from '../pdf/read-pdf.ts';
import { publishedSite } from './published-site.ts';

/** Creates a server whose other thread answers from `apart`, and adds the requests to that thread to `asked`. */
function serverBeside(
  { core, apart }: { readonly core: Core; readonly apart: Core },
  asked: (readonly [string, SiteCall])[],
  change: (answer: SiteAnswer) => SiteAnswer = (answer) => answer,
): Promise<SitesServer> {
  return createSitesServer({
    core,
    newRequestId: () => 'req',
    log: undefined,
    threads: {
      readMarkdown: async () => {
        throw new Error('The text is short.');
      },
      answerSite: async (sites, sent) => {
        const call = structuredClone(sent);
        asked.push([sites, call]);
        const { query, request, ...options } = call;
        const made = await answerSite(
          apart,
          new PageCache(),
          { ...request, query: new URLSearchParams(query) },
          options,
        );
        return structuredClone(change(made));
      },
    },
  });
}

async function read(from: Pick<SitesServer, 'inject'>, path: string, accept = '*/*') {
  const url = `/sites/acme/docs/${path}`;
  const answer = await from.inject({ url, headers: { host: 'docs.test', accept } });
  const { date: _, ...headers } = answer.headers;
  return { statusCode: answer.statusCode, headers, rawPayload: answer.rawPayload };
}

it('another thread answers long searches of a site with the same results, and nothing else', async () => {
  const site = await publishedSite([{ title: 'Needle', text: 'Where is the needle?' }]);
  const { core } = site;
  // With this many sections, a search takes long.
  const withMany = (view: ReadTransaction): ReadTransaction => ({
    get: (table, id) => view.get(table, id),
    find: (table, query) => view.find(table, query),
    scan: (table, after, limit) => view.scan(table, after, limit),
    search: (table, search) => view.search(table, search),
    count: async () => 1_000_000,
  });
  const store: Store = {
    ...core.store,
    read: (work, options) => core.store.read((view) => work(withMany(view)), options),
  };
  const asked: (readonly [string, SiteCall])[] = [];
  const server = await serverBeside({ core: { ...core, store }, apart: core }, asked);
  expect(await read(server, '')).toEqual(await read(site.server, ''));
  expect(asked).toEqual([]);
  for (const accept of ['*/*', 'application/json']) {
    const found = await read(server, '~gitbook/search?q=needle&space=%2F', accept);
    expect(found).toEqual(await read(site.server, '~gitbook/search?q=needle&space=%2F', accept));
    expect(found.rawPayload.toString()).toContain('Where is the');
  }
  expect(asked.map(([sites, { query }]) => [sites, query])).toEqual([
    ['docs.test acme', 'q=needle&space=%2F'],
    ['docs.test acme', 'q=needle&space=%2F'],
  ]);
  await server.close(0);
});

it('another thread makes the text of a whole site, only once', async () => {
  const site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
  const asked: (readonly [string, SiteCall])[] = [];
  const server = await serverBeside({ core: site.core, apart: site.core }, asked);
  const here = await read(site.server, 'llms-full.txt');
  expect(here.rawPayload.toString()).toContain('Hello.');
  for (let round = 0; round < 2; round++) expect(await read(server, 'llms-full.txt')).toEqual(here);
  expect(asked).toHaveLength(1);
  await server.close(0);
});

it('another thread makes a PDF once; this thread makes it if the other saw another version', async () => {
  const site = await publishedSite([
    { title: 'Welcome', text: 'Hello.' },
    { title: 'Setup', text: 'Install it.' },
  ]);
  const { core } = site;
  await site.call(replaceSiteCustomization, site.site, { body: { pdf: { enabled: true } } });
  const asked: (readonly [string, SiteCall])[] = [];
  let hasChanged = false;
  const server = await serverBeside({ core, apart: core }, asked, (answer) =>
    hasChanged ? { ...answer, madeOf: 'another version', body: Buffer.from('secret') } : answer,
  );
  const here = await read(site.server, '~gitbook/pdf');
  expect(here.statusCode).toBe(200);
  for (let round = 0; round < 2; round++) expect(await read(server, '~gitbook/pdf')).toEqual(here);
  expect(asked.map(([sites]) => sites)).toEqual(['docs.test acme']);
  hasChanged = true;
  const page = `~gitbook/pdf?page=${site.pages.get('Setup')}`;
  const { rawPayload } = await read(server, page);
  expect(readPdf(inflatePdf(rawPayload)).pages.join()).toContain('Install it.');
  expect(asked).toHaveLength(2);
  expect((await read(server, '~gitbook/pdf?page=pag_none')).statusCode).toBe(404);
  const text = await read(server, 'llms-full.txt');
  expect(text.rawPayload.toString()).toContain('Install it.');
  expect(asked).toHaveLength(3);
  await server.close(0);
});
