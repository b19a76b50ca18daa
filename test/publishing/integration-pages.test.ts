import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptRun, ScriptRuntime } from '../../src/core/scripts.ts';
import { updateInstallation } from '../../src/resources/integration-installations/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { inflatePdf, readPdf } from '../pdf/read-pdf.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { quickjs, samples } from '../script-runtime/samples.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let runtime: ScriptRuntime;
let runs: ScriptRun[] = [];
let site: PublishedSite;
let installationId: string;

const source = (title: string, more: object = {}): object => ({
  operation: 'insert_page',
  type: 'computed',
  title,
  document: {},
  computed: { type: 'integration:bot:tickets', props: { project: 'A' } },
  ...more,
});

beforeAll(async () => {
  runtime = quickjs();
  site = await publishedSite([{ title: 'Start', text: 'Welcome.' }]);
  const suffix = ` of ${site.spaceId}`;
  const scripts: ScriptRuntime = {
    run: (request) => {
      runs.push(request);
      return runtime.run({ ...request, version: request.version + suffix });
    },
    close: async () => {},
  };
  Object.assign(site.core, { scripts });
  await publish(site.world, 'bot', {
    script: samples.v2,
    runtime: 'v2',
    contentSources: [{ id: 'tickets', title: 'Tickets', configuration: { componentId: 'choose' } }],
  });
  installationId = (await install(site.world)).id;
  await site.change(site.spaceId, [source('Tickets')]);
});
afterAll(() => runtime.close());

const computing = (): string[] =>
  runs.map(({ message }) => message.event.type).filter((type) => type.startsWith('content_compute'));
/** Makes what was computed out of date. */
const touchInstallation = () =>
  site.world.as('admin').call(updateInstallation, {
    params: { integrationName: 'bot', installationId },
    body: { configuration: {} },
  });
const json = { accept: 'application/json' };

describe('the pages of an integration on a site', () => {
  it('are in the table of contents and can be read', async () => {
    const { statusCode, body } = await site.visit('tickets/open-ticket');
    expect([statusCode, /<h1[^>]*>.*?Open ticket/s.test(body)]).toEqual([200, true]);
    expect(body).toContain('open of tickets');
    for (const href of ['/sites/acme/docs/tickets/notes', 'https://tickets.example/'])
      expect(body).toContain(`href="${href}"`);
    expect((await site.visit('tickets/notes')).statusCode).toBe(200);
    expect((await site.visit('tickets')).headers.location).toBe('/sites/acme/docs/tickets/open-ticket');
    expect((await site.visit('tickets/nothing')).statusCode).toBe(404);
  });

  it('are computed once while nothing changes that they depend on', async () => {
    await site.visit('tickets/open-ticket');
    runs = [];
    await site.visit('tickets/open-ticket');
    await site.visit('');
    expect(computing()).toEqual([]);
    await touchInstallation();
    await site.visit('');
    expect(computing()).toContain('content_compute_revision');
    runs = [];
    site.world.pass(6 * 60_000);
    await site.visit('');
    expect(computing()).toContain('content_compute_revision');
  });

  it('are in search, Markdown, lists for agents and search engines, and the PDF', async () => {
    const found = await site.visit('~gitbook/search?q=tickets', json);
    expect(found.body).toContain('"/sites/acme/docs/tickets/open-ticket"');
    expect((await site.visit('tickets/open-ticket.md')).body).toContain('open of tickets');
    expect((await site.visit('llms-full.txt')).body).toContain('open of tickets');
    expect((await site.visit('sitemap-pages.xml')).body).toContain('/tickets/open-ticket</loc>');
    await site.call(replaceSiteCustomization, site.site, { body: { pdf: { enabled: true } } });
    const pdf = await site.visit('~gitbook/pdf');
    expect(pdf.statusCode).toBe(200);
    expect(readPdf(inflatePdf(pdf.rawPayload)).pages.join()).toContain('open of tickets');
  });

  it('are seen by those only who may see the page that they take the place of', async () => {
    await site.change(site.spaceId, [
      source('Secret', {
        condition: 'visitor.claims.plan == "pro"',
        computed: { type: 'integration:bot:tickets', props: { project: 'Z' } },
      }),
    ]);
    const { body } = await site.visit('');
    expect(body).toContain('Tickets of A');
    expect(body).not.toContain('Tickets of Z');
    expect((await site.visit('~gitbook/search?q=tickets', json)).body).not.toContain('tickets-1');
  });

  it('are left out where their script fails, and the rest of the site stays', async () => {
    const failing = { type: 'integration:bot:tickets', props: { fails: true } };
    const other = { type: 'integration:bot:unknown', props: {} };
    await site.change(site.spaceId, [
      source('Failing', { computed: failing }),
      source('Unknown', { computed: other }),
      { operation: 'insert_page', title: 'Later', document: { markdown: 'x' } },
    ]);
    const { statusCode, body } = await site.visit('later');
    expect([statusCode, body.includes('Tickets of A')]).toEqual([200, true]);
    for (const title of ['Failing', 'Unknown']) expect(body).not.toContain(title);
    expect((await site.visit('failing')).statusCode).toBe(404);
  });
});
