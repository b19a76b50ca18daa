import { beforeEach, describe, expect, test } from 'vitest';
import {
  getSiteCustomization,
  getSiteSpaceCustomization,
  overrideSiteSpaceCustomization,
  replaceSiteCustomization,
  updateSiteCustomization,
  resetSiteSpaceCustomization,
} from '../../../src/resources/site-customization/contract.ts';
import { defaultSettings } from '../../../src/resources/site-customization/base.ts';
import { updateAdaptiveSchema } from '../../../src/resources/site-adaptive-schema/contract.ts';
import { getPublishedSite, publishSite, updateSite } from '../../../src/resources/sites/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';

let world: SitesWorld;
let site: string;
let siteSpaceId: string;
beforeEach(async () => {
  world = await createSitesWorld();
  site = await world.site('Docs');
  siteSpaceId = await world.siteSpace(site, 'Guide');
});

const get = (who: 'admin' | 'read' = 'admin') =>
  world.call(getSiteCustomization, { siteId: site }, undefined, undefined, who);
const replace = (body: object) => world.call(replaceSiteCustomization, { siteId: site }, body);
const change = (body: object) => world.call(updateSiteCustomization, { siteId: site }, body);
const refuse = (body: object) => world.refusal(replaceSiteCustomization, { siteId: site }, body);
const at = () => ({ siteId: site, siteSpaceId });
const override = (body: object) => world.call(overrideSiteSpaceCustomization, at(), body);
const published = (query: object = {}) =>
  world
    .call(getPublishedSite, { siteId: site }, undefined, query)
    .then(({ customizations }) => customizations);
const link = (title: string, more: object = {}) => ({
  title,
  to: { kind: 'url', url: 'https://example.com/' },
  links: [],
  ...more,
});

describe('the customization of a site', () => {
  test('has all default settings, and no updatedAt before the first change', async () => {
    expect(await get()).toEqual(defaultSettings);
  });

  test('is replaced as a whole: omitted settings get their defaults', async () => {
    const changed = await replace({
      title: 'Handbook',
      styling: { theme: 'bold', sidebar: { list: 'pill' } },
      favicon: { emoji: '📘' },
    });
    expect(changed).toEqual({
      ...defaultSettings,
      title: 'Handbook',
      styling: {
        ...defaultSettings.styling,
        theme: 'bold',
        sidebar: { ...defaultSettings.styling.sidebar, list: 'pill' },
      },
      favicon: { emoji: '📘' },
      updatedAt: expect.any(String),
    });
    expect(await get()).toEqual(changed);
    expect(await replace({ themes: { default: 'dark' } })).toEqual({
      ...defaultSettings,
      themes: { default: 'dark', toggeable: true },
      updatedAt: expect.any(String),
    });
  });

  test('is updated by setting: others are kept, and null restores a default', async () => {
    const link = { title: 'Help', to: { kind: 'url', url: 'https://example.com/' }, links: [] };
    await replace({
      title: 'Handbook',
      styling: {
        theme: 'bold',
        primaryColor: { light: '#111', dark: '#eee' },
        tint: { color: { light: '#fee', dark: '#300' } },
        sidebar: { list: 'pill' },
      },
      favicon: { icon: { light: 'https://example.com/a.png', dark: 'https://example.com/b.png' } },
      header: { links: [link], primaryLink: { kind: 'url', url: 'https://example.com/' } },
      announcement: { enabled: false, message: 'We move', style: 'warning' },
    });
    const space = await world.space('Shown');
    const before = await get();
    const changed = await change({
      title: null,
      styling: {
        primaryColor: { light: '#0a7d5a' },
        theme: null,
        tint: null,
        sidebar: { background: 'filled' },
      },
      favicon: { emoji: '📗' },
      header: { primaryLink: { kind: 'space', space } },
      announcement: { enabled: true },
    });
    const { title: _, ...kept } = before;
    const { tint: __, ...styling } = before.styling;
    expect(changed).toEqual({
      ...kept,
      styling: {
        ...styling,
        theme: 'clean',
        primaryColor: { light: '#0a7d5a', dark: '#eee' },
        sidebar: { list: 'pill', background: 'filled' },
      },
      favicon: { emoji: '📗' },
      header: { ...before.header, primaryLink: { kind: 'space', space } },
      announcement: { enabled: true, message: 'We move', style: 'warning' },
      updatedAt: expect.any(String),
    });
    expect(await get()).toEqual(changed);
    await world.call(publishSite, { siteId: site });
    expect((await published()).site).toMatchObject({ styling: { primaryColor: { dark: '#eee' } } });
  });

  test.each([
    [{ header: { logo: { light: 'https://example.com/a.png' } } }, '/body/header/logo/dark'],
    [{ announcement: { enabled: true } }, '/body/announcement/message'],
    [{ styling: { theme: 'loud' } }, '/body/styling/theme'],
    [{ styling: { look: 'loud' } }, '/body/styling/look'],
    [{ header: { links: [{ title: 'x' }] } }, '/body/header/links/0/to'],
  ])('is not updated with %j, which is incomplete or invalid', async (body, path) => {
    await world.call(publishSite, { siteId: site });
    const refused = await world.refusal(updateSiteCustomization, { siteId: site }, body);
    expect(refused.reason).toBe('invalid-input');
    expect(refused.paths).toContain(path);
    expect((await published()).site).toEqual(defaultSettings);
  });

  test.each([
    [{ styling: { primaryColor: { light: 'red', dark: '#000' } } }, '/body/styling/primaryColor/light'],
    [{ styling: { theme: 'loud' } }, '/body/styling/theme'],
    [{ styling: { theme: null } }, '/body/styling/theme'],
    [{ privacyPolicy: { url: 'javascript:alert(1)' } }, '/body/privacyPolicy/url'],
    [{ header: { logo: { light: 'https://example.com/a.png' } } }, '/body/header/logo/dark'],
    [{ looks: 'nice' }, '/body/looks'],
    [{ localizedTitle: { elvish: { text: 'x' } } }, '/body/localizedTitle/elvish'],
    [{ announcement: { enabled: true, message: 'x', style: 'info' } }, '/body/announcement/message'],
  ])('is refused with %j, with the path of the error', async (body, path) => {
    expect(await refuse(body)).toMatchObject({ reason: 'invalid-input', paths: [path] });
  });

  test('can link only to spaces and pages of the organization', async () => {
    const space = await world.space('Shown');
    expect(
      await replace({ header: { links: [link('Guide', { to: { kind: 'space', space } })] } }),
    ).toMatchObject({
      header: { links: [{ to: { kind: 'space', space } }] },
    });
    const foreign = await world.space('Foreign', { organization: world.otherOrg });
    for (const to of [
      { kind: 'space', space: foreign },
      { kind: 'page', space: foreign, page: 'pag_1' },
    ])
      expect(
        await refuse({ footer: { groups: [{ title: 'More', links: [{ title: 'x', to }] }] } }),
      ).toMatchObject({
        reason: 'not-found',
      });
  });

  test('shows the instructions of the assistant only to administrators', async () => {
    await world.call(publishSite, { siteId: site });
    await replace({ ai: { mode: 'assistant', greeting: 'Hi', instructions: 'Be brief.' } });
    await change({ title: 'Handbook' });
    expect((await get()).ai).toEqual({ mode: 'assistant', greeting: 'Hi', instructions: 'Be brief.' });
    const shown = { mode: 'assistant', greeting: 'Hi' };
    expect((await get('read')).ai).toEqual(shown);
    expect((await published()).site.ai).toEqual(shown);
  });

  test('can be read by readers, and changed only by administrators of the organization', async () => {
    for (const [operation, params] of [
      [replaceSiteCustomization, { siteId: site }],
      [updateSiteCustomization, { siteId: site }],
      [overrideSiteSpaceCustomization, at()],
    ] as const) {
      expect(await world.refusal(operation, params, {}, undefined, 'create')).toMatchObject({
        reason: 'forbidden',
      });
      expect(await world.refusal(operation, params, {}, undefined, 'outsider')).toMatchObject({
        reason: 'not-found',
      });
    }
  });
});

describe('the customization of a site space', () => {
  test('is that of the site, with overrides of single settings', async () => {
    await replace({ title: 'Handbook', styling: { theme: 'bold' } });
    expect(await world.call(getSiteSpaceCustomization, at(), undefined)).toMatchObject({
      title: 'Handbook',
      hasOverrides: false,
    });
    await override({ title: 'Handbuch', internationalization: { locale: 'de' } });
    expect(await override({ styling: { corners: 'straight' } })).toMatchObject({
      title: 'Handbuch',
      styling: { theme: 'bold', corners: 'straight' },
      internationalization: { locale: 'de' },
      hasOverrides: true,
    });
    await replace({ styling: { theme: 'muted' } });
    expect(await override({ title: null, styling: { corners: null } })).toMatchObject({
      styling: { theme: 'muted', corners: 'rounded' },
      internationalization: { locale: 'de' },
      hasOverrides: true,
    });
    expect(await override({ internationalization: { locale: null } })).toMatchObject({ hasOverrides: false });
  });

  test('refuses settings that belong to the site', async () => {
    for (const body of [{ ai: { mode: 'search' } }, { styling: { font: 'Inter' } }, { socialAccounts: [] }])
      expect(await world.refusal(overrideSiteSpaceCustomization, at(), body)).toMatchObject({
        reason: 'invalid-input',
      });
  });

  test('is published with that of the site until it is reset', async () => {
    await world.call(publishSite, { siteId: site });
    expect(await published()).toEqual({ site: defaultSettings, siteSpaces: {} });
    await override({ favicon: {}, styling: { theme: 'bold' } });
    expect((await published()).siteSpaces).toMatchObject({ [siteSpaceId]: { styling: { theme: 'bold' } } });
    await world.call(resetSiteSpaceCustomization, at());
    expect(await published()).toEqual({ site: defaultSettings, siteSpaces: {} });
    expect(await world.refusal(resetSiteSpaceCustomization, at())).toMatchObject({ reason: 'not-found' });
  });
});

describe('header links with conditions', () => {
  const schema = {
    type: 'object',
    properties: { plan: { type: 'string', description: 'Plan' } },
    additionalProperties: false,
  };

  test('are published only for visitors who meet their condition', async () => {
    await world.call(updateAdaptiveSchema, { siteId: site }, { jsonSchema: schema });
    await world.call(updateSite, { siteId: site }, { adaptiveContent: { enabled: true } });
    await world.call(publishSite, { siteId: site });
    await replace({
      header: { links: [link('All'), link('Pro', { condition: 'visitor.claims.plan == "pro"' })] },
    });
    const titles = async (query?: object) =>
      (await published(query)).site.header.links.map(({ title }) => title);
    expect(await titles()).toEqual(['All', 'Pro']);
    expect(await titles({ claims: '{"plan":"pro"}' })).toEqual(['All', 'Pro']);
    expect(await titles({ claims: '{"plan":"free"}' })).toEqual(['All']);
  });

  test('are refused if the condition is not valid', async () => {
    expect(
      await refuse({ header: { links: [link('Pro', { condition: 'visitor.claims.' })] } }),
    ).toMatchObject({
      reason: 'invalid-input',
      paths: ['/body/header/links/0/condition'],
    });
  });
});
