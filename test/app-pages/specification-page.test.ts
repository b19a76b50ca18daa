import { expect, it } from 'vitest';
import type { PageContext, PageView } from '../../src/app-pages/page-view.ts';
import { specificationPage } from '../../src/app-pages/specification-page.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import { markup } from '../../src/render/markup.ts';
import { createSpec } from '../../src/resources/openapi/contract.ts';
import { createWorld } from '../support/world.ts';

it('the page of a specification lists only the operations of its paths', async () => {
  const world = await createWorld();
  const ok = { responses: { 200: { description: 'd' } } };
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Pets', version: '7' },
    paths: {
      '/pets': { summary: 'All pets', get: { summary: 'List <pets>', ...ok }, post: ok, 'x-get': ok },
      '/pets/{id}': { parameters: [{ name: 'id', in: 'path', required: true, schema: {} }], delete: ok },
    },
  });
  const params = { organizationId: world.org };
  await world.as('admin').call(createSpec, { params, body: { slug: 'pets', source: { text } } });
  await runDueJobs(world.core, { signal: new AbortController().signal });
  const context = {
    api: world.as('read'),
    query: new URLSearchParams(),
    path: '/o/acme/openapi/pets',
    href: (path: string) => path,
  } as PageContext;
  const view = (await specificationPage(context, { ...params, specSlug: 'pets' })) as PageView;
  const body = markup`${view.body}`.text;
  expect(body).toContain('<dt>Version</dt><dd>7</dd>');
  expect(body).toContain('<h2>Operations <span class="count">3</span></h2>');
  const rows = [...body.matchAll(/<tr>((?:<td>.*?<\/td>)+)<\/tr>/g)].map(([, cells = '']) =>
    cells
      .replaceAll(/<\/?(?:td|code)>/g, ' ')
      .trim()
      .split(/ {2,}/),
  );
  expect(rows).toEqual([
    ['GET', '/pets', 'List &lt;pets&gt;'],
    ['POST', '/pets'],
    ['DELETE', '/pets/{id}'],
  ]);
});
