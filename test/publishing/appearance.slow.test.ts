import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TSchema } from '../../src/contract/schema.ts';
import { updateSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { Settings } from '../../src/resources/site-customization/declarations.ts';
import { updateAdaptiveSchema } from '../../src/resources/site-adaptive-schema/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { spaces } from '../../src/core/rows/spaces.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

type Schema = TSchema & {
  readonly properties?: Record<string, Schema>;
  readonly patternProperties?: object;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: string;
};

/** The settings with their schemas. Targets of links, images and texts by language are one value each. */
function settingsIn(schema: Schema, path = ''): [path: string, schema: Schema][] {
  const { properties, items, anyOf, patternProperties } = schema;
  if (properties !== undefined && properties['kind'] === undefined && patternProperties === undefined)
    return Object.entries(properties).flatMap(([name, inner]) =>
      settingsIn(inner, path === '' ? name : `${path}.${name}`),
    );
  if (items?.properties !== undefined) return settingsIn(items, `${path}[]`);
  if (path === 'favicon') return (anyOf ?? []).flatMap((form) => settingsIn(form, path));
  return [[path, schema]];
}

const settings = new Map(settingsIn(Settings));

/** The rows of the table in the guide: settings, and what they change. */
const table = new Map(
  readFileSync(new URL('../../docs/appearance.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [names = '', effect = ''] = line.slice(2, -2).split(' | ');
      return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, effect.trim()] as const);
    }),
);

const to = { kind: 'url', url: 'https://example.com/there' };
const color = { light: '#b5179e', dark: '#4cc9f0' };
const image = { light: 'https://example.com/light.png', dark: 'https://example.com/dark.png' };
const item = { title: 'Status', to, links: [] };
const group = { title: 'About', links: [{ title: 'Imprint', to }] };
const announcement = { enabled: true, message: 'Version 3 is out', style: 'info' };
const account = { platform: 'github', handle: 'acme', display: { header: true, footer: false } };
const menu = { title: 'More', to: null, links: [{ title: 'Blog', to }] };
const localized = { en: 'In English' };

/** For each setting without choices: the settings before and after, and a text that only the page after has. */
const tries: Readonly<Record<string, readonly [before: object, after: object, text: string]>> = {
  title: [{}, { title: 'Handbook' }, '<title>Start | Handbook</title>'],
  localizedTitle: [{ title: 'Handbook' }, { localizedTitle: localized }, '| In English</title>'],
  'favicon.icon.light': [
    {},
    { favicon: { icon: image } },
    '<link rel="icon" href="https://example.com/light.png"',
  ],
  'favicon.icon.dark': [{}, { favicon: { icon: image } }, 'dark.png" media="(prefers-color-scheme: dark)"'],
  'favicon.emoji': [{}, { favicon: { emoji: '📘' } }, encodeURIComponent('📘')],
  'announcement.enabled': [
    { announcement: { ...announcement, enabled: false } },
    { announcement },
    'Version 3 is out',
  ],
  'announcement.message': [{ announcement }, { announcement: { message: 'We move' } }, 'We move'],
  'announcement.localizedMessage': [
    { announcement },
    { announcement: { localizedMessage: localized } },
    'In English',
  ],
  'announcement.link.title': [
    { announcement },
    { announcement: { link: { title: 'Read on', to } } },
    '>Read on</a>',
  ],
  'announcement.link.localizedTitle': [
    { announcement: { ...announcement, link: { title: 'Read on', to } } },
    { announcement: { link: { localizedTitle: localized } } },
    '>In English</a>',
  ],
  'announcement.link.to': [{ announcement }, { announcement: { link: { title: 'Read on', to } } }, to.url],
  'socialAccounts[].platform': [{}, { socialAccounts: [account] }, 'https://github.com/acme'],
  'socialAccounts[].handle': [
    { socialAccounts: [account] },
    { socialAccounts: [{ ...account, handle: 'other' }] },
    'https://github.com/other',
  ],
  'socialAccounts[].display.header': [{}, { socialAccounts: [account] }, '<ul class="social header-social">'],
  'socialAccounts[].display.footer': [
    {},
    { socialAccounts: [{ ...account, display: { header: false, footer: true } }] },
    '<div class="footer-end"><ul class="social">',
  ],
  'header.primaryLink': [{}, { header: { primaryLink: to } }, `<a class="brand" href="${to.url}">`],
  'header.logo.light': [
    {},
    { header: { logo: image } },
    'class="logo only-light" src="https://example.com/light.png"',
  ],
  'header.logo.dark': [
    {},
    { header: { logo: image } },
    'class="logo only-dark" src="https://example.com/dark.png"',
  ],
  'header.links[].title': [{}, { header: { links: [item] } }, '>Status</a>'],
  'header.links[].localizedTitle': [
    {},
    { header: { links: [{ ...item, localizedTitle: localized }] } },
    '>In English</a>',
  ],
  'header.links[].to': [{}, { header: { links: [item] } }, to.url],
  'header.links[].links[].title': [{}, { header: { links: [menu] } }, '>Blog</a>'],
  'header.links[].links[].localizedTitle': [
    {},
    { header: { links: [{ ...menu, links: [{ title: 'Blog', localizedTitle: localized, to }] }] } },
    '>In English</a>',
  ],
  'header.links[].links[].to': [{}, { header: { links: [menu] } }, to.url],
  'header.links[].condition': [
    { header: { links: [{ ...item, condition: 'visitor.claims.unsigned.beta == true' }] } },
    { header: { links: [{ ...item, condition: 'visitor.claims.unsigned.beta == false' }] } },
    '>Status</a>',
  ],
  'footer.logo.light': [
    {},
    { footer: { logo: image } },
    '<div class="footer-logo"><img class="logo only-light"',
  ],
  'footer.logo.dark': [
    {},
    { footer: { logo: image } },
    'class="logo only-dark" src="https://example.com/dark.png"',
  ],
  'footer.groups[].title': [{}, { footer: { groups: [group] } }, '<p>About</p>'],
  'footer.groups[].localizedTitle': [
    {},
    { footer: { groups: [{ ...group, localizedTitle: localized }] } },
    '<p>In English</p>',
  ],
  'footer.groups[].links[].title': [{}, { footer: { groups: [group] } }, '>Imprint</a>'],
  'footer.groups[].links[].localizedTitle': [
    {},
    { footer: { groups: [{ ...group, links: [{ title: 'Imprint', localizedTitle: localized, to }] }] } },
    '>In English</a>',
  ],
  'footer.groups[].links[].to': [{}, { footer: { groups: [group] } }, to.url],
  'footer.copyright': [{}, { footer: { copyright: 'Acme 2026' } }, '<p>Acme 2026</p>'],
  'themes.toggeable': [
    { themes: { toggeable: false } },
    { themes: { toggeable: true } },
    'data-theme-toggle',
  ],
  'pdf.enabled': [{}, { pdf: { enabled: true } }, '~gitbook/pdf'],
  'feedback.enabled': [{}, { feedback: { enabled: true } }, 'class="feedback"'],
  'git.showEditLink': [
    {},
    { git: { showEditLink: true } },
    'https://github.com/acme/docs/edit/main/start.md',
  ],
  'pageActions.externalAI': [{}, { pageActions: { externalAI: true } }, 'https://claude.ai/new?q='],
  'pageActions.markdown': [
    { pageActions: { markdown: false } },
    { pageActions: { markdown: true } },
    'data-copy-page',
  ],
  'pageActions.mcp': [
    {},
    { pageActions: { mcp: true } },
    'data-copy-text="https://docs.test/sites/acme/docs/~gitbook/mcp"',
  ],
  'pagination.enabled': [
    { pagination: { enabled: false } },
    { pagination: { enabled: true } },
    'class="pagination"',
  ],
  'trademark.enabled': [{}, { trademark: { enabled: true } }, 'Published with docsctl'],
  'privacyPolicy.url': [
    {},
    { privacyPolicy: { url: 'https://example.com/privacy' } },
    'https://example.com/privacy',
  ],
  'socialPreview.url': [
    {},
    { socialPreview: { url: image.light } },
    '<meta property="og:image" content="https://example.com/light.png">',
  ],
  'ai.greeting': [{ ai: { mode: 'assistant' } }, { ai: { greeting: 'Ask me' } }, 'Ask me'],
  'ai.suggestions': [
    { ai: { mode: 'search' } },
    { ai: { suggestions: ['How do I start?'] } },
    '~gitbook/search?q=How%20do%20I%20start%3F',
  ],
};

/** The other settings that a choice needs to have an effect. */
const needed: Readonly<Record<string, object>> = {
  'announcement.style': { announcement: { ...announcement, style: undefined } },
  'header.links[].style': {},
  'ai.mode': { ai: { greeting: 'Ask me', suggestions: ['How do I start?'] } },
};

let site: PublishedSite;
beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: '[out](https://example.com/out)', git: { path: 'start.md' } },
    { title: 'Next', text: 'Text' },
    { title: 'Part', text: '', git: { path: 'part/' } },
  ]);
  const gitSync = { url: 'https://github.com/acme/docs/tree/main', updatedAt: '2026-01-01T00:00:00.000Z' };
  await site.world.core.store.write((tx) => tx.update(spaces, site.spaceId, { gitSync }));
  await site.call(updateAdaptiveSchema, site.site, {
    body: {
      jsonSchema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          unsigned: {
            description: 'Unsigned claims of the site visitor.',
            type: 'object',
            additionalProperties: false,
            properties: { beta: { type: 'boolean', description: 'In the beta' } },
          },
        },
      },
    },
  });
  await site.call(updateSite, site.site, { body: { adaptiveContent: { enabled: true } } });
});

/** What readers receive: the first page, the search page and the styles. */
async function look(before: object, after: object): Promise<string> {
  const everything = Object.fromEntries(Object.keys(Settings.properties).map((name) => [name, null]));
  await site.call(updateSiteCustomization, site.site, { body: everything });
  for (const body of [before, after]) await site.call(updateSiteCustomization, site.site, { body });
  const page = await site.visit('', { cookie: 'gitbook-visitor-public=%7B%22beta%22%3Afalse%7D' });
  expect(page.statusCode).toBe(200);
  const [, theme = ''] = /(~assets\/theme-[^"]+)"/.exec(page.body) ?? [];
  const styles = (await site.visit(theme)).body;
  const search = (await site.visit('~gitbook/search')).body;
  // The name of the style sheet changes with its content.
  return [page.body, search].map((text) => text.replaceAll(theme, '')).join('\n') + styles;
}

/** Settings with one value at a path. */
function settingAt(path: string, value: unknown): object {
  const [name = '', ...more] = path.split('.');
  const inner = more.length === 0 ? value : settingAt(more.join('.'), value);
  return name.endsWith('[]') ? { [name.slice(0, -2)]: [inner] } : { [name]: inner };
}

it('a page that only groups others has no edit link', async () => {
  await look({}, { git: { showEditLink: true } });
  expect((await site.visit('part')).body).not.toContain('https://github.com/');
});

describe('the table of settings in the guide', () => {
  it('lists every setting, and no others', () => {
    expect([...table.keys()].toSorted()).toEqual([...settings.keys()].toSorted());
  });

  const effective = [...settings].filter(([path]) => table.get(path)?.startsWith('nothing') !== true);
  const isColor = ({ pattern }: Schema): boolean => typeof pattern === 'string' && pattern.startsWith('^#');

  it.each(effective.filter(([, one]) => one.enum === undefined && !isColor(one)).map(([path]) => path))(
    '%s changes the pages',
    async (path) => {
      const [before = {}, after = {}, text = ''] = tries[path] ?? [];
      expect(text, `a try of ${path}`).not.toBe('');
      expect(await look(before, {})).not.toContain(text);
      expect(await look(before, after)).toContain(text);
    },
  );

  it.each(
    effective
      .filter(([, one]) => one.enum !== undefined)
      .map(([path, one]) => [path, one.enum ?? []] as const),
  )('%s has a different effect for each value', async (path, values) => {
    const isFont = path.toLowerCase().endsWith('font');
    const seen = new Map<string, string>();
    for (const value of values) {
      const own =
        path === 'header.links[].style'
          ? { header: { links: [{ ...item, style: value }] } }
          : settingAt(path, value);
      const base = path === 'announcement.style' ? { announcement } : (needed[path] ?? {});
      seen.set(await look(base, own), value);
    }
    // Both names of a theme with both modes may have the same colors.
    expect([...seen.values()], isFont ? 'fonts' : path).toEqual(values);
  });

  it.each(effective.filter(([, one]) => isColor(one)).map(([path]) => path))(
    '%s changes colors of pages',
    async (path) => {
      const parts = path.split('.');
      const mode = parts.pop() as 'light' | 'dark';
      const base = path.startsWith('header.') ? { header: { preset: 'custom' } } : {};
      const other = { light: '#101010', dark: '#101010' };
      const set = (value: object) => look(base, settingAt(parts.join('.'), value));
      expect(await set({ ...other, [mode]: color[mode] })).not.toBe(await set(other));
    },
  );

  it.each(
    [...settings].filter(([path]) => table.get(path)?.startsWith('nothing') === true).map(([path]) => path),
  )('%s changes nothing, like the table says', async (path) => {
    const value = path.endsWith('instructions') ? 'Be brief' : true;
    expect(await look({}, settingAt(path, value))).toBe(await look({}, {}));
  });
});
