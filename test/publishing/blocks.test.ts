import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backgroundEnded } from '../../src/core/background.ts';
import type { Services } from '../../src/core/handler.ts';
import type { ScriptRun, ScriptRuntime } from '../../src/core/scripts.ts';
import { BlockCache } from '../../src/publishing/block-cache.ts';
import type { InstalledIntegration } from '../../src/resources/content/blocks/installed-blocks.ts';
import { listEvents } from '../../src/resources/integration-events/contract.ts';
import { publishIntegration } from '../../src/resources/integrations/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { inflatePdf, readPdf } from '../pdf/read-pdf.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { forms, panels, quickjs } from '../script-runtime/samples.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const blocks = [
  { id: 'panel', title: 'Panel', markdown: { codeblock: 'panel', body: 'content' } },
  { id: 'frame', title: 'Frame' },
  { id: 'absent', title: 'Absent' },
];
const base = '/sites/acme/docs/';
const pages = [
  { title: 'Start', text: 'Nothing here.' },
  { title: 'Panel', text: '# Panel\n\n{% @bot/panel content="One & <two>" %}\n\nAfter it.' },
  { title: 'Code', text: '```panel\nfrom code\n```\n\n```js\nstays()\n```' },
  { title: 'Frame', text: '{% @bot/frame url="https://frames.example:8443/a?b=1" %}' },
  {
    title: 'Odd',
    text: ['a.example;script-src-elem', 'b.example', 'c.example;frame-ancestors', 'd.example,default-src']
      .map((host) => `{% @bot/frame url="https://${host}/x" %}`)
      .join('\n\n'),
  },
  { title: 'Bad', text: '{% @bot/absent url="https://example.com/shown" %}\n\n{% @other/x %}\n\nBelow.' },
];

let runtime: ScriptRuntime;
let runs: ScriptRun[] = [];
beforeAll(() => {
  runtime = quickjs();
});
afterAll(() => runtime.close());

async function siteWithPanel(form: (typeof forms)[number]): Promise<PublishedSite> {
  const site = await publishedSite(pages);
  const version = ` ${form} ${site.spaceId}`;
  const scripts: ScriptRuntime = {
    run: (request) => {
      runs.push(request);
      return runtime.run({ ...request, version: request.version + version });
    },
    close: async () => {},
  };
  Object.assign(site.core, { scripts });
  await publish(site.world, 'bot', { blocks, script: panels[form], runtime: form });
  await install(site.world);
  runs = [];
  return site;
}

/** The position of the first block on a page, as the script of the page sends it. */
const placeIn = (body: string): Record<string, string> =>
  JSON.parse((/data-ck-block="([^"]*)"/.exec(body)?.[1] ?? '{}').replaceAll('&quot;', '"')) as Record<
    string,
    string
  >;
/** Visits a page after its blocks were drawn, because a reader does not wait for a slow script. */
async function visitDrawn(site: PublishedSite, path: string): ReturnType<PublishedSite['visit']> {
  await site.visit(path);
  await backgroundEnded(site.core);
  return site.visit(path);
}
const act = (site: PublishedSite, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  site.server.inject({
    method: 'POST',
    url: `${base}~gitbook/blocks`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe.each(forms)('blocks of an integration of the form %s', (form) => {
  let site: PublishedSite;
  beforeAll(async () => {
    site = await siteWithPanel(form);
  });

  it('are drawn on pages, from tags and from code, for visitors', async () => {
    const { body, headers } = await visitDrawn(site, 'panel');
    expect(body).toContain('One &amp; &lt;two&gt;: 0 &lt;b&gt;visitor&lt;/b&gt;');
    expect(body).toContain('<strong>Strong</strong> and <a');
    expect(body).toMatch(/<a href="https:\/\/example.com\/leave" rel="noopener noreferrer" class="ck-button/);
    expect(body).toContain('After it.');
    expect(body).not.toMatch(/<!--(?:block|end)|onclick|<script>/);
    expect(headers['content-security-policy']).toBe(
      (await site.visit('')).headers['content-security-policy'],
    );
    const code = (await visitDrawn(site, 'code')).body;
    expect(code).toContain('from code: 0');
    expect(code).toContain('stays');
    expect(runs[0]?.message.event).toMatchObject({
      type: 'ui_render',
      componentId: 'panel',
      props: { content: 'One & <two>' },
      spaceId: site.spaceId,
      context: { type: 'document', editable: false },
    });
    expect(runs[0]?.message.event).not.toHaveProperty('auth');
  });

  it('are cached, and drawn again after a new version was published', async () => {
    await visitDrawn(site, 'panel');
    const before = runs.length;
    await visitDrawn(site, 'panel');
    expect(runs).toHaveLength(before);
    await publish(site.world, 'bot', { blocks, script: `${panels[form]}\n`, runtime: form });
    await visitDrawn(site, 'panel');
    expect(runs).toHaveLength(before + 1);
  });

  it('run the actions of readers', async () => {
    const place = placeIn((await visitDrawn(site, 'panel')).body);
    expect(Object.keys(place)).toEqual(['siteSpace', 'page', 'block']);
    const answer = await act(site, {
      ...place,
      state: { count: 4, name: '!' },
      action: { action: 'count', step: 2 },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    const { html, values } = answer.json<{ html: string; values: object }>();
    expect(html).toContain('One &amp; &lt;two&gt;: 6!');
    expect(values).toEqual({ count: 6 });
  });

  it('open only the dialogs that they offer', async () => {
    const place = placeIn((await visitDrawn(site, 'panel')).body);
    const modal = { action: '@ui.modal.open', componentId: 'question', props: { of: 'One & <two>' } };
    const opened = (await act(site, { ...place, modal })).json<{ html: string }>();
    expect(opened.html).toContain('About One &amp; &lt;two&gt;');
    const done = await act(site, { ...place, modal, state: { reply: 'yes' }, action: { action: 'answer' } });
    expect(done.json()).toEqual({ returnValue: 'yes' });
    const closed = await act(site, { ...place, action: { action: '@ui.modal.close', returnValue: 'yes' } });
    expect(closed.json<{ html: string }>().html).toContain(', yes');
    for (const other of [
      { ...modal, props: { of: 'secrets' } },
      { ...modal, componentId: 'frame' },
      { action: 'count', step: 2 },
      {},
    ])
      expect([other, (await act(site, { ...place, modal: other })).statusCode]).toEqual([other, 404]);
  });

  it('open a dialog of a later state only together with that state', async () => {
    const place = placeIn((await visitDrawn(site, 'panel')).body);
    const modal = { action: '@ui.modal.open', componentId: 'question', props: { of: 4 } };
    const open = (more: object) => act(site, { ...place, modal, ...more });
    const opened = (await open({ blockState: { count: 4 } })).json<{ html: string }>();
    expect(opened.html).toContain('About 4');
    expect((await open({})).statusCode).toBe(404);
    expect((await open({ blockState: { count: 5 } })).statusCode).toBe(404);
    expect((await open({ blockState: [] })).statusCode).toBe(400);
  });

  it('show frames of another origin, which only the policy of their page allows', async () => {
    const { body, headers } = await visitDrawn(site, 'frame');
    const frame = /<iframe[^>]*>/.exec(body)?.[0] ?? '';
    expect(frame).toContain('src="https://frames.example:8443/a?b=1"');
    expect(frame).toContain(
      'sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"',
    );
    expect(frame).not.toContain('allow-same-origin');
    const policy = String(headers['content-security-policy']);
    expect(/frame-src ([^;]*)/.exec(policy)?.[1]?.split(' ')).toContain('https://frames.example:8443');
    expect((await site.visit('')).headers['content-security-policy']).not.toContain('frames.example');
  });

  it('cannot add directives to the policy of a page by the host of a frame', async () => {
    const policy = String((await visitDrawn(site, 'odd')).headers['content-security-policy']);
    const names = (text: string): string[] => text.split(/[;,] */).map((each) => each.split(' ')[0] ?? '');
    expect(names(policy)).toEqual(names(String((await site.visit('')).headers['content-security-policy'])));
    expect(policy).toContain('https://b.example');
  });

  it('show a notice if drawing fails, and the reason is in the events of the integration', async () => {
    const { statusCode, body } = await site.visit('bad');
    expect(statusCode).toBe(200);
    expect(body).toContain('href="https://example.com/shown"');
    expect(body).toContain('<p class="ck-undrawn">other/x</p>');
    expect(body).toContain('Below.');
    expect(body).not.toContain('not found');
    await backgroundEnded(site.core);
    const at = { params: { integrationName: 'bot' } };
    const { items } = await site.world.as('admin').call(listEvents, at);
    const draws = items.map(({ payload, delivery }) => [
      (payload as unknown as { componentId?: string }).componentId,
      delivery.status,
    ]);
    expect(draws).toContainEqual(['absent', 404]);
    expect(draws).toContainEqual(['panel', 200]);
  });

  it('are drawn in the PDF of the site', async () => {
    await site.call(replaceSiteCustomization, site.site, { body: { pdf: { enabled: true } } });
    const { rawPayload } = await site.visit(`~gitbook/pdf?page=${site.pages.get('Panel')}`);
    expect(readPdf(inflatePdf(rawPayload)).pages.join().replaceAll('\n', '')).toContain('visitor');
  });
});

describe('an action that is sent to a block', () => {
  let site: PublishedSite;
  let place: Record<string, string>;
  beforeAll(async () => {
    site = await siteWithPanel('v2');
    place = placeIn((await visitDrawn(site, 'panel')).body);
  });

  it('is refused if its body is invalid', async () => {
    for (const body of [
      '',
      '{',
      '[]',
      '{}',
      { ...place, state: 5 },
      { ...place, action: 'count' },
      { ...place, modal: [] },
    ])
      expect([body, (await act(site, body)).statusCode]).toEqual([body, 400]);
    expect((await act(site, place, { 'content-type': 'text/plain' })).statusCode).toBe(400);
    expect((await act(site, { ...place, state: { a: 'x'.repeat(40_000) } })).statusCode).toBe(400);
  });

  it('is refused if the visitor does not see the block on the page', async () => {
    for (const wrong of [
      { page: 'pag_none' },
      { siteSpace: 'other' },
      { block: 'x'.repeat(16) },
      { page: site.pages.get('Start') },
    ])
      expect([wrong, (await act(site, { ...place, ...wrong })).statusCode]).toEqual([wrong, 404]);
  });

  it('is refused if it comes from another site', async () => {
    expect((await act(site, place, { origin: 'https://evil.test' })).statusCode).toBe(403);
    expect((await act(site, place, { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
  });

  it('fails if the integration is gone', async () => {
    Object.assign(site.core, { scripts: undefined });
    expect((await act(site, place)).json()).toEqual({ error: 'The integration did not answer.' });
    const { body } = await visitDrawn(site, 'code');
    expect(body).toContain('from code');
    await site.world.as('admin').call(publishIntegration, {
      params: { integrationName: 'bot' },
      body: {
        title: 'Bot',
        description: 'd',
        scopes: [],
        script: 'export default {}',
        organization: site.world.org,
        blocks: [],
      },
    });
    expect((await act(site, place)).statusCode).toBe(404);
    expect((await visitDrawn(site, 'panel')).body).toContain('<p class="ck-undrawn">bot/panel</p>');
  });
});

describe('the cache of blocks', () => {
  const recipient = {
    integration: { id: 'bot', version: 1, scopes: [], looks: {} },
    blocks: [],
  } as unknown as InstalledIntegration;
  let time = 0;
  const services = {
    now: () => new Date(time).toISOString(),
    newId: () => 'evt',
    vault: {},
    read: () => Promise.reject(new Error('The store is closed.')),
    write: () => Promise.reject(new Error('The store is closed.')),
    scripts: { run: () => new Promise(() => {}), close: async () => {} },
  } as unknown as Services;

  it('retries a failed drawing only after a while, and never throws', async () => {
    const cache = new BlockCache();
    const asked: string[] = [];
    const counting = { ...services, newId: () => String(asked.push('x')) };
    const get = () => cache.get('a', counting, recipient, { type: 'ui_render' });
    expect(await get()).toEqual({ problem: 'The integration could not be reached.' });
    await get();
    expect(asked).toHaveLength(1);
    time += 31_000;
    await get();
    expect(asked).toHaveLength(2);
  });

  it('lets no integration delay others, and refuses requests that would wait too long', async () => {
    const cache = new BlockCache({ script: 10_000, parallel: 3, ofOne: 2, waiting: 2 });
    const asked: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (id: string) => {
      const hanging = {
        ...services,
        newId: () => String(asked.push(id)),
        vault: { open: () => new Promise((_, reject) => ends.push(() => reject(new Error('It ends.')))) },
      } as unknown as Services;
      const of = { ...recipient, integration: { ...recipient.integration, id } };
      return cache.ask(hanging, of, { type: 'ui_render' });
    };
    const all = [ask('a'), ask('a'), ask('a'), ask('a')];
    expect(await ask('a')).toEqual({ problem: 'Too many readers are waiting for the integration.' });
    all.push(ask('b'));
    await setImmediate();
    expect(asked).toEqual(['a', 'a', 'b']);
    while (asked.length < all.length || ends.length > 0) {
      ends.shift()?.();
      await setImmediate();
    }
    await Promise.all(all);
    expect(asked).toEqual(['a', 'a', 'b', 'a', 'a']);
  });
});
