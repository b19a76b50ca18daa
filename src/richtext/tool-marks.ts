import { idInBraces } from './plain-text.ts';
import { convertTemplates } from './templates.ts';

const attribute = String.raw`(?:[.#][\w-]+|[\w-]+=(?:"[^"\n{}]*"|'[^'\n{}]*'|[\w./%#-]+))`;
const list = String.raw`\{:?[ \t]*${attribute}(?:[ \t]+${attribute})*[ \t]*\}`;
const icon = String.raw`:(?:octicons|material|fontawesome|simple)-[\w-]+:`;
const icons = new RegExp(`${icon}(?:${list})?[ \\t]*`, 'g');
/** Attributes directly behind a link or an image, or classes and ids directly behind other inline content. */
const behindInline = new RegExp(String.raw`(?:(?<=\))|(?<=[\]*>])(?=\{:?[ \t]*[.#]))${list}`, 'g');
const behindCode = new RegExp(`^${list}`);
const behindHeading = new RegExp(String.raw`[ \t]${list}[ \t]*$`);
const alone = new RegExp(
  String.raw`^(?!\s+\{\w)\s*(?:(?:\[\]\(\))?${list}|\{:toc\}|\{\/\*.*\*\/\}|\*\[[^\]\n]{1,200}\]:\s[^*\n]*|\[(?:\[?_?)toc(?:_?\]?)\])\s*$`,
  'i',
);
/** A target of links in MyST: `(id)=`. */
const target = /^\s*\(([\w/.:-]+)\)=\s*$/;
/** The id in a line of attributes. */
const idInAttributes = /[\s{:](?:#|id=["']?)([\w./:-]+)/;
const moduleImports = /^(?:import\s[^'"]+\sfrom\s*(['"])[^'"]+\1(?:;\s*|\s*$))+$/;
const htmlBlock = /^\s*<\/?(?:p|div|table|t[rhd]|thead|tbody|[uod]l|li|d[td]|figure|center|h[1-6])\b/i;
const codeSpan = /((?<!`)(?:`[^`]+`|``(?:[^`]|`(?!`))+``)(?!`))/;

/** Matches texts that may contain marks that `withoutToolMarks` removes. */
export const mayHaveToolMarks = new RegExp(
  String.raw`\{:?[ \t]*[.#\w/]|${icon}|\[_?toc_?\]|^import\s|^\*\[|\)=[ \t]*\r?$`,
  'im',
);

/** Removes the icons of Material for MkDocs, which are not supported. */
export function withoutIcons(text: string): string {
  return text.replace(icons, '');
}

/**
 * Removes from a line of text what other tools do not show: attributes such as `{: .wide }` and `{ .wide }` (but not ids of
 * headings), placeholders for a table of contents (`[[toc]]`, `{:toc}`), abbreviations (`*[HTML]: …`), imports and comments of
 * MDX, and icons. Templates become text. A line with only an id becomes an anchor. `isFirst` says whether the line starts a
 * paragraph.
 */
export function withoutToolMarks(line: string, isFirst: boolean): string {
  if (!/[{[:]|^import\s|\)=\s*$/.test(line)) return line;
  const isAlone = alone.test(line);
  const hasAttributes = isAlone && !line.includes('{/*');
  const [, id] =
    (line.includes(')=') ? target : hasAttributes ? idInAttributes : undefined)?.exec(line) ?? [];
  if (id !== undefined) return `${line.slice(0, line.search(/\S/))}<a id="${id}"></a>`;
  if (isAlone || (isFirst && moduleImports.test(line))) return '';
  const isHtml = htmlBlock.test(line);
  const isHeading = /^#{1,6}[ \t]/.test(line);
  const text = isHeading && !idInBraces.test(line) ? line.replace(behindHeading, '') : line;
  const parts = text.split(codeSpan).map((part, at) => {
    if (at % 2 === 1) return part;
    const shown = convertTemplates(withoutIcons(part), isHtml);
    if (isHeading) return shown;
    return (at === 0 ? shown : shown.replace(behindCode, '')).replace(behindInline, '');
  });
  return parts.join('');
}
