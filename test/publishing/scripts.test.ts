import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customHostnames } from '../../src/core/rows/custom-hostnames.ts';
import { organizations } from '../../src/core/rows/organizations.ts';
import { sites } from '../../src/core/rows/sites.ts';
import type { ScriptRun, ScriptRuntime } from '../../src/core/scripts.ts';
import { getExisting } from '../../src/core/store.ts';
import { scriptOrigins, type SiteScript } from '../../src/publishing/site-scripts.ts';
import { installOnSite } from '../../src/resources/integration-installations/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { forms, panels, quickjs } from '../script-runtime/samples.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const base = '/sites/acme/docs/';
const policy = {
  'script-src': "'self' 'unsafe-inline' https://www.tags.example *.tags.example * 'unsafe-eval'",
  'connect-src': 'https://*.collect.example wss://live.example http://plain.example;\n',
  'default-src': 'https://other.example',
  'form-action': 'https://other.example',
};

let runtime: ScriptRuntime;
beforeAll(() => {
  runtime = quickjs();
});
afterAll(() => runtime.close());

describe.each(forms)('a script of an integration of the form %s', (form) => {
  let site: PublishedSite;
  let runs: ScriptRun[] = [];
  const scriptOn = async (path: string): Promise<string | undefined> =>
    /<script src="([^"]*~gitbook\/scripts\/[^"]*)" defer>/.exec((await site.visit(path)).body)?.[1];
  const get = (url: string) => site.server.inject({ url });
  const publishBot = (scopes: string[], script = panels[form]) =>
    publish(site.world, 'bot', {
      script,
      runtime: form,
      contentSecurityPolicy: policy,
      scopes,
    } as never);

  beforeAll(async () => {
    site = await publishedSite([
      { title: 'Start', text: 'Here.' },
      { title: 'Setup', text: 'Run it.' },
    ]);
    await site.core.store.write((tx) => tx.remove(organizations, site.world.otherOrg));
    const version = ` ${form} ${site.spaceId}`;
    Object.assign(site.core, {
      scripts: {
        run: (request: ScriptRun) => {
          runs.push(request);
          return runtime.run({ ...request, version: request.version + version });
        },
        close: async () => {},
      },
    });
    await publishBot(['site:script:inject']);
    const installation = await install(site.world);
    await site.world.as('admin').call(installOnSite, {
      params: { integrationName: 'bot', installationId: installation.id },
      body: { siteId: site.site.siteId },
    });
  });

  it('is loaded by all pages, from the site itself', async () => {
    const src = await scriptOn('');
    expect(src).toMatch(/^\/sites\/acme\/docs\/~gitbook\/scripts\/bot-[\da-f]{12}\.js$/);
    expect(await scriptOn('setup')).toBe(src);
    const answer = await get(src ?? '');
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    expect(answer.body).toBe(`window.counted = "${site.site.siteId}";`);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(runs.at(-1)?.message.event).toMatchObject({
      type: 'fetch_published_script',
      siteId: site.site.siteId,
    });
    const before = runs.length;
    await get(src ?? '');
    expect(runs).toHaveLength(before);
    expect((await get(`${base}~gitbook/scripts/bot-000000000000.js`)).statusCode).toBe(404);
  });

  it('extends the policy of pages only by the hosts that the integration names', async () => {
    const sent = String((await site.visit('setup')).headers['content-security-policy']);
    expect(/script-src ([^;]*)/.exec(sent)?.[1]).toBe(
      "'self' https://www.tags.example https://*.tags.example",
    );
    expect(/connect-src ([^;]*)/.exec(sent)?.[1]).toBe("'self' https://*.collect.example wss://live.example");
    expect(sent).toContain("default-src 'none'");
    expect(sent).toContain("form-action 'self'");
    expect(sent).not.toMatch(/unsafe|other\.example|plain\.example/);
  });

  it('waits for the consent of the reader if it needs cookies', async () => {
    await site.call(replaceSiteCustomization, site.site, {
      body: { privacyPolicy: { url: 'https://example.com/privacy' } },
    });
    await publishBot(['site:script:inject', 'site:script:cookies']);
    expect(await scriptOn('setup')).toBeUndefined();
    const { body } = await site.visit('setup');
    const question = /<div class="consent".*?<\/div>/s.exec(body)?.[0] ?? '';
    const src = /data-consent="([^"]*)"/.exec(question)?.[1] ?? '';
    expect(question).toContain(' hidden>');
    expect(question).toContain('href="https://example.com/privacy"');
    expect((await get(src)).body).toContain('window.counted');
  });

  it('is empty if the integration fails, and disappears with it', async () => {
    await publishBot(['site:script:inject'], 'syntax error(');
    const src = (await scriptOn('setup')) ?? '';
    expect((await get(src)).body).toBe('/** no-op */\n');
    await publishBot([]);
    expect(await scriptOn('setup')).toBeUndefined();
    expect((await get(src)).statusCode).toBe(404);
    expect((await get(src.replace('/sites/', '/%73ites/'))).statusCode).toBe(404);
    expect((await site.visit('setup')).headers['content-security-policy']).not.toContain('tags.example');
  });

  it('is not loaded if another organization has sites at the same origin', async () => {
    await publishBot(['site:script:inject']);
    const src = (await scriptOn('setup')) ?? '';
    const { store } = site.core;
    const { organizationId, siteId } = site.site;
    const acme = await store.read((view) => getExisting(view, organizations, organizationId));
    const other = { ...acme, id: site.world.otherOrg, hostname: 'other' };
    await store.write((tx) => tx.insert(organizations, other));
    expect(await scriptOn('setup')).toBeUndefined();
    expect((await get(src)).statusCode).toBe(404);
    expect((await site.visit('setup')).headers['content-security-policy']).not.toContain('tags.example');
    // The target of a proxy is at the same origin, although the site is at the root of the proxy.
    await store.write((tx) => tx.update(sites, siteId, { proxy: 'www.example.com' }));
    expect(await scriptOn('setup')).toBeUndefined();
    await store.write((tx) => tx.update(sites, siteId, { proxy: null }));
    const id = 'docs.example.com';
    await store.write(async (tx) => {
      await tx.insert(customHostnames, { id, organization: organizationId, site: siteId, createdAt: '' });
      await tx.update(sites, siteId, { hostname: id });
    });
    const own = await site.server.inject({ url: '/setup', headers: { host: id } });
    expect(own.body).toContain('<script src="/~gitbook/scripts/bot-');
    await store.write(async (tx) => {
      await tx.update(sites, siteId, { hostname: undefined });
      await tx.remove(customHostnames, id);
      await tx.remove(organizations, other.id);
    });
  });

  it('is not loaded in a browser that can open previews at the same origin', async () => {
    await publishBot(['site:script:inject']);
    const src = (await scriptOn('setup')) ?? '';
    const cookie = '__Secure-docsctl-preview=x';
    const seen = await site.visit('setup', { cookie });
    expect(seen.statusCode).toBe(200);
    expect(seen.body).not.toContain('~gitbook/scripts/');
    expect(seen.headers['content-security-policy']).not.toContain('tags.example');
    const script = await site.server.inject({ url: src, headers: { cookie } });
    expect(script.statusCode).toBe(404);
    expect(await scriptOn('setup')).toBe(src);
  });

  it('is available only to visitors who may read the site', async () => {
    await publishBot(['site:script:inject']);
    const src = (await scriptOn('setup')) ?? '';
    await site.call(updateSite, site.site, { body: { visibility: 'visitor-auth' } });
    expect((await get(src)).statusCode).toBe(401);
    await site.call(updateSite, site.site, { body: { visibility: 'public' } });
  });
});

it('scriptOrigins returns only valid hosts of policies', () => {
  const script = (contentSecurityPolicy: string) =>
    ({ recipient: { integration: { looks: { contentSecurityPolicy } } } }) as unknown as SiteScript;
  const origins = scriptOrigins([
    script("script-src https://a.example; script-src https:; img-src data: https://b.example/x.png?y 'none'"),
    script(
      "style-src 'nonce-abc' 'sha256-x' c.example:8443; sandbox allow-scripts; report-uri https://d.example",
    ),
    script('frame-src https://e.example;frame-src https://f.example/path *:80 localhost javascript:alert(1)'),
  ]);
  expect(origins).toEqual({
    'script-src': ['https://a.example'],
    'img-src': [],
    'style-src': ['https://c.example:8443'],
    'frame-src': ['https://e.example', 'https://f.example/path'],
  });
});
