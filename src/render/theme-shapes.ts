import type { ThemeSettings } from './theme-settings.ts';

/** Returns the CSS rules for settings that are not colors. They come after site.css, which contains the rules of all sites. */
export function shapeRules(settings: ThemeSettings): string {
  const { theme, depth, links, icons, sidebar, search, header } = settings;
  return [
    themes[theme],
    depth === 'flat' ? flat : '',
    links === 'accent' ? accentLinks : '',
    iconStyles[icons],
    sidebar.background === 'filled' ? filledSidebar : '',
    sidebarLists[sidebar.list],
    search === 'prominent' ? prominentSearch : '',
    header.preset === 'none' ? noHeader : '',
  ].join('');
}

const themes = {
  clean: '',
  muted:
    '.site-header{border-bottom-color:transparent}.hint,.tabs,.card,.content-ref{border-color:transparent}.card,.content-ref{background:var(--raised)}',
  bold: '.sidebar a[aria-current],.step::before,.operation-head .method{background:var(--primary);color:var(--on-primary)}.sidebar a[aria-current] .icon{color:inherit}h1{font-weight:800}.hint{border-inline-start:4px solid var(--info)}.hint-success{border-inline-start-color:var(--success)}.hint-warning{border-inline-start-color:var(--warning)}.hint-danger{border-inline-start-color:var(--danger)}',
  gradient:
    '@media screen{body{background:linear-gradient(var(--glow),var(--page) 560px) no-repeat,var(--page)}.site-header:not(:has(.menu[open])){background:color-mix(in srgb,var(--page) 55%,var(--glow));border-bottom-color:transparent}.announcement{background:var(--page)}.sidebar a[aria-current]{background:var(--page);box-shadow:0 0 0 1px var(--line)}}',
};

const flat =
  ':root{--shadow:none;--lift:none}.picker ul,.found,.note,.consent{border-color:var(--line-strong)!important}';

const accentLinks =
  '.content a:not([class]),.content a.external:not(.content-ref){color:var(--strong);text-decoration-color:var(--primary);text-decoration-thickness:2px}';

const outline = (width: number, rest = 'fill:none') =>
  `.icon:not(.social .icon) path{${rest};stroke:currentColor;stroke-width:${width};stroke-linejoin:round}.icon{overflow:visible}`;
/** The icons are filled shapes. Other styles are created with their outlines. */
const iconStyles = {
  regular: '',
  solid: outline(30, 'fill:currentColor'),
  duotone: outline(22, 'fill-opacity:.35'),
  light: outline(34),
  thin: outline(16),
};

const filledSidebar =
  '@media (width>=860px){.layout:not(.layout-plain)>.sidebar{top:calc(var(--header) + 17px);max-height:calc(100vh - var(--header) - 34px);margin-block:16px;padding:14px;background:var(--raised);border-radius:calc(var(--corner)*1.5)}.sidebar a:hover{background:var(--page)}}';

const sidebarLists = {
  default: '',
  pill: '.sidebar a,.sidebar .entry{border-radius:99px}.sidebar a[aria-current]{box-shadow:inset 0 0 0 1px var(--primary)}',
  line: '.sidebar .contents a{border-radius:0;border-inline-start:2px solid var(--line)}.sidebar .contents a[aria-current]{background:none;color:var(--primary-text);border-inline-start-color:var(--primary)}.sidebar .parent>ul{margin-block:0;padding-inline-start:0;border:0}.sidebar .contents a[aria-current] .icon{color:inherit}',
};

const prominentSearch =
  '@media (width>=860px){.header-row .search-form{width:min(520px,42vw);margin-inline:auto}.header-row .search-form input{height:42px;border-color:var(--line-strong);background:var(--page);box-shadow:var(--lift)}.header-row .header-space{display:none}}';

/** The header is kept on pages without a table of contents, and on small screens, where it contains the menu. */
const noHeader =
  '@media (width>=860px){body:not(:has(.layout-plain)) .header-row{display:none}body:not(:has(.layout-plain)):not(:has(.sections)){--header:0px}body:not(:has(.layout-plain)):has(.sections){--header:44px}body:not(:has(.layout-plain)):not(:has(.sections)) .site-header{border:0}}';
