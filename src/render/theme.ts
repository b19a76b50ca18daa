import { codeVariables, headerVariables, pageVariables, type Mode, type Variables } from './theme-colors.ts';
import type { ThemeSettings } from './theme-settings.ts';
import { shapeRules } from './theme-shapes.ts';

const corners = { straight: 0, rounded: 8, circular: 16 };
const serif = new Set(['RobotoSlab', 'Merriweather', 'IBMPlexSerif']);

/**
 * Writes the styles of one site: variables that site.css uses, and rules of the chosen shapes. A color that could not be read
 * where it is used for text becomes darker or lighter there.
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
    // What opens over the page looks like the page.
    headerVariables(settings, 'light') === undefined
      ? ''
      : rules('.site-header :is(.picker ul,.found)', (mode) => pageVariables(settings, mode)),
    rules('.code', (mode) => codeVariables(settings.codeTheme.default[mode], mode)),
    rules('.operation .code', (mode) => openapiCode(settings, mode)),
    shapeRules(settings),
  ].join('');
}

/** The colors of code in operations, where they are not those of other code. */
function openapiCode({ codeTheme }: ThemeSettings, mode: Mode): Variables | undefined {
  if (codeTheme.openapi[mode] === codeTheme.default[mode]) return undefined;
  return codeVariables(codeTheme.openapi[mode], mode, true);
}

function block(selector: string, variables: Variables | undefined): string {
  if (variables === undefined) return '';
  const text = Object.entries(variables).map(([name, value]) => `--${name}:${value};`);
  return `${selector}{${text.join('')}}`;
}

/** Rules for the dark theme: chosen by the reader, or that of the system. Paper is white. */
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

/** The name of a font as it is installed: "Source Sans Pro". */
function spaced(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/(Mono|Sans|Serif)([A-Z])/g, '$1 $2');
}
