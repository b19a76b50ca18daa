import {
  closed,
  Id,
  nonBlank,
  nullable,
  oneOf,
  optional,
  Type,
  WebUrl,
  type Static,
  type TSchema,
} from '../../contract/schema.ts';
import { languages } from '../../contract/shapes.ts';
import { conditionOf } from '../site-spaces/contract.ts';

const Color = Type.String({ pattern: '^#(?:[0-9a-fA-F]{3}){1,2}$' });
const themed = (value: TSchema) =>
  Type.Unsafe<{ light: string; dark: string }>(
    closed(
      {
        light: { ...value, description: 'value for the light theme' },
        dark: { ...value, description: 'value for the dark theme' },
      },
      { description: 'colors of code in the light and in the dark theme' },
    ),
  );
const colors = (description: string) =>
  Type.Unsafe<{ light: string; dark: string }>(
    closed(
      {
        light: { ...Color, description: 'color in the light theme, such as #346ddb' },
        dark: { ...Color, description: 'color in the dark theme, such as #8ab4f8' },
      },
      { description },
    ),
  );
/** An image: its address, or a file of a space, which the site itself serves to visitors. */
const ImageSource = Type.Union(
  [
    WebUrl,
    closed({
      kind: Type.Literal('file', { description: 'file: an image among the files of a space' }),
      space: { ...Id, description: 'space of the site that has the file' },
      file: { ...Id, description: 'file of the space' },
    }),
  ],
  { description: 'address of the image, or a file of a space of the site' },
);
const Image = closed(
  {
    light: { ...ImageSource, description: 'image in the light theme: an address, or a file of a space' },
    dark: { ...ImageSource, description: 'image in the dark theme: an address, or a file of a space' },
  },
  { description: 'an image for the light and for the dark theme' },
);
const localized = (maxLength: number, what = 'title') =>
  Type.Record(Type.String({ pattern: `^(${languages.join('|')})$` }), Type.String({ maxLength }), {
    additionalProperties: false,
    description: `the ${what} in other languages, by language code`,
  });
const onOff = (description: string) => closed({ enabled: Type.Boolean({ description }) }, { description });
const codeThemes =
  'default-light default-dark monochrome-light monochrome-dark andromeeda aurora-x ayu-dark catppuccin-frappe catppuccin-latte catppuccin-macchiato catppuccin-mocha dark-plus dracula dracula-soft everforest-dark everforest-light github-dark github-dark-default github-dark-dimmed github-dark-high-contrast github-light github-light-default github-light-high-contrast gruvbox-dark-hard gruvbox-dark-medium gruvbox-dark-soft gruvbox-light-hard gruvbox-light-medium gruvbox-light-soft houston kanagawa-dragon kanagawa-lotus kanagawa-wave laserwave light-plus material-theme material-theme-darker material-theme-lighter material-theme-ocean material-theme-palenight min-dark min-light monokai night-owl nord one-dark-pro one-light plastic poimandres red rose-pine rose-pine-dawn rose-pine-moon slack-dark slack-ochin snazzy-light solarized-dark solarized-light synthwave-84 tokyo-night vesper vitesse-black vitesse-dark vitesse-light'.split(
    ' ',
  );
const CodeTheme = themed(oneOf(codeThemes));
const Font = oneOf(
  [
    'ABCFavorit',
    'Inter',
    'Roboto',
    'RobotoSlab',
    'OpenSans',
    'SourceSansPro',
    'Lato',
    'Ubuntu',
    'Raleway',
    'Merriweather',
    'Overpass',
    'NotoSans',
    'IBMPlexSerif',
    'Poppins',
    'FiraSans',
  ],
  { description: 'font of texts' },
);
const MonospaceFont = oneOf(
  [
    'FiraCode',
    'IBMPlexMono',
    'JetBrainsMono',
    'SourceCodePro',
    'RobotoMono',
    'SpaceMono',
    'DMMono',
    'Inconsolata',
  ],
  { description: 'font of code' },
);

const targetKinds = 'url, space or page: what the link leads to';
const Space = { ...Id, description: 'space that the link leads to' };
const Page = { ...Id, description: 'page that the link leads to' };

/** The target of a link in a customization: a URL, a space, or a page of a space. */
const LinkTarget = Type.Union(
  [
    closed({ kind: Type.Literal('url', { description: targetKinds }), url: WebUrl }),
    closed({ kind: Type.Literal('space', { description: targetKinds }), space: Space }),
    closed({ kind: Type.Literal('page', { description: targetKinds }), space: Space, page: Page }),
  ],
  { description: 'where the link leads: a URL, a space, or a page of a space' },
);
const Link = closed({
  title: nonBlank({ maxLength: 64, description: 'text of the link' }),
  localizedTitle: Type.Optional(localized(64)),
  to: LinkTarget,
});
const Links = Type.Array(Link, { maxItems: 50, description: 'links of the menu or group, in their order' });
const HeaderItem = closed({
  title: nonBlank({ maxLength: 128, description: 'text of the item' }),
  localizedTitle: Type.Optional(localized(128)),
  style: Type.Optional(
    oneOf(['link', 'button-primary', 'button-secondary'], { description: 'how the item is drawn' }),
  ),
  to: nullable(LinkTarget, { description: 'where the item leads; null for a menu of links' }),
  links: Links,
  condition: Type.Optional(conditionOf('link')),
});
const FooterGroup = closed({
  title: Type.String({ maxLength: 128, description: 'heading of the group' }),
  localizedTitle: Type.Optional(localized(128)),
  links: Links,
});
const SocialAccount = closed({
  platform: Type.String({ minLength: 1, maxLength: 50, description: 'name of the service, such as github' }),
  handle: Type.String({ minLength: 1, maxLength: 128, description: 'name of the account at this service' }),
  display: closed(
    {
      footer: Type.Boolean({ description: 'whether the footer links to the account' }),
      header: Type.Boolean({ description: 'whether the header links to the account' }),
    },
    { description: 'where the site links to the account' },
  ),
});

/** The settings that are chosen individually, in their groups. */
export const groups = {
  styling: closed(
    {
      theme: oneOf(['clean', 'muted', 'bold', 'gradient'], { description: 'overall look' }),
      primaryColor: colors('color of links, buttons and the current page'),
      tint: Type.Optional(
        closed({ color: colors('color of the tint') }, { description: 'color that tints backgrounds' }),
      ),
      infoColor: colors('color of hints and announcements of the style info'),
      successColor: colors('color of hints and announcements of the style success'),
      warningColor: colors('color of hints and announcements of the style warning'),
      dangerColor: colors('color of hints and announcements of the style danger'),
      corners: oneOf(['straight', 'rounded', 'circular'], { description: 'corners of boxes and buttons' }),
      depth: oneOf(['subtle', 'flat'], { description: 'whether boxes have shadows' }),
      links: oneOf(['default', 'accent'], { description: 'how links in text are drawn' }),
      font: Font,
      headingFont: Type.Optional({ ...Font, description: 'font of headings' }),
      monospaceFont: MonospaceFont,
      background: oneOf(['plain', 'match'], {
        description:
          'match: the background of pages has a trace of the tint color or, without a tint, of the primary color; plain: it has neither',
      }),
      icons: oneOf(['regular', 'solid', 'duotone', 'light', 'thin'], { description: 'style of icons' }),
      codeTheme: closed(
        {
          default: { ...CodeTheme, description: 'colors of code blocks, in the light and in the dark theme' },
          openapi: {
            ...CodeTheme,
            description: 'colors of code in the operations of an API, in the light and in the dark theme',
          },
        },
        { description: 'colors of code' },
      ),
      sidebar: closed(
        {
          background: oneOf(['default', 'filled'], { description: 'background of the sidebar' }),
          list: oneOf(['default', 'pill', 'line'], { description: 'how the current page is marked' }),
        },
        { description: 'table of contents beside the pages' },
      ),
      search: oneOf(['prominent', 'subtle'], { description: 'size of the search field' }),
    },
    { description: 'theme, colors and other styles' },
  ),
  internationalization: closed(
    {
      locale: oneOf(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'], {
        description: 'code of the language',
      }),
    },
    { description: 'language of buttons, menus and other text around the content' },
  ),
  header: closed(
    {
      preset: oneOf(['default', 'bold', 'contrast', 'custom', 'none'], {
        description: 'colors of the header; none: no header',
      }),
      ...optional({
        logo: Image,
        primaryLink: { ...LinkTarget, description: 'where the logo leads' },
        backgroundColor: colors('background of a custom header'),
        linkColor: colors('color of links in a custom header'),
      }),
      links: Type.Array(HeaderItem, { maxItems: 50, description: 'links and menus, in their order' }),
    },
    { description: 'logo and links at the top of each page' },
  ),
  footer: closed(
    {
      logo: Type.Optional(Image),
      groups: Type.Array(FooterGroup, { maxItems: 20, description: 'groups of links, in their order' }),
      copyright: Type.Optional(Type.String({ maxLength: 512, description: 'line about the copyright' })),
    },
    { description: 'logo, links and copyright at the bottom of each page' },
  ),
  themes: closed(
    {
      default: oneOf(['light', 'dark', 'system'], { description: 'theme at the first visit' }),
      toggeable: Type.Boolean({ description: 'whether readers can switch the theme' }),
    },
    { description: 'light or dark theme, and whether readers can switch' },
  ),
  pdf: onOff('whether pages can be downloaded as PDF'),
  feedback: onOff('whether pages ask for feedback'),
  ai: closed(
    {
      mode: oneOf(['none', 'search', 'assistant'], {
        description:
          'search and assistant: the search page suggests questions before a reader searches; none: it suggests none',
      }),
      ...optional({
        greeting: Type.String({
          maxLength: 256,
          description: 'text on the search page if the mode is assistant',
        }),
        suggestions: Type.Array(Type.String({ minLength: 3, maxLength: 64 }), {
          maxItems: 5,
          description: 'questions that the search page suggests',
        }),
        instructions: Type.String({
          maxLength: 10_000,
          description: 'value that docsctl stores but does not use: sites have no assistant',
        }),
      }),
    },
    {
      description:
        'greeting and suggested questions of the search page; only administrators see `instructions`, which sites do not use',
    },
  ),
  advancedCustomization: onOff(
    'value that site spaces return as `hasAdvancedCustomizationFeature`; pages do not use it',
  ),
  git: closed(
    { showEditLink: Type.Boolean({ description: 'whether pages link to their file in Git' }) },
    { description: 'link to the file of a page in Git' },
  ),
  pageActions: closed(
    {
      externalAI: Type.Boolean({ description: 'whether the menu can open the page in ChatGPT and Claude' }),
      markdown: Type.Boolean({ description: 'whether the menu can open and copy the Markdown of the page' }),
      mcp: Type.Boolean({ description: 'whether the menu can copy the MCP address of the site' }),
    },
    { description: 'entries in the menu of a page' },
  ),
  externalLinks: closed(
    { target: oneOf(['self', 'blank'], { description: 'blank: in a new tab' }) },
    { description: 'whether links to other sites open in a new tab' },
  ),
  pagination: onOff('whether pages link to the previous and next page'),
  trademark: onOff('whether pages say "Published with docsctl"'),
  privacyPolicy: closed(
    { url: Type.Optional({ ...WebUrl, description: 'address of the page' }) },
    { description: 'page with the privacy policy' },
  ),
  socialPreview: closed(
    { url: Type.Optional({ ...ImageSource, description: 'address of the image, or a file of a space' }) },
    { description: 'image that other services show with a link to the site' },
  ),
  insights: closed(
    {
      trackingCookie: Type.Boolean({
        description: 'value that docsctl stores but does not use: sites set no tracking cookie',
      }),
    },
    { description: 'value that docsctl stores but does not use' },
  ),
};
const values = {
  title: Type.Optional(
    nonBlank({
      minLength: 2,
      maxLength: 128,
      description: 'title that readers see instead of the title of the site',
    }),
  ),
  localizedTitle: Type.Optional(localized(128)),
  favicon: Type.Union(
    [
      closed({ icon: Image }),
      closed({
        emoji: Type.String({ minLength: 1, maxLength: 50, format: 'emoji', description: 'emoji as icon' }),
      }),
      closed({}),
    ],
    { description: 'icon of the browser tab: images or an emoji; {} for none' },
  ),
  announcement: Type.Optional(
    closed(
      {
        enabled: Type.Boolean({ description: 'whether the message is shown' }),
        message: Type.String({ minLength: 2, maxLength: 128, description: 'text of the message' }),
        localizedMessage: Type.Optional(localized(128, 'message')),
        link: Type.Optional({ ...Link, description: 'link after the message' }),
        style: oneOf(['info', 'warning', 'danger', 'success'], { description: 'color of the message' }),
      },
      { description: 'message at the top of all pages' },
    ),
  ),
  socialAccounts: Type.Array(SocialAccount, {
    maxItems: 10,
    description: 'accounts that the header or footer links to',
  }),
};

/** All settings of a customization. */
export const Settings = closed({ ...values, ...groups });
export type Settings = Static<typeof Settings>;
