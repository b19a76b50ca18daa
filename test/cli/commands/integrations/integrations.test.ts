import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifier } from '../../../../examples/verify-event.js';
import { openGuideStore, type GuideStore } from '../../guide-store.ts';
import {
  followEvents,
  createPoller,
  eventLine,
  type IntegrationEvent,
} from '../../../../src/cli/commands/integrations/follow-events.ts';
import { createToken } from '../../../../src/resources/integration-installations/contract.ts';
import { renewSigningSecret } from '../../../../src/resources/integrations/contract.ts';
import { png } from '../../../resources/integrations/support.ts';

let desk: GuideStore;
const done = async (...words: string[]) => JSON.parse((await desk.done([...words, '-o', 'json'])).stdout);
const manifest = (more = '') => `name: bot
title: My bot
description: Tells of changes
icon: ./assets/icon.png
previewImages: [assets/icon.png]
script: dist/script.js
visibility: unlisted
scopes: [space:content:read]
categories: [collaboration]
summary: |
  # What it does
configurations:
  account:
    properties:
      channel: { type: string, title: Channel }
    required: [channel]
secrets:
  TOKEN: \${{ env.BOT_TOKEN }}
envs: { test: {} }
${more}`;

beforeAll(async () => {
  desk = await openGuideStore();
  for (const folder of ['bot', 'bot/assets', 'bot/dist']) mkdirSync(desk.at(folder));
  writeFileSync(desk.at('bot/gitbook-manifest.yaml'), manifest());
  writeFileSync(desk.at('bot/assets/icon.png'), Buffer.from(png, 'base64'));
  writeFileSync(desk.at('bot/dist/script.js'), 'addEventListener("fetch", () => {});');
  writeFileSync(desk.at('bot/dist/module.js'), 'export default {};');
  writeFileSync(desk.at('bot/dist/source.ts'), 'export default {}');
});
afterAll(() => desk.discard());

describe('docsctl integrations publish', () => {
  const env = { BOT_TOKEN: 'canary' };

  it('reads a folder with a manifest and the files that it names', async () => {
    const { stdout, stderr } = await desk.done(['integrations', 'publish', '-f', 'bot', '-o', 'json'], {
      env,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'bot',
      version: 1,
      title: 'My bot',
      visibility: 'unlisted',
      summary: '# What it does\n',
      urls: { icon: expect.stringContaining('/assets/') },
    });
    expect(stderr).toContain('ignored unknown field envs');
    expect(
      (await desk.done(['integrations', 'publish', '-f', 'bot', '--title', 'Better', '-o', 'json'], { env }))
        .stdout,
    ).toContain('"title": "Better"');
    expect(await done('integrations', 'get', 'bot')).toMatchObject({ version: 2, title: 'Better' });
  });

  it('accepts the title of an organization in the manifest', async () => {
    mkdirSync(desk.at('titled'));
    const text = 'name: titled\ntitle: Titled\ndescription: d\nscopes: []\n';
    writeFileSync(desk.at('titled/gitbook-manifest.yaml'), `${text}organization: Acme\n`);
    const publish = ['integrations', 'publish', '-f', 'titled', '--script', 'bot/dist/script.js'];
    await desk.done(publish);
    writeFileSync(desk.at('titled/gitbook-manifest.yaml'), `${text}organization: Nope\n`);
    expect(await desk.run(publish)).toMatchObject({
      exit: 5,
      stderr:
        'error: There is no organization "Nope" that you can see.\nhint: To see the organizations, run `docsctl orgs list`.\n',
    });
  });

  it('accepts options without a manifest, or a body', async () => {
    writeFileSync(desk.at('body.yaml'), 'title: Body\ndescription: A body\nscopes: []\n');
    await desk.done(
      [
        'integrations',
        'publish',
        'flags',
        '--title',
        'Flags',
        '--description',
        'x',
        '--scopes',
        'openapi:read',
        '--script',
        '@bot/dist/script.js',
        '--secret',
        'BOT_TOKEN',
      ],
      { env },
    );
    expect(
      await done(
        'integrations',
        'publish',
        'body',
        '--body',
        desk.at('body.yaml'),
        '--script',
        'bot/dist/script.js',
        '--icon',
        'bot/assets/icon.png',
      ),
    ).toMatchObject({
      title: 'Body',
      scopes: [],
    });
    expect((await done('integrations', 'list', '--owner', 'Acme', '--search', 'flags')).items).toMatchObject([
      { name: 'flags', scopes: ['openapi:read'] },
    ]);
  });

  it.each([
    ['a secret that is not set', [], 8, 'BOT_TOKEN is not set'],
    [
      'the value of a secret',
      ['--secret', 'BOT_TOKEN=hunter2'],
      8,
      'Give only the name of the variable, BOT_TOKEN, not its value.',
    ],
    ['a value instead of the name', ['--secret', 'hunter2!'], 8, '--secret takes the name of an environment'],
    ['a source that was not built', ['--script', 'bot/dist/source.ts'], 8, 'must be built first'],
    [
      'a module for the runtime of scripts',
      ['--script', 'bot/dist/module.js'],
      8,
      'bot/dist/module.js, line 1, column 1: not valid JavaScript: import and export are only for modules.',
    ],
    ['a file that is not an image', ['--icon', 'bot/dist/script.js'], 8, 'not a PNG, JPEG, GIF, WebP or SVG'],
    ['no manifest', ['-f', 'nowhere'], 8, 'does not exist'],
  ])('reports what is wrong with %s', async (what, words, exit, message) => {
    const ran = await desk.run(
      ['integrations', 'publish', ...(words.includes('-f') ? [] : ['-f', 'bot']), ...words],
      what.startsWith('a secret') ? {} : { env },
    );
    expect([ran.exit, ran.stdout]).toEqual([exit, '']);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).not.toContain('hunter2');
  });

  it.each(['../body.yaml', '/etc/hostname', 'link.js', '~/x'])(
    'does not read a script outside the folder: %s',
    async (script) => {
      mkdirSync(desk.at('evil'), { recursive: true });
      if (script === 'link.js') symlinkSync('/etc/hostname', desk.at('evil/link.js'));
      writeFileSync(
        desk.at('evil/gitbook-manifest.yaml'),
        `name: evil\ntitle: Evil\ndescription: x\nscopes: []\nscript: ${script}\n`,
      );
      expect((await desk.run(['integrations', 'publish', '-f', 'evil'])).exit).toBe(8);
    },
  );

  it('prints no secrets in a dry run', async () => {
    const { stdout, stderr } = await desk.done(
      ['integrations', 'publish', '-f', 'bot', '--dry-run', '-o', 'json'],
      { env },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      path: '/v1/integrations/bot',
      body: { secrets: { TOKEN: '***' }, script: 'addEventListener("fetch", () => {});' },
    });
    expect(stdout + stderr).not.toContain('canary');
  });
});

describe('docsctl integrations dev', () => {
  let server: Server;
  let tunnel: string;
  let allow: { DOCSCTL_ALLOW_PRIVATE: string };
  const came: { headers: Record<string, string>; body: Buffer }[] = [];
  beforeAll(async () => {
    server = createServer((request, answer) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        came.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(parts) });
        answer.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    tunnel = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    allow = { DOCSCTL_ALLOW_PRIVATE: new URL(tunnel).host };
  });
  afterAll(() => void server.close());

  it('delivers recorded events, prints the results, and turns development mode off at the end', async () => {
    const { signingSecret } = await done('integrations', 'signing-secret', 'bot', '--yes');
    await desk.done(['integrations', 'enable-dev', 'bot', '--tunnel-url', tunnel], { env: allow });
    const installation = await done('integrations', 'installations', 'create', 'bot', '--org', 'Acme');
    const { stdout, stderr } = await desk.done(
      ['integrations', 'dev', 'bot', '--tunnel', tunnel, '--count', '1', '-o', 'ndjson'],
      { env: allow },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      installationId: installation.id,
      payload: { type: 'installation_setup', status: 'pending' },
      delivery: { state: 'delivered', attempts: 1, status: 204 },
    });
    expect(stderr).toContain(
      'Events are signed with the existing secret. To replace and see it, add --new-secret.',
    );
    expect(stderr).toContain('Development mode is off.');
    const tail = await desk.done([
      'integrations',
      'events',
      'tail',
      'bot',
      '--last',
      '5',
      '--count',
      '1',
      '-o',
      'ndjson',
    ]);
    expect(JSON.parse(tail.stdout)).toMatchObject({ installationId: installation.id });
    const table = (await desk.done(['integrations', 'events', 'list', 'bot'], { tty: true })).stdout.split(
      '\n',
    );
    expect(table[0]).toMatch(/^time +type +state +tries +status +error +id$/);
    expect(table[2]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\dZ  installation_setup  deliv/);
    const [{ headers, body }] = came as [(typeof came)[number]];
    expect((await createVerifier({ secret: signingSecret })(headers, body, () => {})).event.type).toBe(
      'installation_setup',
    );
    expect((await desk.run(['integrations', 'disable-dev', 'bot'])).exit).toBe(6);
    expect((await done('integrations', 'events', 'list', 'bot')).items).toHaveLength(1);
    const detail = await done('integrations', 'events', 'get', JSON.parse(stdout).id, '--integration', 'bot');
    expect(detail.trace.logs[0].message).toMatch(/^Delivered: 204/);
    const words = ['integrations', 'events', 'get', detail.event.id, '--integration', 'bot'];
    expect((await desk.done(words, { tty: true })).stdout).toMatch(/^\S+Z info Delivered: 204 after/m);
    const again = ['integrations', 'events', 'redeliver', detail.event.id, '--integration', 'bot'];
    expect((await done(...again)).delivery).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  it('refuses a tunnel on a private network that the operator does not allow', async () => {
    for (const words of [
      ['enable-dev', 'bot', '--tunnel-url', tunnel],
      ['dev', 'bot', '--tunnel', tunnel],
    ]) {
      const { exit, stderr } = await desk.run(['integrations', ...words]);
      expect([exit, stderr]).toEqual([
        11,
        expect.stringMatching(/not on the public internet[^]*DOCSCTL_ALLOW_PRIVATE/),
      ]);
    }
    expect((await desk.run(['integrations', 'disable-dev', 'bot'])).exit).toBe(6);
    // Each delivery checks again whether the address is allowed.
    await desk.done(['integrations', 'enable-dev', 'bot', '--tunnel-url', tunnel], { env: allow });
    const { items } = await done('integrations', 'installations', 'list', 'bot');
    await desk.done([
      'integrations',
      'installations',
      'update',
      items[0].id,
      '--integration',
      'bot',
      '--configuration',
      '{"channel":"docs"}',
    ]);
    const before = came.length;
    expect(await desk.run(['jobs', 'run'])).toMatchObject({
      exit: 3,
      stderr: expect.stringMatching(
        /events to bot: installation_setup \(evt_\w+\) was given up: .* not on the public internet.*\nerror: 1 job ended with errors\./,
      ),
    });
    const [event] = (await done('integrations', 'events', 'list', 'bot')).items;
    expect(event.delivery).toMatchObject({
      state: 'dead',
      error: expect.stringContaining('not on the public internet'),
    });
    expect(came.length).toBe(before);
    await desk.done(['integrations', 'disable-dev', 'bot']);
  });

  it('prints a new secret with --new-secret, and signs events with it', async () => {
    await desk.done(['integrations', 'enable-dev', 'bot', '--tunnel-url', tunnel], { env: allow });
    const { items } = await done('integrations', 'installations', 'list', 'bot');
    const change = ['--integration', 'bot', '--configuration', '{"channel":"news"}'];
    await done('integrations', 'installations', 'update', items[0].id, ...change);
    const words = ['integrations', 'dev', 'bot', '--tunnel', tunnel, '--count', '1', '--new-secret'];
    const { stderr } = await desk.done(words, { env: allow });
    const [, secret = ''] = /^Events are signed with (\S+)$/m.exec(stderr) ?? [];
    const { headers, body } = came.at(-1)!;
    await expect(createVerifier({ secret })(headers, body, () => {})).resolves.toMatchObject({
      event: { type: 'installation_setup' },
    });
  });

  it('turns development mode off when it is interrupted, and requires a tunnel', async () => {
    const controller = new AbortController();
    controller.abort();
    expect((await desk.run(['integrations', 'dev', 'bot'])).exit).toBe(64);
    await desk.run(['integrations', 'dev', 'bot', '--tunnel', tunnel], {
      signal: controller.signal,
      env: allow,
    });
    expect((await desk.run(['integrations', 'disable-dev', 'bot'])).exit).toBe(6);
  });
});

describe('the line of an event', () => {
  const event = (delivery: object) =>
    ({
      id: 'evt_1',
      createdAt: '2026-01-01T09:08:07.000Z',
      payload: { type: 'task' },
      delivery: { attempts: 1, ...delivery },
    }) as unknown as IntegrationEvent;
  it.each([
    [{ state: 'waiting', attempts: 0 }, 'waiting'],
    [{ state: 'delivered', status: 204 }, 'delivered (204) at attempt 1'],
    [
      { state: 'waiting', error: 'The tunnel answered 500.', nextAttemptAt: '2026-01-01T09:08:09.000Z' },
      'The tunnel answered 500: attempt 2 at 09:08:09',
    ],
    [
      { state: 'dead', attempts: 10, error: 'It ended\u001b[2J' },
      'It ended\\u001b[2J: given up after attempt 10',
    ],
    [{ state: 'no-endpoint', attempts: 0 }, 'no endpoint'],
    [{ state: 'ignored', status: 406 }, 'received, but it has no handler for it'],
  ])('shows the result of the delivery: %o', (delivery, words) => {
    expect(eventLine(event(delivery), undefined).replace(/ {2,}/g, ' | ')).toBe(
      `09:08:07 | task | evt_1 | ${words}\n`,
    );
    expect(eventLine(event(delivery), 'id,delivery.attempts=tries,nothing')).toBe(
      `evt_1  ${event(delivery).delivery.attempts}  -\n`,
    );
  });

  it.each([
    [{}, (waiting: IntegrationEvent) => eventLine(waiting, undefined)],
    [{ columns: 'type,id' }, () => 'task  evt_1\n'],
  ])(
    'is printed on a terminal before the next event arrives, with the given columns: %o',
    async (flags, line) => {
      const controller = new AbortController();
      const shown: string[] = [];
      const stdout = {
        write: (text: string) => void (shown.push(text), controller.abort()),
        flush: async () => {},
        closed: false,
      };
      let looks = 0;
      const api = { call: async () => ({ items: looks++ === 0 ? [] : [event({ state: 'waiting' })] }) };
      const session = {
        runtime: { signal: controller.signal },
        api: async () => api,
        printer: async () => undefined,
        flags,
        format: 'table',
        isInteractive: true,
        terminal: { stdout, stderrIsTTY: true },
        note: (text: string) => void shown.push(text),
      };
      await followEvents(session as never, { integrationName: 'bot' });
      expect(shown).toEqual(['Waiting for events. Press Ctrl-C to stop.', line(event({ state: 'waiting' }))]);
      const printed = {
        ...session,
        format: 'json',
        printer: async () => ({ page: () => true, end: () => {} }),
      };
      await followEvents(printed as never, { integrationName: 'bot', last: 1, count: 1 });
      expect(shown).toHaveLength(2);
    },
  );
});

describe('the poller of events', () => {
  type Delivery = { state: string; attempts: number };
  const event = (id: number, delivery: Delivery) => ({
    id: `evt_${id}`,
    createdAt: `2026-01-01T00:00:${String(id).padStart(2, '0')}Z`,
    delivery,
  });
  let events: ReturnType<typeof event>[] = [];
  const api = {
    call: async (_: unknown, { query }: { query: { limit: number; page?: string } }) => {
      const newest = events.toReversed();
      const from = Number(query.page ?? 0);
      return {
        items: newest.slice(from, from + 2),
        ...(from + 2 < newest.length ? { next: { page: String(from + 2) } } : {}),
      };
    },
  };

  it('returns each attempt once, across several pages, and no events that existed before it started', async () => {
    events = [event(1, { state: 'delivered', attempts: 1 }), event(2, { state: 'waiting', attempts: 1 })];
    const look = createPoller(api as never, 'bot');
    await look();
    const ids = async () => (await look()).map(({ id, delivery }) => `${id} ${delivery.attempts}`);
    expect(await ids()).toEqual([]);
    events[1] = event(2, { state: 'waiting', attempts: 2 });
    for (const id of [3, 4, 5, 6]) events.push(event(id, { state: 'waiting', attempts: 0 }));
    expect(await ids()).toEqual(['evt_2 2', 'evt_3 0', 'evt_4 0', 'evt_5 0', 'evt_6 0']);
    events = events.map((one, index) =>
      index === 0 ? one : event(index + 1, { state: 'delivered', attempts: 3 }),
    );
    expect(await ids()).toEqual(['evt_2 3', 'evt_3 3', 'evt_4 3', 'evt_5 3', 'evt_6 3']);
    expect(await ids()).toEqual([]);
    events.push(event(7, { state: 'no-endpoint', attempts: 0 }));
    expect(await ids()).toEqual(['evt_7 0']);
  });

  it('looks back to the oldest waiting event, even if newer ones are done', async () => {
    events = [event(1, { state: 'waiting', attempts: 0 }), event(2, { state: 'delivered', attempts: 1 })];
    const look = createPoller(api as never, 'bot');
    await look();
    events[0] = event(1, { state: 'delivered', attempts: 1 });
    for (const id of [3, 4]) events.push(event(id, { state: 'delivered', attempts: 1 }));
    expect((await look()).map(({ id }) => id)).toEqual(['evt_1', 'evt_3', 'evt_4']);
    // All are done, so events older than the newest one are not read again.
    events[1] = event(2, { state: 'delivered', attempts: 9 });
    events.push(event(5, { state: 'delivered', attempts: 1 }));
    expect((await look()).map(({ id }) => id)).toEqual(['evt_5']);
  });
});

/** This test is last: with a second organization, commands need --org. */
it('integrations publish notes how many organizations must agree to new scopes', async () => {
  const publish = async (scopes: string) =>
    (
      await desk.done(
        [
          'integrations',
          'publish',
          'shared',
          '--title',
          'Shared',
          '--description',
          'A bot',
          '--org',
          'Acme',
        ].concat('--visibility', 'public', '--script', 'bot/dist/script.js', '--scopes', scopes),
      )
    ).stderr;
  await publish('openapi:read');
  await done('orgs', 'create', '--title', 'Other');
  const { id } = await done('integrations', 'installations', 'create', 'shared', '--org', 'Other');
  const scopes = 'openapi:read,openapi:write';
  const note = `1 other organization must agree to the new scopes before the integration has them there. An administrator agrees with \`docsctl integrations installations update ID --org ORGANIZATION --integration shared --scopes ${scopes}\`.`;
  expect((await publish(scopes)).replace(/\s+/g, ' ')).toContain(note);
  const update = ['integrations', 'installations', 'update', id, '--integration', 'shared'];
  expect(await done(...update, '--scopes', scopes)).toMatchObject({ pendingScopes: [] });
  expect(await publish(scopes)).not.toContain('must agree');
});

it.each([
  [renewSigningSecret, /^dsec_\S{43}$/],
  [createToken, /^dcti_\S+$/],
])('the example of a command that creates a secret prints only the secret', async ({ cli }, secret) => {
  const { items } = await done('integrations', 'installations', 'list', 'bot');
  const id =
    items[0]?.id ?? (await done('integrations', 'installations', 'create', 'bot', '--org', 'Acme')).id;
  const [command = ''] = cli?.examples?.[0]?.split(' > ') ?? [];
  const words = command.replace('slack', 'bot').replace('ins_1', id).split(' ').slice(1);
  expect((await desk.done(words)).stdout.trim()).toMatch(secret);
  await desk.done(['integrations', 'installations', 'delete', id, '--integration', 'bot', '--yes']);
});
