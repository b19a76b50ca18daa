import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backgroundEnded } from '../../src/core/background.ts';
import type { ScriptRun, ScriptRuntime } from '../../src/core/scripts.ts';
import { updateInstallation } from '../../src/resources/integration-installations/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { inflatePdf, readPdf } from '../pdf/read-pdf.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { quickjs, samples } from '../script-runtime/samples.ts';
import { createSitesServer } from '../../src/server/sites-app.ts';
import { Problem } from '../../src/errors/problem.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let runtime: ScriptRuntime;
let runs: ScriptRun[] = [];
/** What scripts wait for before they run. */
let hold: Promise<void> | undefined;
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
    run: async (request) => {
      runs.push(request);
      await hold;
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
/** The first script of a process takes long to start. */
const patient = { timeout: 20_000 };
/** Makes the computed pages stale. */
const touchInstallation = () =>
  site.world.as('admin').call(updateInstallation, {
    params: { integrationName: 'bot', installationId },
    body: { configuration: {} },
  });
const json = { accept: 'application/json' };

describe('pages of an integration on a site', () => {
  it('are in the table of contents and can be opened', async () => {
    const { statusCode, body } = await site.visit('tickets/open-ticket');
    expect([statusCode, /<h1[^>]*>.*?Open ticket/s.test(body)]).toEqual([200, true]);
    expect(body).toContain('open of tickets');
    for (const href of ['/sites/acme/docs/tickets/notes', 'https://tickets.example/'])
      expect(body).toContain(`href="${href}"`);
    expect((await site.visit('tickets/notes')).statusCode).toBe(200);
    expect((await site.visit('tickets')).headers.location).toBe('/sites/acme/docs/tickets/open-ticket');
    expect((await site.visit('tickets/nothing')).statusCode).toBe(404);
  });

  it('are computed again only after something that they depend on has changed', async () => {
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
    await expect.poll(computing, patient).toContain('content_compute_revision');
  });

  it('are shown in their last version while a script hangs or fails, and no reader waits', async () => {
    const server = await createSitesServer({
      core: site.core,
      newRequestId: () => 'req',
      log: undefined,
      scriptWait: 0,
    });
    const visit = async (path: string): Promise<string> =>
      (await server.inject({ url: `/sites/acme/docs/${path}` })).body;
    const shows = async (): Promise<boolean> => (await visit('')).includes('Tickets of A');
    const revisions = (): number => computing().filter((type) => type.endsWith('revision')).length;
    let end: (error?: Error) => void = () => {};
    const hang = (): void => {
      runs = [];
      hold = new Promise(
        (resolve, reject) => (end = (error) => (error === undefined ? resolve() : reject(error))),
      );
      hold.catch(() => {});
    };
    const fail = (): void => end(new Problem('unexpected', 'The script is broken.'));

    // Nothing was computed yet.
    await touchInstallation();
    hang();
    expect([await shows(), await shows()]).toEqual([false, false]);
    expect((await server.inject({ url: '/sites/acme/docs/tickets/open-ticket' })).statusCode).toBe(404);
    await expect.poll(revisions, patient).toBe(1);
    end();
    await expect.poll(shows, patient).toBe(true);
    await expect.poll(() => visit('tickets/open-ticket'), patient).toContain('open of tickets');

    // The pages are stale, and the script hangs.
    site.world.pass(6 * 60_000);
    hang();
    expect(await shows()).toBe(true);
    expect(await visit('tickets/open-ticket')).toContain('open of tickets');
    await expect.poll(revisions, patient).toBe(1);
    fail();
    // The script is run again after 30 seconds, then after 60 and 120.
    for (const [pause, part] of [
      [30, 0],
      [60, 35],
      [120, 65],
    ] as const) {
      await backgroundEnded(site.core);
      expect(await shows()).toBe(true);
      hang();
      // The clock also advances by itself.
      site.world.pass(part * 1000);
      expect(await shows()).toBe(true);
      expect([pause, revisions()]).toEqual([pause, 0]);
      site.world.pass((pause - part) * 1000);
      expect(await shows()).toBe(true);
      await expect.poll(revisions, patient).toBe(1);
      fail();
    }
    // Another revision shows the same pages.
    await backgroundEnded(site.core);
    hang();
    await site.change(site.spaceId, [
      { operation: 'insert_page', title: 'More', document: { markdown: 'x' } },
    ]);
    expect(await shows()).toBe(true);
    fail();
    await backgroundEnded(site.core);
    // After more than an hour, the pages are left out.
    hang();
    site.world.pass(70 * 60_000);
    expect(await shows()).toBe(false);
    end();
    await expect.poll(shows, patient).toBe(true);
    hold = undefined;
    await server.close(0);
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

  it('are visible only to visitors who may see the page that they replace', async () => {
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

  it('are left out if their script fails, without affecting the rest of the site', async () => {
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
