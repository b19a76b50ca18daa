import type { Settings } from './declarations.ts';

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
  themes: { default: 'system', toggeable: true },
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
