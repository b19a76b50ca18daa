import { describe, expect, it } from 'vitest';
import { contrast, mix, parseColor, writeColor } from '../../src/render/color-math.ts';
import {
  codeVariables,
  headerVariables,
  pageVariables,
  type Mode,
  type Variables,
} from '../../src/render/theme-colors.ts';
import { codeThemes } from '../../src/render/code-themes.ts';
import type { ThemeSettings } from '../../src/render/theme-settings.ts';

const both = (color: string) => ({ light: color, dark: color });
const settings = (more: Partial<ThemeSettings> = {}): ThemeSettings => ({
  theme: 'clean',
  primaryColor: both('#000000'),
  infoColor: both('#787878'),
  successColor: both('#00c950'),
  warningColor: both('#fe9a00'),
  dangerColor: both('#fb2c36'),
  corners: 'rounded',
  depth: 'subtle',
  links: 'default',
  font: 'Inter',
  monospaceFont: 'IBMPlexMono',
  background: 'plain',
  icons: 'regular',
  codeTheme: { default: both('default-light'), openapi: both('default-light') },
  sidebar: { background: 'default', list: 'default' },
  search: 'prominent',
  header: { preset: 'default' },
  ...more,
});
/** Some variables in one line. */
const pick = (variables: Variables | undefined, names: string) =>
  names.split(' ').map((name) => variables?.[name]);
const groundsOf = (theme: Partial<ThemeSettings>, mode: Mode = 'light') =>
  pick(pageVariables(settings(theme), mode), 'page raised line line-strong code').join(' ');

describe('the backgrounds and lines of a page', () => {
  const tint = { color: both('#000000') };
  it.each<[string, Partial<ThemeSettings>, string]>([
    ['are neutral by default', {}, '#ffffff #f7f8fa #e3e6eb #c9ced6 #f4f5f8'],
    ['have a tint', { tint }, '#fbfbfb #e8e9eb #c3c6ca #adb1b8 #e5e6e9'],
    ['match the primary color', { background: 'match' }, '#ededed #e1e2e4 #cfd1d6 #b7bbc3 #dedfe2'],
    ['match the tint', { background: 'match', tint }, '#e9e9e9 #d2d3d5 #afb1b5 #9b9fa5 #cfd0d3'],
    [
      'have lines in the primary color with the gradient theme',
      { theme: 'gradient' },
      '#ffffff #f7f8fa #bfc1c5 #a9adb4 #f4f5f8',
    ],
    [
      'are close to each other with the muted theme',
      { theme: 'muted' },
      '#f7f7f7 #eeeff1 #dbdee3 #c9ced6 #ebecef',
    ],
  ])('%s', (_name, theme, expected) => {
    expect(groundsOf(theme)).toBe(expected);
  });
});

const contrastOf = (one: string | undefined, other: string | undefined) =>
  contrast(parseColor(one ?? ''), parseColor(other ?? ''));

/** The background of table headers, as in site.css. */
const headOf = (shown: Variables, mode: Mode) => {
  const [over, share] = mode === 'light' ? (['#10151d', 0.03] as const) : (['#ffffff', 0.04] as const);
  return writeColor(mix(parseColor(over), parseColor(shown['code']!), share));
};

describe('text on each background', () => {
  const modes: Mode[] = ['light', 'dark'];
  const themes = ['clean', 'muted', 'bold', 'gradient'] as const;
  const colors = ['#ffffff', '#000000', '#808080', '#ffdd00', '#346ddb'];
  it.each(modes.flatMap((mode) => themes.map((theme) => [theme, mode] as const)))(
    'is readable in %s, %s',
    (theme, mode) => {
      for (const color of colors) {
        const shown = pageVariables(
          settings({ theme, primaryColor: both(color), background: 'match', infoColor: both(color) }),
          mode,
        );
        const grounds = ['page', 'raised', 'code', 'info-tint', 'warning-tint'];
        if (theme === 'gradient') grounds.push('glow');
        const pairs = ['text', 'strong', 'muted', 'primary-text'].flatMap((ink) =>
          grounds.map((ground) => [ink, ground] as const),
        );
        for (const [ink, ground] of [
          ...pairs,
          ['primary-text', 'primary-tint'],
          ['on-primary', 'primary'],
          ['info', 'info-tint'],
          ['info', 'page'],
          ['hl-keyword', 'code'],
        ] as const)
          expect(
            contrastOf(shown[ink], shown[ground]),
            `${ink} on ${ground}, ${color}`,
          ).toBeGreaterThanOrEqual(4.5);
        for (const ink of ['text', 'strong', 'muted', 'primary-text'])
          expect(
            contrastOf(shown[ink], headOf(shown, mode)),
            `${ink} on head, ${color}`,
          ).toBeGreaterThanOrEqual(4.5);
        // Buttons have enough contrast with the page.
        expect(contrastOf(shown['primary'], shown['page'])).toBeGreaterThanOrEqual(3);
        expect('glow' in shown).toBe(theme === 'gradient');
      }
    },
  );

  it.each(modes)('is readable in table headers if no hint has a stronger color, in %s mode', (mode) => {
    const hint = { light: '#ffffff', dark: '#000000' };
    const hints = { infoColor: hint, successColor: hint, warningColor: hint, dangerColor: hint };
    for (let gray = 0x40; gray < 0xc0; gray++) {
      const primaryColor = both(`#${gray.toString(16).repeat(3)}`);
      const shown = pageVariables(settings({ ...hints, primaryColor }), mode);
      expect(
        contrastOf(shown['primary-text'], headOf(shown, mode)),
        primaryColor[mode],
      ).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(modes)('is readable for colors of authors, also on colored backgrounds, in %s mode', (mode) => {
    for (const color of ['#ffff00', '#777777', '#ff8800', '#1d5fc4']) {
      const kinds = ['info', 'success', 'warning', 'danger'];
      const own = Object.fromEntries(kinds.map((kind) => [`${kind}Color`, both(color)]));
      for (const theme of [settings(own), settings({ ...own, infoColor: both('#00ffff') })]) {
        const shown = pageVariables(theme, mode);
        const yellow = mode === 'light' ? '#fdf1b3' : '#332c0a';
        for (const ink of kinds)
          for (const ground of [yellow, ...pick(shown, 'page info-tint success-tint danger-tint')])
            expect(contrastOf(shown[ink], ground), `${ink}, ${color}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it.each(Object.keys(codeThemes))('is readable for code in %s', (name) => {
    const shown = codeVariables(name, 'light', true)!;
    for (const [ink, color] of Object.entries(shown))
      if (/^hl-|^strong$|^muted$|^danger$/.test(ink))
        expect(contrastOf(color, shown['code']), ink).toBeGreaterThanOrEqual(4.5);
  });
});

it.each([
  ['light', '#2b3340 #10151d #5a6472'],
  ['dark', '#c6ccd6 #f2f4f8 #98a2b1'],
] as const)('keeps the colors of texts that are readable anyway in %s mode', (mode, expected) => {
  const shown = pageVariables(settings(), mode);
  expect(pick(shown, 'text strong muted').join(' ')).toBe(expected);
  const ofCode = 'hl-comment hl-keyword hl-meta';
  expect(pick(shown, ofCode)).toEqual(pick(codeVariables(`default-${mode}`, mode, true), ofCode));
});

it('fills buttons and tints hints with shares of their colors', () => {
  const names = 'primary on-primary primary-tint info-tint';
  const primaryColor = { light: '#0000ff', dark: '#8080ff' };
  expect(pick(pageVariables(settings({ primaryColor }), 'light'), names)).toEqual([
    '#0000ff',
    '#ffffff',
    '#e6e6ff',
    '#f4f4f4',
  ]);
  expect(pick(pageVariables(settings({ primaryColor }), 'dark'), names)).toEqual([
    '#8080ff',
    '#000000',
    '#262948',
    '#1e2127',
  ]);
});

it('gives code its own colors if its theme differs from the page', () => {
  expect(codeVariables('default-light', 'light')).toBeUndefined();
  expect(codeVariables('default-light', 'dark')).toBeDefined();
  expect(codeVariables('default-dark', 'dark')).toBeUndefined();
  expect(codeVariables('default-light', 'light', true)).toMatchObject({
    code: '#f4f5f8',
    strong: '#10151d',
    'hl-comment': '#5f6b7a',
    'hl-meta': '#50596a',
    edge: '#cdced0',
  });
  expect(codeVariables('dracula', 'light')).toMatchObject({ code: '#282a36', edge: '#101116' });
});

describe('the header', () => {
  const header = (preset: ThemeSettings['header']['preset'], more: object = {}, theme: object = {}) =>
    pick(
      headerVariables(
        settings({ primaryColor: both('#0000ff'), header: { preset, ...more }, ...theme }),
        'light',
      ),
      'page text',
    );
  it.each<[string, (string | undefined)[], (string | undefined)[]]>([
    ['looks like the page by default', header('default'), [undefined, undefined]],
    [
      'looks like the page with the preset none',
      header('none', {}, { theme: 'bold' }),
      [undefined, undefined],
    ],
    ['has the primary color', header('bold'), ['#0000ff', '#ffffff']],
    [
      'has the primary color with the bold theme',
      header('default', {}, { theme: 'bold' }),
      ['#0000ff', '#ffffff'],
    ],
    [
      'has the primary color even if the color of the page is similar',
      header('bold', {}, { primaryColor: both('#ffcc00') }),
      ['#ffcc00', '#000000'],
    ],
    ['has the reversed colors of the page', header('contrast'), ['#10151d', '#ffffff']],
    [
      'has custom colors',
      header('custom', { backgroundColor: both('#ffff00'), linkColor: both('#000000') }),
      ['#ffff00', '#000000'],
    ],
    ['has the colors of the page where no custom color is set', header('custom'), ['#ffffff', '#10151d']],
  ])('%s', (_name, shown, expected) => {
    expect(shown).toEqual(expected);
  });
});
