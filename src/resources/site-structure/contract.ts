import { closed, Id, oneOf, Type, Url } from '../../contract/schema.ts';
import { SiteSectionGroup } from '../site-section-groups/contract.ts';
import { SiteSection } from '../site-sections/contract.ts';
import { SiteSpace } from '../site-spaces/contract.ts';

/** The structure of a site, in order: sections and groups, or the spaces of a site that has no sections. */
export const SiteStructure = Type.Union([
  closed({
    type: Type.Literal('sections'),
    structure: Type.Array(Type.Union([SiteSection, SiteSectionGroup])),
  }),
  closed({ type: Type.Literal('siteSpaces'), structure: Type.Array(SiteSpace) }),
]);

/** An item of a structure, as a sort returns it. */
export const SiteStructureItem = Type.Union([SiteSpace, SiteSection, SiteSectionGroup]);

/** Names an item of a structure. */
export const StructurePointer = closed({
  type: oneOf(['site-space', 'site-section', 'site-section-group']),
  id: Id,
});

const Colors = closed({ light: Type.String(), dark: Type.String() });
const Switch = closed({ enabled: Type.Boolean() });
const colorNames = {
  primaryColor: Colors,
  infoColor: Colors,
  successColor: Colors,
  warningColor: Colors,
  dangerColor: Colors,
};

/** The appearance of a published site. docsctl does not store it, so it is the same for every site. */
export const SiteCustomization = closed({
  styling: closed({
    theme: oneOf(['clean', 'muted', 'bold', 'gradient']),
    ...colorNames,
    corners: oneOf(['straight', 'rounded', 'circular']),
    depth: oneOf(['subtle', 'flat']),
    links: oneOf(['default', 'accent']),
    font: Type.String(),
    monospaceFont: Type.String(),
    background: oneOf(['plain', 'match']),
    icons: oneOf(['regular', 'solid', 'duotone', 'light', 'thin']),
    sidebar: closed({ background: oneOf(['default', 'filled']), list: oneOf(['default', 'pill', 'line']) }),
    search: oneOf(['prominent', 'subtle']),
  }),
  internationalization: closed({
    locale: oneOf(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru']),
  }),
  favicon: closed({}),
  header: closed({
    preset: oneOf(['default', 'bold', 'contrast', 'custom', 'none']),
    links: Type.Array(closed({})),
  }),
  footer: closed({ groups: Type.Array(closed({})) }),
  themes: closed({ default: oneOf(['light', 'dark']), toggeable: Type.Boolean() }),
  pdf: Switch,
  feedback: Switch,
  ai: closed({ mode: oneOf(['none', 'search', 'assistant']) }),
  advancedCustomization: Switch,
  git: closed({ showEditLink: Type.Boolean() }),
  pageActions: closed({ externalAI: Type.Boolean(), markdown: Type.Boolean(), mcp: Type.Boolean() }),
  externalLinks: closed({ target: oneOf(['self', 'blank']) }),
  pagination: Switch,
  trademark: Switch,
  privacyPolicy: closed({}),
  socialPreview: closed({}),
  insights: closed({ trackingCookie: Type.Boolean() }),
});

/** A script that an integration adds to a published site. */
export const SiteScript = closed({
  script: Url,
  contentSecurityPolicy: Type.Optional(Type.String()),
  cookies: Type.Boolean(),
});
