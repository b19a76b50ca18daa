import { expect } from 'vitest';
import { isRecord } from '../../src/contract/values.ts';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import * as customization from '../../src/resources/site-customization/contract.ts';
import { addSiteSpace, listSiteSpaces } from '../../src/resources/site-spaces/contract.ts';
import * as sites from '../../src/resources/sites/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import type { Bench, Try } from './bench.ts';

const colors = { light: '#111111', dark: '#eeeeee' };
const addresses = { light: 'https://example.com/light.png', dark: 'https://example.com/dark.png' };
const localized = { de: 'Neu' };

/** Settings that all differ from the defaults. All links have the same target. */
const settings = (to: object, favicon: object, image: object = addresses) => ({
  title: 'Handbook',
  localizedTitle: localized,
  favicon,
  announcement: {
    enabled: true,
    message: 'Version 2',
    localizedMessage: localized,
    link: { title: 'More', localizedTitle: localized, to },
    style: 'warning',
  },
  socialAccounts: [{ platform: 'github', handle: 'acme', display: { footer: true, header: false } }],
  styling: {
    theme: 'bold',
    primaryColor: colors,
    tint: { color: colors },
    infoColor: colors,
    successColor: colors,
    warningColor: colors,
    dangerColor: colors,
    corners: 'straight',
    depth: 'flat',
    links: 'accent',
    font: 'Roboto',
    headingFont: 'Lato',
    monospaceFont: 'FiraCode',
    background: 'match',
    icons: 'solid',
    codeTheme: {
      default: { light: 'github-light', dark: 'github-dark' },
      openapi: { light: 'min-light', dark: 'min-dark' },
    },
    sidebar: { background: 'filled', list: 'pill' },
    search: 'prominent',
  },
  internationalization: { locale: 'de' },
  header: {
    preset: 'custom',
    logo: image,
    primaryLink: to,
    backgroundColor: colors,
    linkColor: colors,
    links: [
      {
        title: 'API',
        localizedTitle: localized,
        style: 'button-primary',
        to,
        links: [{ title: 'Below', localizedTitle: localized, to }],
        condition: 'visitor.claims.beta == true',
      },
    ],
  },
  footer: {
    logo: image,
    groups: [
      { title: 'About', localizedTitle: localized, links: [{ title: 'Us', localizedTitle: localized, to }] },
    ],
    copyright: 'Acme',
  },
  themes: { default: 'dark', toggeable: false },
  pdf: { enabled: true },
  feedback: { enabled: true },
  ai: { mode: 'assistant', greeting: 'Hello', suggestions: ['How do I start?'], instructions: 'Be brief.' },
  advancedCustomization: { enabled: true },
  git: { showEditLink: true },
  pageActions: { externalAI: true, markdown: false, mcp: true },
  externalLinks: { target: 'blank' },
  pagination: { enabled: false },
  trademark: { enabled: true },
  privacyPolicy: { url: 'https://example.com/privacy' },
  socialPreview: {
    url: image === addresses ? 'https://example.com/preview.png' : valuesAt(image, ['light'])[0],
  },
  insights: { trackingCookie: true },
});

/** Settings that together have every field, with links to a URL, a space and a page, and images from a URL and a space. */
const looks = (space: string, page: string, file: string) => {
  const own = { kind: 'file', space, file };
  const files = { light: own, dark: own };
  return [
    settings({ kind: 'url', url: 'https://example.com/' }, { emoji: '🙂' }),
    settings({ kind: 'space', space }, { icon: addresses }),
    settings({ kind: 'page', space, page }, { icon: files }, files),
    settings({ kind: 'page', space, page }, {}),
  ];
};

/** Returns the paths of all values in settings. Texts by language count as one value. */
function pathsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, path));
  if (!isRecord(value) || value === localized) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    pathsIn(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** Returns the values at a path, including values in lists. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  return isRecord(value) && name in value ? valuesAt(value[name], rest) : [];
}

async function newSiteSpace(bench: Bench) {
  const { call, org } = bench;
  const space = (await call(createSpace, org, { body: { title: 'Guide' } })).id;
  const { id } = await call(sites.createSite, org, { body: { title: 'Docs' } });
  const site = { ...org, siteId: id };
  const siteSpaceId = (await call(addSiteSpace, site, { body: { spaceId: space } })).id;
  return { space, site, at: { ...site, siteSpaceId } };
}

async function newContent(
  { call }: Bench,
  spaceId: string,
): Promise<{ readonly page: string; readonly file: string }> {
  const at = {
    spaceId,
    changeRequestId: (await call(changeRequests.createChangeRequest, { spaceId }, { body: {} })).id,
  };
  const { pages, insertedFiles } = await call(batchContent, at, {
    body: {
      changes: [
        { operation: 'insert_page', title: 'One', document: { markdown: 'Text' } },
        {
          operation: 'insert_files',
          files: [{ name: 'logo.png', contentType: 'image/png', base64: 'AAAA' }],
        },
      ],
    },
  });
  await call(changeRequests.mergeChangeRequest, at, { body: {} });
  return { page: pages[0]?.id ?? '', file: insertedFiles[0]?.id ?? '' };
}

export const tries: readonly Try[] = [
  {
    of: 'site',
    fields: ['icon.emoji', 'icon.icon.light', 'icon.icon.dark'],
    run: async (bench) => {
      const { space, site } = await newSiteSpace(bench);
      const { file } = await newContent(bench, space);
      const look = async (favicon: object) => {
        await bench.call(customization.updateSiteCustomization, site, { body: { favicon } });
        return (await bench.call(sites.listSites, bench.org)).items[0]?.icon;
      };
      expect(await look({ emoji: '🙂' })).toEqual({ emoji: '🙂' });
      const light = 'https://example.com/light.png';
      expect(await look({ icon: { light, dark: { kind: 'file', space, file } } })).toEqual({
        icon: { light, dark: `http://localhost:8080/v1/spaces/${space}/content/files/${file}/download` },
      });
      expect(await look({})).toBeUndefined();
    },
  },
  {
    of: 'site-customization',
    fields: [...new Set(looks('space', 'page', 'file').flatMap((each) => pathsIn(each)))],
    run: async (bench) => {
      const { space, site } = await newSiteSpace(bench);
      const before = await bench.call(customization.getSiteCustomization, site);
      const { page, file } = await newContent(bench, space);
      for (const body of looks(space, page, file)) {
        for (const path of pathsIn(body))
          for (const value of valuesAt(body, path.split('.')))
            expect(valuesAt(before, path.split('.')), path).not.toContainEqual(value);
        await bench.call(customization.replaceSiteCustomization, site, { body });
        const { updatedAt, ...after } = await bench.call(customization.getSiteCustomization, site);
        expect(after).toEqual(body);
        expect(updatedAt).toEqual(expect.any(String));
      }
      await bench.call(customization.replaceSiteCustomization, site, { body: {} });
      const { updatedAt, ...after } = await bench.call(customization.getSiteCustomization, site);
      expect([after, updatedAt]).toEqual([before, expect.any(String)]);
    },
  },
  {
    of: 'site-customization',
    fields: ['hasOverrides', 'updatedAt', 'overrides'],
    run: async (bench) => {
      const { space, site, at } = await newSiteSpace(bench);
      const [whole] = looks(space, 'page', 'file');
      const look = () => bench.call(customization.getSiteSpaceCustomization, at);
      const before = await look();
      expect(before.hasOverrides).toBe(false);
      expect(before).not.toHaveProperty('updatedAt');
      const { ai, pdf, git, pageActions, insights, socialAccounts, advancedCustomization, styling, ...body } =
        whole as ReturnType<typeof settings>;
      const { font, headingFont, monospaceFont, ...shapes } = styling;
      await bench.call(customization.overrideSiteSpaceCustomization, at, {
        body: { ...body, styling: shapes },
      });
      const after = await look();
      expect(after).toMatchObject({
        ...body,
        styling: shapes,
        hasOverrides: true,
        updatedAt: expect.any(String),
        overrides: { title: body.title, styling: { theme: shapes.theme } },
      });
      const { updatedAt, ...ofSite } = await bench.call(customization.getSiteCustomization, site);
      expect([{ ...ofSite, hasOverrides: false }, updatedAt]).toEqual([before, undefined]);
      await bench.call(customization.replaceSiteCustomization, site, {
        body: {
          ai,
          pdf,
          git,
          pageActions,
          insights,
          socialAccounts,
          advancedCustomization,
          styling: { font, headingFont, monospaceFont },
        },
      });
      expect(await look()).toMatchObject(whole as object);
      await bench.call(customization.resetSiteSpaceCustomization, at);
      expect(await look()).toMatchObject({
        ai,
        styling: { font, theme: before.styling.theme },
        hasOverrides: false,
      });
      expect(await look()).not.toHaveProperty('overrides');
    },
  },
  {
    of: 'site-space',
    fields: ['hasAdvancedCustomizationFeature'],
    run: async (bench) => {
      const { site } = await newSiteSpace(bench);
      const look = async () =>
        (await bench.call(listSiteSpaces, site)).items[0]?.hasAdvancedCustomizationFeature;
      expect(await look()).toBe(false);
      const body = { advancedCustomization: { enabled: true } };
      await bench.call(customization.updateSiteCustomization, site, { body });
      expect(await look()).toBe(true);
      await bench.call(customization.replaceSiteCustomization, site, { body: {} });
      expect(await look()).toBe(false);
    },
  },
  {
    of: 'published-content-site',
    fields: ['customizations.site', 'customizations.siteSpaces'],
    run: async (bench) => {
      const { site, at } = await newSiteSpace(bench);
      await bench.call(sites.publishSite, site);
      const look = async () => (await bench.call(sites.getPublishedSite, site)).customizations;
      const before = await look();
      expect(before.siteSpaces).toEqual({});
      await bench.call(customization.replaceSiteCustomization, site, { body: { title: 'Handbook' } });
      await bench.call(customization.overrideSiteSpaceCustomization, at, { body: { title: 'Handbuch' } });
      expect(await look()).toMatchObject({
        site: { title: 'Handbook' },
        siteSpaces: { [at.siteSpaceId]: { title: 'Handbuch' } },
      });
    },
  },
];
