import lz from 'lz-string';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ScriptRun } from '../../../src/core/scripts.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { embeddedApi, type Core } from '../../../src/core/embedded.ts';
import { updateContent } from '../../../src/resources/content/change-request/contract.ts';
import { createChangeRequest, mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { getEvent, listEvents } from '../../../src/resources/integration-events/contract.ts';
import {
  createToken,
  installOnSite,
  installOnSpace,
  listSpaces,
  updateInstallation,
} from '../../../src/resources/integration-installations/contract.ts';
import { queueTask, render, renderCompressed } from '../../../src/resources/integrations/live/contract.ts';
import { unpublishIntegration } from '../../../src/resources/integrations/contract.ts';
import { listSiteIntegrations, listSiteScripts } from '../../../src/resources/site-integrations/contract.ts';
import { regeneratePublishingAuth } from '../../../src/resources/site-publishing-auth/contract.ts';
import { createSite, getPublishedSite, publishSite } from '../../../src/resources/sites/contract.ts';
import {
  listSpaceBlocks,
  listSpaceIntegrations,
} from '../../../src/resources/space-integrations/contract.ts';
import {
  createSpace,
  getSpace,
  listSpaces as listAllSpaces,
} from '../../../src/resources/spaces/contract.ts';
import { createQuickJsRuntime } from '../../../src/script-runtime/quickjs-runtime.ts';
import { createApiFetch } from '../../../src/server/api-fetch.ts';
import { createLog } from '../../../src/server/log.ts';
import { createServer, type Server } from '../../../src/server/index.ts';
import { samples } from '../../script-runtime/samples.ts';
import { createWorld, type World } from '../../support/world.ts';
import { install, publish } from '../integrations/support.ts';

const params = { integrationName: 'bot' };
let world: World;
let server: Server;
let installationId: string;

const scripts = (core: () => Core): Core['scripts'] => {
  let count = 0;
  return createQuickJsRuntime({
    outgoing: (request) => core().outgoing(request),
    api: (request) => createApiFetch(core(), `test-${++count}`)(request),
  });
};

beforeEach(async () => {
  world = await createWorld('memory:', { scripts });
  await publish(world, 'bot', {
    script: samples.v2,
    runtime: 'v2',
    secrets: { KEY: 'sesame' },
    scopes: ['space:content:read', 'space:metadata:read', 'site:script:inject', 'site:visitor:auth'],
    blocks: [{ id: 'diagram', title: 'Diagram' }],
    contentSecurityPolicy: { 'default-src': "'none';\n", 'script-src': "'self'\nhttps://cdn.example.com;" },
  });
  installationId = (await install(world)).id;
  server = await createServer({ core: world.core, version: 'test', newRequestId: () => 'req_1' });
});
afterEach(() => server.close(0));

const admin = () => world.as('admin');
const work = () => admin().work?.({ kind: 'events', signal: new AbortController().signal });
const events = async () => (await admin().call(listEvents, { params })).items;
const traceOf = async (eventId: string) => {
  const { trace } = await admin().call(getEvent, { params: { ...params, eventId } });
  return trace?.logs.map(({ message }) => message) ?? [];
};
const createdSpace = async () =>
  (await admin().call(createSpace, { params: { organizationId: world.org }, body: { title: 'Guide' } })).id;
const createdSite = async () =>
  (await admin().call(createSite, { params: { organizationId: world.org }, body: { title: 'Docs' } })).id;
const endpoint = '/v1/integrations/bot/integration';

describe('events for scripts', () => {
  it('run the script and keep its trace', async () => {
    await work();
    const [event] = await events();
    expect(event).toMatchObject({
      status: 'success',
      delivery: { state: 'delivered', receiver: 'script', status: 200, attempts: 1 },
    });
    expect(await traceOf(event!.id)).toEqual([
      'handles installation_setup',
      `installed ${installationId} active, before: nothing`,
      expect.stringContaining('Delivered: 200'),
    ]);
  });

  it('that the script does not handle are ignored, and failed ones are not repeated', async () => {
    const site = await createdSite();
    await admin().call(installOnSite, { params: { ...params, installationId }, body: { siteId: site } });
    await admin().call(queueTask, { params, body: { task: { fails: true } } });
    await work();
    const [task, onSite] = (await events()).toSorted((a, b) => b.payload.type.localeCompare(a.payload.type));
    expect(onSite).toMatchObject({ status: 'success', delivery: { state: 'ignored', status: 406 } });
    expect(task).toMatchObject({
      status: 'failed',
      delivery: { state: 'dead', attempts: 1, error: 'It answered 500: The task fails on purpose.' },
    });
    expect((await traceOf(task!.id)).join('\n')).toContain('Gave up after attempt 1');
  });

  it('about new content name the users who wrote it', async () => {
    const spaceId = await createdSpace();
    const at = { spaceId };
    const { id: changeRequestId } = await world
      .as('edit')
      .call(createChangeRequest, { params: at, body: {} });
    await world.as('edit').call(updateContent, {
      params: { ...at, changeRequestId },
      body: { changes: [{ operation: 'insert_page', title: 'Page', document: { markdown: 'Text' } }] },
    });
    await world.as('review').call(mergeChangeRequest, { params: { ...at, changeRequestId }, body: {} });
    await work();
    const event = (await events()).find(({ payload }) => payload.type === 'space_content_updated');
    expect(event?.payload).toMatchObject({ updatedBy: [{ id: 'usr_edit', displayName: 'Edit' }] });
    expect(await traceOf(event!.id)).toContain('by Edit');
  });

  it('of tasks wait for their time, but not for each other', async () => {
    await work();
    await admin().call(queueTask, { params, body: { task: { name: 'later' }, schedule: 3600 } });
    await admin().call(queueTask, { params, body: { task: { name: 'now' } } });
    await work();
    const states = async () =>
      (await events())
        .filter(({ payload }) => payload.type === 'task')
        .map(({ payload, delivery }) => [
          (payload as unknown as { task: { name: string } }).task.name,
          delivery.state,
        ])
        .toSorted();
    expect(await states()).toEqual([
      ['later', 'waiting'],
      ['now', 'delivered'],
    ]);
    world.pass(3_600_000);
    await work();
    expect(await states()).toEqual([
      ['later', 'delivered'],
      ['now', 'delivered'],
    ]);
    await expect(world.as('create').call(queueTask, { params, body: { task: {} } })).rejects.toMatchObject({
      reason: 'forbidden',
    });
  });

  it('that are waiting are deleted with their integration', async () => {
    await admin().call(queueTask, { params, body: { task: {}, schedule: 3600 } });
    await admin().call(unpublishIntegration, { params });
    world.pass(3_600_000);
    await work();
    await expect(events()).rejects.toMatchObject({ reason: 'not-found' });
  });
});

describe('components', () => {
  it('must be objects of a known type, nested no deeper than clients can read', async () => {
    const context = { type: 'document' as const, spaceId: await createdSpace() };
    const draw = async (text: string): Promise<unknown> => {
      const script = `export default { fetch: () => new Response(${JSON.stringify(text)}) }`;
      await publish(world, 'bot', { script, runtime: 'v2', scopes: ['space:content:read'] });
      return world.as('read').call(render, { params, body: { componentId: 'a', props: {}, context } });
    };
    const complete = (depth: number) =>
      `{"type":"complete","returnValue":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(JSON.stringify(await draw(complete(63)))).toBe(complete(63));
    for (const [text, end] of [
      [complete(20_000), 'The JSON is nested more than 64 levels deep.'],
      ['no', 'The answer is not JSON.'],
      ['null', 'The answer is not an object with the type "element" or "complete".'],
      ['{"type":"block"}', 'The answer is not an object with the type "element" or "complete".'],
    ] as const)
      await expect(draw(text)).rejects.toMatchObject({
        reason: 'script-failed',
        message: `The integration "bot" did not answer with a component. ${end}`,
      });
  });

  it('are rendered for readers where the integration is installed', async () => {
    const spaceId = await createdSpace();
    const body = {
      componentId: 'diagram',
      props: { content: 'a' },
      context: { type: 'document' as const, spaceId },
    };
    const drawn = await world.as('read').call(render, { params, body });
    expect(drawn).toMatchObject({ type: 'element', state: { count: 0 }, element: { type: 'block' } });
    const request = lz.compressToBase64(JSON.stringify(body));
    expect(await world.as('read').call(renderCompressed, { params, query: { request } })).toEqual(drawn);
    const safe = lz.compressToEncodedURIComponent(JSON.stringify(body));
    expect(await world.as('read').call(renderCompressed, { params, query: { request: safe } })).toEqual(
      drawn,
    );
    for (const wrong of ['x', lz.compressToBase64('{}'), lz.compressToBase64('{"componentId":1}')])
      await expect(
        world.as('read').call(renderCompressed, { params, query: { request: wrong } }),
      ).rejects.toMatchObject({ reason: 'invalid-input' });
    for (const other of ['null', '5', '"x"'])
      await expect(
        world.as('read').call(renderCompressed, { params, query: { request: lz.compressToBase64(other) } }),
      ).rejects.toMatchObject({ violations: [{ path: '/query/request' }] });
    await expect(
      world.as('read').call(render, { params, body: { ...body, componentId: 'other' } }),
    ).rejects.toMatchObject({ reason: 'not-found' });
    for (const [who, reason] of [
      ['guest', 'not-found'],
      ['outsider', 'not-found'],
    ] as const)
      await expect(world.as(who).call(render, { params, body })).rejects.toMatchObject({ reason });
    const settings = {
      ...body,
      context: { type: 'configuration_account' as const, organizationId: world.org },
    };
    await expect(world.as('create').call(render, { params, body: settings })).rejects.toMatchObject({
      reason: 'forbidden',
    });
    expect(
      await admin().call(render, { params, body: { ...settings, action: { action: '@finish' } } }),
    ).toEqual({
      type: 'complete',
      returnValue: { props: { content: 'a' } },
    });
    const [last] = (await events()).filter(({ payload }) =>
      JSON.stringify(payload).includes('"componentId":"diagram"'),
    );
    expect(last).toMatchObject({ status: 'success', payload: { componentId: 'diagram' } });
    expect(last?.payload).not.toHaveProperty('props');
  });

  it('are not rendered on spaces that the installation does not cover', async () => {
    const spaceId = await createdSpace();
    const at = { ...params, installationId };
    await admin().call(updateInstallation, { params: at, body: { space_selection: 'selected' } });
    const body = { componentId: 'diagram', props: {}, context: { type: 'document' as const, spaceId } };
    await expect(admin().call(render, { params, body })).rejects.toMatchObject({ reason: 'not-found' });
    await admin().call(installOnSpace, { params: at, body: { space: spaceId } });
    expect(await admin().call(render, { params, body })).toMatchObject({ type: 'element' });
  });
});

describe('scripts in a space', () => {
  it('know their public endpoint, also if the installation covers all spaces', async () => {
    const spaceId = await createdSpace();
    const body = {
      componentId: 'frame',
      props: { document: 'd1' },
      context: { type: 'document' as const, spaceId },
    };
    const drawn = await world.as('read').call(render, { params, body });
    const { url } = (drawn as unknown as { element: { source: { url: string } } }).element.source;
    const path = `/v1/integrations/bot/installations/${installationId}/spaces/`;
    expect(url).toBe(`http://localhost:8080${path}${spaceId}/integration?document=d1`);
    const answer = await server.inject(url.slice('http://localhost:8080'.length));
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { space: spaceId }]);
    const { id: elsewhere } = await world
      .as('outsider')
      .call(createSpace, { params: { organizationId: world.otherOrg }, body: {} });
    await publish(world, 'on-sites', { target: 'site', script: samples.v2, runtime: 'v2' });
    const { id: onSites } = await install(world, 'on-sites');
    const at = { ...params, installationId };
    for (const [wrong, selection] of [
      [`${path}${elsewhere}/integration`, 'all'],
      [`/v1/integrations/on-sites/installations/${onSites}/spaces/${spaceId}/integration`, 'all'],
      [`${path}${spaceId}/integration`, 'selected'],
    ] as const) {
      await admin().call(updateInstallation, { params: at, body: { space_selection: selection } });
      expect((await server.inject(wrong)).statusCode).toBe(404);
    }
  });
});

describe('visitor tokens', () => {
  it('that a script signs admit visitors if the integration has the scope for it', async () => {
    const inAcme = { params: { organizationId: world.org } };
    const { id: siteId } = await admin().call(createSite, {
      ...inAcme,
      body: { title: 'Docs', spaces: [await createdSpace()] },
    });
    const at = { params: { ...inAcme.params, siteId } };
    await admin().call(publishSite, at);
    await admin().call(installOnSite, { params: { ...params, installationId }, body: { siteId } });
    const url = `/v1/integrations/bot/installations/${installationId}/sites/${siteId}`;
    const signed = async () => {
      const answer = await server.inject(`${url}/visitor-auth?location=%2Fsigned`);
      return new URL(String(answer.headers['location'])).searchParams.get('jwt_token') ?? '';
    };
    const open = (visitorToken: string) => admin().call(getPublishedSite, { ...at, query: { visitorToken } });
    expect(await open(await signed())).toMatchObject({ structure: {} });
    await admin().call(regeneratePublishingAuth, at);
    expect(await open(await signed())).toMatchObject({ structure: {} });
    for (const wrong of ['', 'x.y.z', (await signed()).slice(0, -3)])
      await expect(open(wrong)).rejects.toBeInstanceOf(Problem);
  });

  it('cannot be signed with the key of the site by integrations without the scope for it', async () => {
    const siteId = await createdSite();
    const at = { params: { organizationId: world.org, siteId } };
    const { privateKey } = await admin().call(regeneratePublishingAuth, at);
    const seen: string[] = [];
    const runtime = world.core.scripts!;
    const run = runtime.run.bind(runtime);
    vi.spyOn(runtime, 'run').mockImplementation((request: ScriptRun) => {
      const { signingSecrets } = request.message.environment as { signingSecrets: object };
      seen.push(...Object.values(signingSecrets as Record<string, string>));
      return run(request);
    });
    const other = { integrationName: 'other' };
    await publish(world, 'other', { script: samples.v2, runtime: 'v2', scopes: ['site:metadata:read'] });
    const installed = { ...other, installationId: (await install(world, 'other')).id };
    await admin().call(installOnSite, { params: installed, body: { siteId } });
    const path = `/v1/integrations/other/installations/${installed.installationId}/sites/${siteId}`;
    expect((await server.inject(`${path}/integration`)).statusCode).toBe(200);
    expect(seen).toHaveLength(3);
    expect(seen).not.toContain(privateKey);
  });
});

describe('public endpoints', () => {
  it('return the response of the script, without cookies, with the policy of the integration', async () => {
    const answer = await server.inject({
      method: 'POST',
      url: `${endpoint}/a/b?c=d`,
      headers: {
        'x-sent': 'yes',
        cookie: 'secret=1',
        'content-type': 'text/x-own',
        authorization: 'Basic eDp5',
      },
      payload: 'körper',
    });
    expect(answer.statusCode).toBe(200);
    const { names, ...rest } = answer.json<{ names: string[] }>();
    expect(rest).toEqual({
      method: 'POST',
      url: `http://localhost:8080${endpoint}/a/b?c=d`,
      header: 'yes',
      body: 'körper',
      auth: null,
      space: null,
      site: null,
      installation: null,
      secret: 'sesame',
    });
    expect(names).toEqual(['authorization', 'content-type', 'user-agent', 'x-sent']);
    expect(answer.headers['content-security-policy']).toMatch(
      /^sandbox allow-scripts .*; default-src 'none'; script-src 'self' https:\/\/cdn\.example\.com$/,
    );
    const page = await server.inject(`${endpoint}/page`);
    const { 'set-cookie': cookie, 'x-accel-redirect': file, 'x-own': own } = page.headers;
    expect([page.body, cookie, file, own]).toEqual(['<h1>Hello</h1>', undefined, undefined, 'yes']);
  });

  it('give the script the user of the token, but not the token', async () => {
    const authorization = `Bearer ${world.token('read')}`;
    const answer = await server.inject({ url: endpoint, headers: { authorization } });
    expect(answer.json()).toMatchObject({ auth: { userId: 'usr_read' } });
    expect(answer.json<{ names: string[] }>().names).not.toContain('authorization');
    const token = world.token('read');
    for (const sent of ['Bearer dctl_wrong', `Token ${token}`, token, `Bearer ${token}, Bearer ${token}`]) {
      const wrong = await server.inject({ url: endpoint, headers: { authorization: sent } });
      expect(wrong.statusCode, sent).toBe(401);
    }
  });

  it('exist only for integrations and their installations, on their spaces and sites', async () => {
    const [spaceId, siteId] = [await createdSpace(), await createdSite()];
    const at = { params: { ...params, installationId } };
    await admin().call(installOnSpace, { ...at, body: { space: spaceId } });
    await admin().call(installOnSite, { ...at, body: { siteId } });
    const path = `/v1/integrations/bot/installations/${installationId}`;
    const ask = async (url: string) => {
      const answer = await server.inject(url);
      return answer.statusCode === 200 ? answer.json<Record<string, unknown>>() : answer.statusCode;
    };
    expect(await ask(`${path}/integration`)).toMatchObject({ installation: installationId, space: null });
    expect(await ask(`${path}/spaces/${spaceId}/integration/x`)).toMatchObject({ space: spaceId });
    expect(await ask(`${path}/sites/${siteId}/integration`)).toMatchObject({ site: siteId });
    for (const wrong of [
      '/v1/integrations/other/integration',
      '/v1/integrations/bot/installations/ins_x/integration',
      `${path}/spaces/${siteId}/integration`,
    ])
      expect(await ask(wrong)).toBe(404);
  });

  it('report that a script failed, and the event has the reason', async () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const log = createLog({ level: 'error', clock: () => 0, write });
    const logged = await createServer({
      core: world.core,
      version: 'test',
      newRequestId: () => 'req_1',
      log,
    });
    await publish(world, 'broken', { script: 'throw new Error("no start")' });
    const answer = await logged.inject('/v1/integrations/broken/integration');
    expect([answer.statusCode, answer.json(), lines]).toEqual([
      502,
      {
        error: {
          code: 502,
          reason: 'script-failed',
          message: 'The integration "broken" did not answer.',
          hint: expect.stringMatching(
            /^Show the trace of the event: `docsctl integrations events get evt_\w+ --integration broken`$/,
          ),
          requestId: 'req_1',
        },
      },
      [],
    ]);
    const { items } = await admin().call(listEvents, { params: { integrationName: 'broken' } });
    expect(items).toMatchObject([
      {
        status: 'failed',
        payload: { type: 'fetch' },
        delivery: { state: 'dead', error: expect.stringContaining('no start') },
      },
    ]);
    await logged.close(0);
  });
});

describe('scripts of sites', () => {
  it('are listed and served', async () => {
    const siteId = await createdSite();
    await admin().call(installOnSite, { params: { ...params, installationId }, body: { siteId } });
    const at = { params: { organizationId: world.org, siteId } };
    const [one, ...others] = await world.as('read').call(listSiteScripts, at);
    expect([one, others]).toEqual([
      {
        script: expect.stringMatching(/script\.js$/),
        contentSecurityPolicy: "default-src 'none'; script-src 'self' https://cdn.example.com",
        cookies: false,
      },
      [],
    ]);
    const answer = await server.inject(new URL(one!.script).pathname);
    expect([answer.statusCode, answer.body]).toEqual([200, `console.log("${siteId}")`]);
    const { items } = await world.as('read').call(listSiteIntegrations, at);
    expect(items.map(({ name }) => name)).toEqual(['bot']);
    const signIn = await server.inject(
      `/v1/integrations/bot/installations/${installationId}/sites/${siteId}/visitor-auth?location=%2Fa`,
    );
    expect([signIn.statusCode, signIn.headers['location']]).toEqual([
      302,
      `https://login.example.com/?site=${siteId}&location=%2Fa`,
    ]);
    await publish(world, 'bot', { script: samples.v1, scopes: ['space:content:read'] });
    expect((await server.inject(new URL(one!.script).pathname)).statusCode).toBe(404);
    const spaceId = await createdSpace();
    const onSpace = { params: { spaceId } };
    expect((await world.as('read').call(listSpaceIntegrations, onSpace)).items).toHaveLength(1);
    expect((await world.as('read').call(listSpaceBlocks, onSpace)).blocks).toEqual([]);
    await publish(world, 'bot', { blocks: [{ id: 'diagram', title: 'Diagram' }] });
    expect((await world.as('read').call(listSpaceBlocks, onSpace)).blocks).toEqual([
      { id: 'diagram', title: 'Diagram', integration: 'bot' },
    ]);
  });
});

describe('tokens', () => {
  const api = async (token: string, path: string, method = 'GET') => {
    const query = new URLSearchParams({ token, path, method });
    const answer = await server.inject(
      `/v1/integrations/bot/installations/${installationId}/integration/api?${query.toString()}`,
    );
    return [answer.statusCode, answer.json<{ id?: string; title?: string; items?: unknown[] }>()] as const;
  };

  it('of scripts allow only what the scopes allow in the organization of the installation', async () => {
    const spaceId = await createdSpace();
    expect(await api('installation', `/spaces/${spaceId}`)).toMatchObject([
      200,
      { id: spaceId, title: 'Guide' },
    ]);
    expect(await api('installation', `/spaces/${spaceId}/content`)).toMatchObject([200, {}]);
    expect((await api('installation', `/spaces/${spaceId}`, 'DELETE'))[0]).toBe(403);
    expect((await api('installation', `/spaces/${spaceId}`, 'PATCH'))[0]).toBe(403);
    expect((await api('integration', `/spaces/${spaceId}`))[0]).toBe(403);
    expect(await api('integration', '/integrations/bot/installations')).toMatchObject([
      200,
      { items: [{ id: installationId }] },
    ]);
    const { id: elsewhere } = await world
      .as('outsider')
      .call(createSpace, { params: { organizationId: world.otherOrg }, body: {} });
    expect((await api('installation', `/spaces/${elsewhere}`))[0]).toBe(404);
    expect((await api('installation', endpoint.slice(3)))[0]).toBe(500);
  });

  it('can be created, and expire after an hour or with their installation', async () => {
    const spaceId = await createdSpace();
    const at = { params: { ...params, installationId } };
    const { token } = await admin().call(createToken, at);
    const bot = embeddedApi(world.core, { kind: 'token', token });
    expect((await bot.call(getSpace, { params: { spaceId } })).id).toBe(spaceId);
    expect((await bot.call(listSpaces, at)).items).toEqual([]);
    expect((await bot.call(listAllSpaces, { params: { organizationId: world.org } })).items).toHaveLength(1);
    await expect(
      bot.call(updateInstallation, { ...at, body: { space_selection: 'selected' } }),
    ).rejects.toMatchObject({ reason: 'forbidden' });
    await admin().call(updateInstallation, { ...at, body: { space_selection: 'selected' } });
    await expect(bot.call(getSpace, { params: { spaceId } })).rejects.toMatchObject({ reason: 'forbidden' });
    await expect(bot.call(listAllSpaces, { params: { organizationId: world.org } })).rejects.toMatchObject({
      reason: 'forbidden',
    });
    await expect(world.as('create').call(createToken, at)).rejects.toMatchObject({ reason: 'forbidden' });
    world.pass(3_700_000);
    await expect(bot.call(getSpace, { params: { spaceId } })).rejects.toMatchObject({
      reason: 'unauthenticated',
    });
  });
});

describe('requests of a script to the API', () => {
  it('cannot run scripts, even if their path is encoded', async () => {
    const siteId = await createdSite();
    await admin().call(installOnSite, { params: { ...params, installationId }, body: { siteId } });
    const onSite = `integrations/bot/installations/${installationId}/sites/${siteId}`;
    const paths = [
      'integrations/bot/integration/x',
      'integrations/bot/%69ntegration/x',
      'x/../integrations/bot/integratio%6e/x',
      `${onSite}/script.js`,
      `${onSite}/visitor-auth`,
    ];
    const script = `addEventListener('fetch', (event) => event.respondWith((async () => {
      const { type } = JSON.parse((await event.request.formData()).get('event'));
      if (type !== 'fetch') return new Response('ran');
      const answers = [];
      for (const path of ${JSON.stringify(paths)})
        answers.push(await fetch('http://localhost:8080/v1/' + path).then((answer) => answer.text(), String));
      return new Response('ran ' + JSON.stringify(answers));
    })()));`;
    await publish(world, 'bot', {
      script,
      runtime: 'v1',
      scopes: ['site:script:inject', 'site:visitor:auth'],
    } as never);
    const { body } = await server.inject({ url: `${endpoint}/start` });
    expect(body).toMatch(/^ran \[/);
    const answers = JSON.parse(body.slice('ran '.length)) as readonly string[];
    expect(answers).toHaveLength(paths.length);
    for (const answer of answers) expect(answer).toMatch(/cannot call the public|did not answer/);
    const refused = (await events()).filter(({ delivery }) => delivery.error?.includes('cannot run scripts'));
    expect(refused.map(({ payload }) => payload.type)).toEqual([
      'fetch_visitor_authentication',
      'fetch_published_script',
      'fetch',
      'fetch',
    ]);
    expect((await server.inject({ url: `/v1/${onSite}/script.js` })).body).toBe('ran');
  });
});
