import { codeVariables, headerVariables, pageVariables, type Mode, type Variables } from './theme-colors.ts';
import type { ThemeSettings } from './theme-settings.ts';
import { shapeRules } from './theme-shapes.ts';

const corners = { straight: 0, rounded: 8, circular: 16 };
const serif = new Set(['RobotoSlab', 'Merriweather', 'IBMPlexSerif']);

/**
 * Returns the styles of one site: variables for site.css, and rules for the chosen shapes. If a color is not readable as text, it
 * is made darker or lighter for texts.
 */
export function themeStyles(settings: ThemeSettings): string {
  const { font, headingFont = font, monospaceFont } = settings;
  const rules = (selector: string, variables: (mode: Mode) => Variables | undefined): string => {
    const [light, dark] = [block(selector, variables('light')), block(selector, variables('dark'))];
    return [light && `@media screen{${light}}`, inDark(dark)].join('');
  };
  const inside = block(':root', pageVariables(settings, 'light'));
  return [
    `:root{--corner:${corners[settings.corners]}px;--font:${familyOf(font)};--heading-font:${familyOf(headingFont)};`,
    `--mono:"${spaced(monospaceFont)}",ui-monospace,Menlo,Consolas,monospace}`,
    inside,
    inDark(block(':root', pageVariables(settings, 'dark'))),
    rules('.site-header', (mode) => headerVariables(settings, mode)),
    // Menus and dialogs over the page have the colors of the page.
    headerVariables(settings, 'light') === undefined
      ? ''
      : rules('.site-header :is(.picker ul,.found)', (mode) => pageVariables(settings, mode)),
    rules('.code', (mode) => codeVariables(settings.codeTheme.default[mode], mode)),
    rules('.operation .code', (mode) => openapiCode(settings, mode)),
    shapeRules(settings),
  ].join('');
}

/** Returns the code colors in operations, if they differ from other code. */
function openapiCode({ codeTheme }: ThemeSettings, mode: Mode): Variables | undefined {
  if (codeTheme.openapi[mode] === codeTheme.default[mode]) return undefined;
  return codeVariables(codeTheme.openapi[mode], mode, true);
}

function block(selector: string, variables: Variables | undefined): string {
  if (variables === undefined) return '';
  const text = Object.entries(variables).map(([name, value]) => `--${name}:${value};`);
  return `${selector}{${text.join('')}}`;
}

/** Returns a rule for dark mode, chosen by the reader or by the system. It does not apply to print. */
function inDark(rule: string): string {
  if (rule === '') return '';
  const under = (theme: string): string =>
    rule.replace(/^:root\{|^/, (root) => `:root[data-theme=${theme}]${root === '' ? ' ' : '{'}`);
  return `@media screen{${under('dark')}}@media screen and (prefers-color-scheme:dark){${under('auto')}}`;
}

function familyOf(font: string): string {
  const fallback = serif.has(font)
    ? 'ui-serif,Georgia,serif'
    : '-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",system-ui,sans-serif';
  return `"${spaced(font)}",${fallback}`;
}

/** Returns the installed name of a font: "Source Sans Pro". */
function spaced(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/(Mono|Sans|Serif)([A-Z])/g, '$1 $2');
}
