import { LineScanner } from './line-scanner.ts';
import { attributesOf, splitTagLine, type Tag } from './tags.ts';

/** Maximum number of lines of a tag. */
const maxTagLines = 500;

/**
 * Replaces tags over several lines, and GitBook's old form of API descriptions, by readable blocks. Fenced code is not changed.
 */
export function readableText(markdown: string): string {
  if (!/\{%[ \t]*(?:@|swagger)/.test(markdown)) return markdown;
  let readable = '';
  let copied = 0;
  const replace = (start: number, end: number, text: string): void => {
    readable += `${markdown.slice(copied, start)}\n${text}\n`;
    copied = end;
  };
  let isDescribed = false;
  for (const lines = new LineScanner(markdown); lines.next();) {
    const { start, end } = lines;
    const content = lines.isFenced ? '' : markdown.slice(start, end).trim();
    const tagEnd =
      /^\{%[ \t]*@/.test(content) && !content.includes('%}') ? endOfTagLines(markdown, end) : undefined;
    if (tagEnd !== undefined) {
      replace(start, tagEnd, diagramOf(markdown.slice(start, tagEnd).trim()));
      while (lines.end < tagEnd - 1 && lines.advance());
      continue;
    }
    const tag = /^\{%[ \t]*(?:end)?swagger/.test(content) ? onlyTag(content) : undefined;
    if (tag?.name === 'swagger' && !tag.isClosing) isDescribed = descriptionAhead(markdown, end);
    const text = tag === undefined || (tag.name === 'swagger' && !isDescribed) ? undefined : describe(tag);
    if (text !== undefined) replace(start, markdown[end] === '\r' ? end + 1 : end, text);
  }
  return readable + markdown.slice(copied);
}

function onlyTag(content: string): Tag | undefined {
  const [tag, ...more] = splitTagLine(content);
  return typeof tag === 'object' && more.length === 0 ? tag : undefined;
}

/** Returns the end of the first following line that ends with `%}`; undefined if there is none. */
function endOfTagLines(text: string, from: number): number | undefined {
  let end = from;
  for (let count = 1; count < maxTagLines && end < text.length; count++) {
    const start = text.indexOf('\n', end) + 1;
    if (start === 0) return undefined;
    const newline = text.indexOf('\n', start);
    end = newline === -1 ? text.length : newline;
    if (text.slice(start, end).trimEnd().endsWith('%}')) return end;
  }
  return undefined;
}

/** Whether the next line, or the line after a blank one, describes a part of the operation. */
function descriptionAhead(text: string, from: number): boolean {
  const description = /(?:[^\S\n]*\n){1,2}[^\S\n]*\{%[ \t]*swagger-/y;
  description.lastIndex = from;
  return description.test(text);
}

/** Writes the first value of an integration's tag as code, even if it contains quotes. */
function diagramOf(tag: string): string {
  const name = /^\{%\s*@([\w.-]+)/.exec(tag)?.[1] ?? '';
  const from = tag.indexOf('"') + 1;
  const text = tag.slice(from === 0 ? tag.search(/\s|$/) : from, -2).trimEnd();
  return `~~~~~~~~~~${name}\n${text.slice(0, endOfFirstValue(text)).trimEnd()}\n~~~~~~~~~~`;
}

/** Returns the end of the first value: before its quote and any further attributes. */
function endOfFirstValue(text: string): number {
  for (let end = text.length; ;) {
    const last = /\s{1,99}[\w-]{1,99}="[^"\n]{0,999}"$/.exec(text.slice(Math.max(0, end - 1300), end));
    if (last === null) return text[end - 1] === '"' ? end - 1 : end;
    end -= last[0].length;
  }
}

/** Writes a tag of an API description as Markdown; undefined for other tags. */
function describe({ name, isClosing, argument }: Tag): string | undefined {
  if (isClosing || /^(?:end)?swagger-description$|^endswagger/.test(name)) return '';
  const attributes = attributesOf(argument);
  if (attributes === undefined) return undefined;
  const { method, baseUrl = '', path = '', summary, in: location, type, required, status } = attributes;
  const code = (text: string) => (text.trim() === '' ? '' : `\`${text.replaceAll('`', "'").trim()}\``);
  const plain = (text = '') => text.replace(/[\\`*_[\]<>{}|#&]/g, '\\$&').trim();
  if (name === 'swagger')
    return `**${plain(method?.toUpperCase())}** ${code(baseUrl + path)}\n\n${plain(summary)}`;
  if (name === 'swagger-parameter') {
    const details = [location, type, required === 'true' ? 'required' : ''].map(plain);
    return `${code(attributes['name'] ?? '')} ${details.filter((word) => word !== '').join(', ')}`;
  }
  return name === 'swagger-response' ? `**${plain(status)}** ${plain(attributes['description'])}` : undefined;
}
