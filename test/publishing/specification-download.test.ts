import { beforeAll, describe, expect, it } from 'vitest';
import { embeddedApi } from '../../src/core/embedded.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import { createChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { createSpec, deleteSpec, replaceSpec } from '../../src/resources/openapi/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { createPreviewLink } from '../../src/resources/site-previews/contract.ts';
import { addSection } from '../../src/resources/site-sections/contract.ts';
import { createShareLink } from '../../src/resources/site-share-links/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { checkSite } from '../../src/static-site/check-site.ts';
import { inflatePdf, readPdf } from '../pdf/read-pdf.ts';
import { buildFolder } from '../static-site/built-site.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const yaml = `# The pets of the shop
openapi: 3.1.0
info: { title: Pets, version: '1', description: "# Start\\n\\nFirst." }
paths:
  /pets: { get: { summary: List, responses: { '200': { description: ok } } } }
`;
const json = `{ "openapi": "3.1.0",
  "info": { "title": "Pets", "version": "2", "description": "# Start\\n\\nSecond." },
  "paths": { "/pets": { "get": { "summary": "List", "responses": { "200": { "description": "ok" } } } } } }`;
const file = '~files/openapi-pets/pets.yaml';
const root = '/sites/acme/docs/';
const linkTo = (base: string) => `<a href="${base}${file}">Download the OpenAPI specification pets</a>`;

const runJobs = ({ world }: PublishedSite) =>
  runDueJobs(world.core, { signal: new AbortController().signal });

async function addSpec(site: PublishedSite, slug = 'pets', text = yaml): Promise<void> {
  const params = { organizationId: site.world.org };
  await site.call(createSpec, params, { body: { slug, source: { text } } });
  await runJobs(site);
}

/** Inserts the generated pages of a specification. */
const reference = (slug: string, props: object, more: object = {}) => ({
  operation: 'insert_page',
  title: `Reference ${slug}`,
  type: 'computed',
  computed: {
    type: 'builtin:openapi',
    props: { models: false, ...props },
    dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
  },
  document: {},
  ...more,
});

async function siteWithSpec(more: object = {}): Promise<PublishedSite> {
  const site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
  await addSpec(site);
  await site.change(site.spaceId, [reference('pets', { downloadLink: true }, more)]);
  return site;
}

describe('the download of a specification', () => {
  let site: PublishedSite;
  beforeAll(async () => {
    site = await siteWithSpec();
    await addSpec(site, 'secret');
    await site.change(site.spaceId, [reference('secret', {})]);
  });

  it('is linked from the first generated page, and returns the uploaded text', async () => {
    expect((await site.visit('start')).body).toContain(linkTo(root));
    const { statusCode, body, headers } = await site.visit(file);
    expect([statusCode, body]).toEqual([200, yaml]);
    expect(headers).toMatchObject({
      'content-type': 'application/yaml',
      'content-disposition': "attachment; filename*=UTF-8''pets.yaml",
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['x-robots-tag']).toBeUndefined();
    const again = await site.visit(file, { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('does not exist for unknown specifications, or if no page offers it', async () => {
    expect((await site.visit('start-1')).body).not.toContain('Download the OpenAPI');
    for (const slug of ['secret', 'gone', 'PETS', ''])
      expect([slug, (await site.visit(`~files/openapi-${slug}/${slug}.yaml`)).statusCode]).toEqual([
        slug,
        404,
      ]);
  });

  it('has an absolute address in Markdown, also for agents', async () => {
    const link = `[Download the OpenAPI specification pets](https://docs.test${root}${file})`;
    for (const path of ['start.md', 'llms-full.txt']) expect((await site.visit(path)).body).toContain(link);
    expect((await site.visit('start-1.md')).body).not.toContain('~files');
  });

  it('has an absolute address in a PDF', async () => {
    await site.call(replaceSiteCustomization, site.site, { body: { pdf: { enabled: true } } });
    const { urls } = readPdf(inflatePdf((await site.visit('~gitbook/pdf')).rawPayload));
    expect(urls).toContain(`https://docs.test${root}${file}`);
  });

  it('is a file of a built site, and not a broken link', async () => {
    const copy = buildFolder(site);
    await copy.build({ url: 'https://copy.test/a/' });
    expect(copy.read(file)).toBe(yaml);
    expect(copy.read('start/index.html')).toContain(`<a href="../${file}">Download`);
    expect(copy.read('start.md')).toContain(`(https://copy.test/a/${file})`);
    expect(Object.keys(copy.files()).filter((name) => name.includes('secret'))).toEqual([]);
    const { findings } = await checkSite({ api: site.world.as('admin'), ...site.site });
    expect(findings.filter(({ rule }) => rule === 'broken-link')).toEqual([]);
  });

  it('is linked relative to the address of a preview, a section or a share link', async () => {
    const { call, spaceId } = site;
    const { id, number } = await call(createChangeRequest, { spaceId }, { body: {} });
    const changes = [reference('secret', { downloadLink: true }, { title: 'Draft' })];
    await call(batchContent, { spaceId, changeRequestId: id }, { body: { changes } });
    const api = embeddedApi(
      { ...site.world.core, sitesUrl: 'https://docs.test' },
      site.world.credential('read'),
    );
    const { url } = await api.call(createPreviewLink, {
      params: site.site,
      body: { space: spaceId, changeRequest: String(number) },
    });
    const opened = await site.server.inject(url.replace('https://docs.test', ''));
    const base = String(opened.headers.location);
    const [cookie = ''] = String(opened.headers['set-cookie']).split(';');
    const preview = (path: string) => site.server.inject({ url: base + path, headers: { cookie } });
    expect((await preview('start')).body).toContain(linkTo(base));
    expect((await preview(file)).body).toBe(yaml);
    expect((await preview('~files/openapi-secret/secret.yaml')).statusCode).toBe(200);
    expect((await site.visit('~files/openapi-secret/secret.yaml')).statusCode).toBe(404);

    const other = await site.addSpace('API', [{ title: 'Intro', text: 'Hi.' }]);
    await site.change(other, [reference('pets', { downloadLink: true })]);
    await call(addSection, site.site, { body: { spaceId: other, title: 'Calls' } });
    expect((await site.visit('calls/start')).body).toContain(linkTo(`${root}calls/`));
    expect((await site.visit(`calls/${file}`)).body).toBe(yaml);

    await call(updateSite, site.site, { body: { visibility: 'share-link' } });
    const link = await call(createShareLink, site.site, { body: { name: 'Friends' } });
    const shared = new URL(link.urls.published ?? '').pathname.slice(root.length);
    expect((await site.visit(`${shared}calls/start`)).body).toContain(linkTo(`${root}${shared}calls/`));
    const answer = await site.visit(shared + file);
    expect([answer.body, answer.headers['x-robots-tag']]).toEqual([yaml, 'noindex']);
    expect((await site.visit(file)).statusCode).toBe(404);
  });
});

it('the download of a specification requires a visitor token if the site does', async () => {
  const site = await siteWithSpec();
  await site.call(updateSite, site.site, { body: { visibility: 'visitor-auth' } });
  expect((await site.visit(file)).statusCode).toBe(401);
});

it('a download is available only to visitors who see its page, and has the noindex header of that page', async () => {
  const site = await siteWithSpec({ condition: 'visitor.claims.unsigned.beta', noRobotsIndex: true });
  await site.call(updateSite, site.site, { body: { adaptiveContent: { enabled: true } } });
  expect((await site.visit(file)).statusCode).toBe(404);
  const cookie = `gitbook-visitor-public=${encodeURIComponent(JSON.stringify({ beta: true }))}`;
  const answer = await site.visit(file, { cookie });
  expect([answer.statusCode, answer.body, answer.headers['x-robots-tag']]).toEqual([200, yaml, 'noindex']);
});

it('a download returns the latest version of the specification, and disappears with it', async () => {
  const site = await siteWithSpec();
  const at = { organizationId: site.world.org, specSlug: 'pets' };
  const replace = (text: string) => site.call(replaceSpec, at, { body: { source: { text } } });
  const shown = async () => {
    const { body } = await site.visit('start');
    return [/\w+\./.exec(/<p>(.*?)<\/p>/.exec(body)?.[1] ?? '')?.[0], /openapi-pets\/[\w.]+/.exec(body)?.[0]];
  };
  expect(await shown()).toEqual(['First.', 'openapi-pets/pets.yaml']);
  await replace(json);
  expect(await shown()).toEqual(['First.', 'openapi-pets/pets.yaml']);
  await runJobs(site);
  expect(await shown()).toEqual(['Second.', 'openapi-pets/pets.json']);
  const answer = await site.visit('~files/openapi-pets/pets.json');
  expect([answer.body, answer.headers['content-type']]).toEqual([json, 'application/json']);
  await site.call(deleteSpec, at);
  expect((await site.visit('')).body).not.toContain('openapi-pets');
  expect((await site.visit(file)).statusCode).toBe(404);
});

it('a download does not exist before the specification is processed', async () => {
  const site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
  const body = { slug: 'pets', source: { text: yaml } };
  await site.call(createSpec, { organizationId: site.world.org }, { body });
  await site.change(site.spaceId, [reference('pets', { downloadLink: true })]);
  expect((await site.visit('reference-pets')).body).not.toContain('Download the OpenAPI');
  expect((await site.visit(file)).statusCode).toBe(404);
});
