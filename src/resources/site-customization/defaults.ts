import type { ChosenSettings, Settings } from './schemas.ts';
import { isGroup } from './schemas.ts';
import { isRecord } from '../../contract/values.ts';

const codeTheme = { light: 'default-light', dark: 'default-dark' };

/** The settings of a site that nobody customized: plain, and without the features that docsctl does not have. */
export const defaultSettings: Settings = {
  styling: {
    theme: 'clean',
    primaryColor: { light: '#346ddb', dark: '#346ddb' },
    infoColor: { light: '#787878', dark: '#787878' },
    successColor: { light: '#1f9e5a', dark: '#1f9e5a' },
    warningColor: { light: '#c98a00', dark: '#c98a00' },
    dangerColor: { light: '#c8332b', dark: '#c8332b' },
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    font: 'Inter',
    monospaceFont: 'IBMPlexMono',
    background: 'plain',
    icons: 'regular',
    codeTheme: { default: codeTheme, openapi: codeTheme },
    sidebar: { background: 'default', list: 'default' },
    search: 'subtle',
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  themes: { default: 'light', toggeable: true },
  pdf: { enabled: false },
  feedback: { enabled: false },
  ai: { mode: 'none' },
  advancedCustomization: { enabled: false },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: false, mcp: false },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: false },
  privacyPolicy: {},
  socialPreview: {},
  socialAccounts: [],
  insights: { trackingCookie: false },
};

type Fields = Readonly<Record<string, unknown>>;

/** Returns settings with others in their place. A null in the others removes a setting, and takes away nothing else. */
export function mergeSettings(base: Fields, over: Fields, prefix = ''): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name];
    if (value === null) delete merged[name];
    else if (value !== undefined)
      merged[name] =
        isGroup(prefix + name) && isRecord(value)
          ? mergeSettings(isRecord(before) ? before : {}, value, `${prefix}${name}.`)
          : value;
  }
  return merged;
}

/** Returns the settings in effect: the defaults, with the chosen ones of a site, and of a site space, in their place. */
export function effectiveSettings(...chosen: readonly (ChosenSettings | undefined)[]): Settings {
  let settings: Fields = defaultSettings;
  for (const one of chosen) if (one !== undefined) settings = mergeSettings(settings, one);
  return settings as Settings;
}

/** Returns only the settings that are not as the defaults; groups without any are left out. */
export function withoutDefaults(settings: Fields): ChosenSettings {
  return settingsApartFrom(defaultSettings, settings);
}

/** Returns only the settings that are not as those of a base; nulls, and groups without any, are left out. */
export function settingsApartFrom(base: Fields, settings: Fields, prefix = ''): Record<string, unknown> {
  const chosen: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined || value === null) continue;
    const usual = base[name];
    if (isGroup(prefix + name) && isRecord(value)) {
      const inner = settingsApartFrom(isRecord(usual) ? usual : {}, value, `${prefix}${name}.`);
      if (Object.keys(inner).length > 0) chosen[name] = inner;
    } else if (!isSameJson(value, usual)) chosen[name] = value;
  }
  return chosen;
}

function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index]));
  if (isRecord(one) && isRecord(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length && names.every((name) => isSameJson(one[name], other[name]))
    );
  }
  return one === other;
}
