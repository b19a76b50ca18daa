import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import type { FileAnswer } from '../../../src/contract/file.ts';
import { integrations } from '../../../src/core/rows/integrations.ts';
import {
  disableDev,
  enableDev,
  getImage,
  getIntegration,
  listIntegrations,
  publishIntegration,
  unpublishIntegration,
} from '../../../src/resources/integrations/contract.ts';
import {
  getInstallation,
  listInstallations,
} from '../../../src/resources/integration-installations/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { install, png, publish } from './support.ts';

let world: World;
beforeEach(async () => void (world = await createWorld()));
afterEach(() => world.core.store.close());

const params = { integrationName: 'bot' };
const names = async (who: Parameters<World['as']>[0], query = {}) =>
  (await world.as(who).call(listIntegrations, { query })).items.map(({ name }) => name);
const outsiders = { organization: 'org_other' };

describe('an integration', () => {
  it('is published in versions, each of which replaces all fields', async () => {
    const looks = {
      summary: '# Bot',
      categories: ['collaboration' as const],
      externalLinks: [{ url: 'https://bot.example', label: 'Site' }],
      contentSecurityPolicy: "default-src 'self'",
    };
    const first = await publish(world, 'bot', {
      ...looks,
      visibility: 'public',
      target: 'space',
      scopes: ['openapi:read', 'openapi:read'],
    });
    expect(first).toMatchObject({
      name: 'bot',
      version: 1,
      title: 'Bot',
      ...looks,
      visibility: 'public',
      target: 'space',
      verified: false,
      scopes: ['openapi:read'],
      permissions: { admin: true },
    });
    expect(first.owner.id).toBe(world.org);
    expect(violationsOf(publishIntegration.returns.schema, first, '')).toEqual([]);
    const second = await publish(world, 'bot', { title: 'Better bot' });
    expect(second).toMatchObject({
      version: 2,
      title: 'Better bot',
      visibility: 'private',
      target: 'all',
      categories: [],
      externalLinks: [],
      previewImages: [],
    });
    expect(second).not.toHaveProperty('summary');
    expect(await world.as('read').call(getIntegration, { params })).toEqual({
      ...second,
      owner: expect.anything(),
      permissions: { admin: false },
    });
  });

  it('belongs to an organization, named by ID or subdomain, and only its administrators can publish it', async () => {
    expect((await publish(world, 'a', { organization: 'acme' })).owner.id).toBe(world.org);
    await expect(publish(world, 'b', { organization: 'nobody' })).rejects.toMatchObject({
      reason: 'not-found',
    });
    await expect(publish(world, 'b', outsiders)).rejects.toMatchObject({ reason: 'not-found' });
    const body = { title: 'Bot', description: '', scopes: [], script: 'x', organization: world.org };
    await expect(world.as('create').call(publishIntegration, { params, body })).rejects.toMatchObject({
      reason: 'forbidden',
    });
    await expect(
      world
        .as('outsider')
        .call(publishIntegration, { params: { integrationName: 'a' }, body: { ...body, ...outsiders } }),
    ).rejects.toMatchObject({
      reason: 'conflict',
    });
    await expect(publish(world, 'no name')).rejects.toMatchObject({ reason: 'invalid-input' });
  });

  it('has images of limited types and sizes, and refuses others', async () => {
    const { urls, previewImages } = await publish(world, 'bot', { icon: png, previewImages: [png] });
    expect(urls.icon).toBe(previewImages[0]);
    const imageId = urls.icon!.split('/').at(-1)!;
    const file: FileAnswer = await world.as('read').call(getImage, { params: { ...params, imageId } });
    expect([file.name, file.contentType, Buffer.from(file.bytes).toString('base64')]).toEqual([
      'bot.png',
      'image/png',
      png,
    ]);
    await expect(
      world.as('read').call(getImage, { params: { ...params, imageId: 'x' } }),
    ).rejects.toMatchObject({ reason: 'not-found' });
    for (const icon of [
      Buffer.from('<html><svg/></html>').toString('base64'),
      Buffer.from('<!-- <svg/>').toString('base64'),
      Buffer.from('89504e470d0a1a0a', 'hex').toString('base64') + 'A'.repeat(1_398_080),
    ])
      await expect(publish(world, 'bot', { icon })).rejects.toMatchObject({
        reason: 'invalid-input',
        violations: [{ path: '/body/icon' }],
      });
    await expect(publish(world, 'bot', { icon: '<svg>' })).rejects.toMatchObject({ reason: 'invalid-input' });
    const long = 'x'.repeat(10_000);
    const settings = (setting: object) => ({ configurations: { account: { properties: { a: setting } } } });
    const block = { id: 'b', title: 'Block' };
    for (const looks of [
      { blocks: [{ ...block, icon: long }] },
      settings({ type: 'string', default: long }),
      settings({ type: 'button', callback_url: '/x', button_text: long }),
    ])
      await expect(publish(world, 'bot', looks)).rejects.toMatchObject({ reason: 'invalid-input' });
    await expect(publish(world, 'bot', { script: 'x'.repeat(5_000_001) })).rejects.toMatchObject({
      reason: 'invalid-input',
    });
    expect((await world.as('admin').call(getIntegration, { params })).version).toBe(1);
  });

  it.each([
    [
      'a default that is not allowed',
      { a: { type: 'string', enum: ['x'], default: 'y' } },
      [],
      '/body/configurations/account/properties/a/default',
    ],
    [
      'a required setting that does not exist',
      { a: { type: 'string' } },
      ['b'],
      '/body/configurations/account/required',
    ],
    [
      'a choice without values',
      { a: { type: 'string', enum: [] } },
      [],
      '/body/configurations/account/properties/a/enum',
    ],
  ])('is refused with %s', async (_name, properties, required, path) => {
    const configurations = { account: { properties, required } } as never;
    await expect(publish(world, 'bot', { configurations })).rejects.toMatchObject({
      reason: 'invalid-input',
      violations: [{ path }],
    });
  });

  it.each([
    ['x', 15, 'a15'],
    ['é', 7, 'a7'],
  ])(
    'is refused if its defaults exceed the maximum size of a configuration, of "%s"',
    async (letter, most, first) => {
      const configurations = (count: number) => ({
        site: {
          properties: Object.fromEntries(
            Array.from({ length: count }, (_, at) => [
              `a${at}`,
              { type: 'string', default: letter.repeat(4096) },
            ]),
          ),
        },
      });
      await publish(world, 'bot', { configurations: configurations(most) });
      await expect(publish(world, 'bot', { configurations: configurations(most + 1) })).rejects.toMatchObject(
        {
          reason: 'invalid-input',
          message: expect.stringContaining('64 KiB'),
          violations: [{ path: `/body/configurations/site/properties/${first}/default` }],
        },
      );
      expect((await world.as('admin').call(getIntegration, { params })).version).toBe(1);
    },
  );

  it('is removed with its installations when it is unpublished', async () => {
    await publish(world);
    const { id } = await install(world);
    await expect(world.as('create').call(unpublishIntegration, { params })).rejects.toMatchObject({
      reason: 'forbidden',
    });
    await world.as('admin').call(unpublishIntegration, { params });
    await expect(world.as('admin').call(unpublishIntegration, { params })).rejects.toMatchObject({
      reason: 'not-found',
    });
    expect((await publish(world)).version).toBe(1);
    await expect(
      world.as('admin').call(getInstallation, { params: { ...params, installationId: id } }),
    ).rejects.toMatchObject({ reason: 'not-found' });
    expect((await world.as('admin').call(listInstallations, { params })).count).toBe(0);
  });
});

describe('the visibility of an integration', () => {
  it('public includes everyone, unlisted those who know the name, private only the organization', async () => {
    for (const visibility of ['public', 'unlisted', 'private'] as const)
      await publish(world, visibility, { visibility });
    expect(await names('outsider')).toEqual(['public']);
    expect(await names('guest')).toEqual(['private', 'public', 'unlisted']);
    expect(await names('owner')).toEqual(['private', 'public', 'unlisted']);
    expect(
      await world.as('outsider').call(getIntegration, { params: { integrationName: 'unlisted' } }),
    ).toMatchObject({ permissions: { admin: false } });
    const refusal = (integrationName: string) =>
      world
        .as('outsider')
        .call(getIntegration, { params: { integrationName } })
        .catch((error: Error) => error.message.replace(integrationName, 'X'));
    expect(await refusal('private')).toBe(await refusal('absent'));
    expect(await refusal('private')).toMatch(/There is no integration/);
  });

  it('private includes organizations that have already installed the integration', async () => {
    await publish(world, 'bot', { visibility: 'public' });
    const api = world.as('outsider');
    const { createInstallation } =
      await import('../../../src/resources/integration-installations/contract.ts');
    await api.call(createInstallation, { params, body: outsiders });
    await publish(world, 'bot', { visibility: 'private' });
    expect(await names('outsider')).toEqual(['bot']);
    expect((await api.call(listInstallations, { params })).count).toBe(1);
    await expect(world.as('nobody').call(getIntegration, { params })).rejects.toMatchObject({
      reason: 'unauthenticated',
    });
  });

  it('lets the list be filtered by title, category, block domain, target and owner', async () => {
    await publish(world, 'links', {
      title: 'Unfurl',
      blocks: [{ id: 'b', title: 'Link', urlUnfurl: ['https://*.example.com/**'] }],
      categories: ['content'],
      target: 'space',
    });
    await publish(world, 'sync', {
      title: 'Other',
      contentSources: [{ id: 's', title: 'Source', configuration: { componentId: 'c' } }],
      scopes: ['openapi:read'],
    });
    const found = (query: object) => names('admin', query);
    expect(await found({ search: 'UNF' })).toEqual(['links']);
    expect(await found({ search: 'syn' })).toEqual(['sync']);
    expect(await found({ category: 'content' })).toEqual(['links']);
    expect(await found({ blockDomain: 'docs.example.com' })).toEqual(['links']);
    expect(await found({ blockDomain: 'example.org' })).toEqual([]);
    expect(await found({ blocks: false })).toEqual(['sync']);
    expect(await found({ contentSources: true })).toEqual(['sync']);
    expect(await found({ scope: 'openapi:read' })).toEqual(['sync']);
    expect(await found({ target: 'all' })).toEqual(['sync']);
    expect(await found({ owner: world.otherOrg })).toEqual([]);
    const page = await world.as('admin').call(listIntegrations, { query: { limit: 1 } });
    expect([page.count, page.items[0]!.name]).toEqual([2, 'links']);
    expect(await found({ limit: 1, page: page.next!.page })).toEqual(['sync']);
  });
});

describe('development mode', () => {
  it('can be turned on and off only by the publisher, with a valid URL', async () => {
    await publish(world);
    const api = world.as('admin');
    await api.call(enableDev, { params, body: { tunnelUrl: 'https://tunnel.example/x' } });
    const dev = () => world.core.store.read(async (view) => (await view.get(integrations, 'bot'))?.dev);
    expect(await dev()).toEqual({ tunnelUrl: 'https://tunnel.example/x', all: false });
    await expect(
      world.as('create').call(enableDev, { params, body: { tunnelUrl: 'https://x.example' } }),
    ).rejects.toMatchObject({ reason: 'forbidden' });
    for (const [tunnelUrl, reason] of [
      ['ftp://x.example', 'forbidden'],
      ['https://a:b@x.example', 'forbidden'],
      ['nothing', 'invalid-input'],
      [`https://x.example/${'x'.repeat(250)}`, 'invalid-input'],
    ] as const)
      await expect(api.call(enableDev, { params, body: { tunnelUrl } })).rejects.toMatchObject({ reason });
    expect((await dev())!.tunnelUrl).toBe('https://tunnel.example/x');
    await publish(world);
    expect(await dev()).toBeDefined();
    await api.call(disableDev, { params });
    expect(await dev()).toBeUndefined();
    await expect(api.call(disableDev, { params })).rejects.toMatchObject({ reason: 'conflict' });
  });

  it.each([
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://127.1:3000/x',
    'http://0x7f000001:3000',
    'http://[::ffff:10.0.0.1]/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest',
    'http://localhost:3000',
    'http://LOCALHOST.:3000',
    'http://bot.localhost:3000',
    'https://tunnel.example:22/',
    'https://tunnel.example:6379/',
  ])('is refused with %s, with a hint at DOCSCTL_ALLOW_PRIVATE', async (tunnelUrl) => {
    await publish(world);
    const refused = await world.as('admin').call(enableDev, { params, body: { tunnelUrl } }).catch((error: unknown) => error); // prettier-ignore
    expect(refused).toMatchObject({
      reason: 'forbidden',
      hint: expect.stringContaining('DOCSCTL_ALLOW_PRIVATE'),
    });
    expect(
      await world.core.store.read(async (view) => (await view.get(integrations, 'bot'))?.dev),
    ).toBeUndefined();
  });

  it.each([
    ['127.0.0.1:3000', 'http://127.0.0.1:3000', 'http://127.0.0.1:3001'],
    ['127.0.0.1', 'http://localhost:3000', 'http://[::1]:3000'],
    ['localhost:3000', 'http://localhost:3000', 'http://localhost:3001'],
    ['10.0.0.0/8', 'http://10.1.2.3/', 'http://192.168.0.1/'],
    ['tunnel.internal:22', 'http://tunnel.internal:22/', 'http://tunnel.internal:23/'],
  ])('accepts %s if DOCSCTL_ALLOW_PRIVATE lists it, and no other address', async (allowed, right, wrong) => {
    await world.core.store.close();
    world = await createWorld('memory:', { env: { DOCSCTL_ALLOW_PRIVATE: allowed } });
    await publish(world);
    const turnOn = (tunnelUrl: string) => world.as('admin').call(enableDev, { params, body: { tunnelUrl } });
    await expect(turnOn(wrong)).rejects.toMatchObject({ reason: 'forbidden' });
    await turnOn(right);
    expect(
      await world.core.store.read(async (view) => (await view.get(integrations, 'bot'))?.dev?.tunnelUrl),
    ).toBe(right);
  });
});
