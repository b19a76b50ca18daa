import type { Settings } from './declarations.ts';

const codeTheme = { light: 'default-light', dark: 'default-dark' };

/** The default settings of a site: plain, and without the features that docsctl does not have. */
export const defaultSettings: Settings = {
  styling: {
    theme: 'clean',
    primaryColor: { light: '#346ddb', dark: '#346ddb' },
    infoColor: { light: '#1d5fc4', dark: '#8fb6ff' },
    successColor: { light: '#17693c', dark: '#7ad29b' },
    warningColor: { light: '#8a4b00', dark: '#f0b968' },
    dangerColor: { light: '#b3261e', dark: '#ff9b92' },
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
  pageActions: { externalAI: false, markdown: true, mcp: false },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: false },
  privacyPolicy: {},
  socialPreview: {},
  socialAccounts: [],
  insights: { trackingCookie: false },
};
