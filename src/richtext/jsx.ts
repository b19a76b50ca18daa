import { LineScanner } from './line-scanner.ts';
import { writeTag } from './tags.ts';

const expression = String.raw`\{(?:[^{}]|\{[^{}]{0,1000}\}){0,1000}\}`;
const value = String.raw`"[^"]{0,2000}"|'[^']{0,2000}'|${expression}`;
/** Matches inline code, a tag of HTML or of Docusaurus with its attributes, which may be expressions, or the end of a link. */
const pattern = new RegExp(
  [
    '(?<!`)(?<ticks>`{1,9})(?!`)(?:[^\\n]|\\n(?!\\s*?[\\n>#|+*\\d-])){0,1000}?(?<!`)\\k<ticks>(?!`)',
    String.raw`<(?<name>[a-z][a-z\d]{0,15}|Link|Image)(?<given>(?:\s+[\w:-]{1,64}(?:=(?:${value}))?){1,64})\s*(?<end>\/?>)`,
    '<\\/Link>',
  ].join('|'),
  'g',
);
const attribute = new RegExp(String.raw`(\s+)([\w:-]+)(?:=(?:(${expression})|("[^"]*"|'[^']*')))?`, 'g');
const frame =
  /^([ \t]*(?:<(?:div|p|center|figure)\b[^<>]{0,500}>\s{0,100})?)<iframe\s([^<>]{1,2000})>(?:\s{0,100}<\/iframe>)?/gm;
const literal = /^\{\s*(?:(["'`])((?:(?!\1)[^$])*)\1|(\d+))\s*\}$/;
/** The address of a file, as code of Docusaurus or VitePress. */
const address = /^\{\s*(?:require|useBaseUrl|withBase)\(\s*(["'`])([^"'`]*)\1\s*\)(?:\.default)?\s*\}$/;
const moduleImport = /^import\s+(\w+)\s+from\s+(["'])([^"'\n]+)\2/gm;
const style = /\b(width|textAlign|justifyContent)\s*:\s*(?:(["'`])([^"'`]*)\2|(\d+))/g;
const elements: Readonly<Record<string, string>> = { Link: 'a', Image: 'img' };
const htmlNames: Readonly<Record<string, string>> = { to: 'href', img: 'src', className: 'class' };

/**
 * Converts tags of MDX whose attributes are expressions to HTML, such as `<img src={require('./a.png')} style={{ width: '80%' }} />`,
 * and links and images of Docusaurus. Expressions that only JavaScript can evaluate are left out. An `<iframe>` that begins a line
 * becomes embedded content. With `keepLines`, the number of lines does not change.
 */
export function convertJsx(text: string, keepLines = false): string {
  // Most texts contain none of these, and looking for them is much faster than matching the pattern.
  if (!(text.includes('={') || text.includes('<iframe') || text.includes('</Link>'))) return text;
  const files = new Map([...text.matchAll(moduleImport)].map(([, name = '', , path = '']) => [name, path]));
  const convert = (part: string): string =>
    part
      .replace(pattern, (...found) => {
        const [whole] = found as [string];
        const { name, given = '', end = '' } = found.at(-1) as Record<string, string | undefined>;
        if (name === undefined) return whole.startsWith('`') ? whole : '</a>';
        if (!given.includes('={') && elements[name] === undefined) return whole;
        const tag = `<${elements[name] ?? name}${attributesOf(name, given, files)}${end === '/>' ? ' />' : '>'}`;
        return keepLines ? tag + '\n'.repeat(linesIn(whole) - linesIn(tag)) : tag;
      })
      .replace(frame, (whole, before: string, attributes: string) => {
        const [, , src = ''] = /\bsrc=(["'])((?:https?:)?\/\/[^"']+)\1/.exec(` ${attributes}`) ?? [];
        if (keepLines || src === '') return whole;
        const indent = ' '.repeat(before.search(/\S|$/));
        const embed = writeTag('embed', { url: src.replace(/^\/\//, 'https://').replaceAll('&amp;', '&') });
        return `${before.trimEnd()}\n\n${indent}${embed}\n\n${indent}`;
      });
  let [converted, start, wasCode] = ['', 0, false];
  const endPart = (at: number): void => {
    converted += wasCode ? text.slice(start, at) : convert(text.slice(start, at));
    start = at;
  };
  for (const lines = new LineScanner(text); lines.next();) {
    const isCode = lines.isFenced || lines.kind === 'indented';
    if (isCode !== wasCode) endPart(lines.start);
    wasCode = isCode;
  }
  endPart(text.length);
  return converted;
}

function linesIn(text: string): number {
  return text.split('\n').length;
}

/** Returns the attributes in HTML, with the whitespace in front of them. */
function attributesOf(name: string, given: string, files: ReadonlyMap<string, string>): string {
  let written = '';
  for (const [, space = '', key = '', code, quoted] of given.matchAll(attribute)) {
    if (code !== undefined && key === 'style') written += styleOf(name, given, code);
    else if (code === undefined)
      written += `${space}${htmlNames[key] ?? key}${quoted === undefined ? '' : `=${quoted}`}`;
    else {
      const text = textOf(code, files);
      if (text !== undefined) written += `${space}${htmlNames[key] ?? key}="${text}"`;
    }
  }
  return written;
}

/** Returns the text of an expression; undefined if only JavaScript can evaluate it. */
function textOf(code: string, files: ReadonlyMap<string, string>): string | undefined {
  const [, , text, number] = literal.exec(code) ?? [];
  const [, , path = files.get(code.slice(1, -1).trim())] = address.exec(code) ?? [];
  return (text ?? number ?? (path === undefined ? undefined : fileOf(path, code)))?.replaceAll('"', '&quot;');
}

/** Returns the address of a file. Docusaurus serves the files in `static` from the root. */
function fileOf(path: string, code: string): string {
  const found = path.replace(/^@site(?:\/static)?(?=\/)/, '');
  return code.includes('useBaseUrl') && /^[\w-]/.test(found) && !/^\w+:/.test(found) ? `/${found}` : found;
}

/** Returns the attributes for the styles that blocks have: the width of an image, and the alignment of a block. */
function styleOf(name: string, given: string, code: string): string {
  const styles = new Map(
    [...code.matchAll(style)].map(([, key = '', , text, number]) => [key, text ?? number ?? '']),
  );
  const width = styles.get('width') ?? '';
  if (name === 'img' || name === 'Image')
    return /^\d+(?:px|%)?$/.test(width) && !/\swidth=/.test(given)
      ? ` width="${width.replace('px', '')}"`
      : '';
  const align = styles.get('textAlign') ?? styles.get('justifyContent') ?? '';
  return /^(?:div|p|h[1-6])$/.test(name) && /^(?:left|center|right)$/.test(align) ? ` align="${align}"` : '';
}
