import { attributesOf, splitTagLine, type Tag } from './tags.ts';

/** The most lines of a tag. */
const mostLines = 500;

/**
 * Markdown in which tags over several lines, and the descriptions of an interface that GitBook wrote once, are blocks
 * that a reader understands. Looks at one line after the other; leaves code alone.
 */
export function readableText(markdown: string): string {
  if (!/\{%[ \t]*(?:@|swagger)/.test(markdown)) return markdown;
  const lines = markdown.split('\n');
  const out: string[] = [];
  let fence = '';
  let isDescribed = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const content = line.trim();
    if (fence !== '' || /^(?:`{3,}[^`]*|~{3,}.*)$/.test(content)) {
      if (fence === '') fence = /^(?:`+|~+)/.exec(content)![0];
      else if (content.startsWith(fence) && /^(?:`+|~+)$/.test(content)) fence = '';
      out.push(line);
      continue;
    }
    const end = /^\{%[ \t]*@/.test(content) && !content.includes('%}') ? endOfTag(lines, index) : -1;
    if (end !== -1) {
      out.push('', ...diagramOf(lines.slice(index, end + 1)), '');
      index = end;
      continue;
    }
    const tag = /^\{%[ \t]*(?:end)?swagger/.test(content) ? onlyTag(content) : undefined;
    if (tag?.name === 'swagger' && !tag.isClosing)
      isDescribed = /^\{%[ \t]*swagger-/.test((lines[index + 1]?.trim() || lines[index + 2] || '').trim());
    const written = tag === undefined || (tag.name === 'swagger' && !isDescribed) ? undefined : describe(tag);
    if (written === undefined) out.push(line);
    else out.push('', written, '');
  }
  return out.join('\n');
}

function onlyTag(content: string): Tag | undefined {
  const [tag, ...more] = splitTagLine(content);
  return typeof tag === 'object' && more.length === 0 ? tag : undefined;
}

function endOfTag(lines: readonly string[], from: number): number {
  for (let index = from + 1; index < lines.length && index < from + mostLines; index++)
    if (lines[index]!.trimEnd().endsWith('%}')) return index;
  return -1;
}

/** What a tag of an integration holds, as code: its first value, whatever quotes are in it. */
function diagramOf(lines: readonly string[]): string[] {
  const whole = lines.join('\n').trim();
  const name = /^\{%\s*@([\w.-]+)/.exec(whole)?.[1] ?? '';
  const from = whole.indexOf('"') + 1;
  const text = whole.slice(from === 0 ? whole.search(/\s|$/) : from, -2).trimEnd();
  const code = text.slice(0, endOfFirst(text)).trimEnd();
  return [`~~~~~~~~~~${name}`, code, '~~~~~~~~~~'];
}

/** Where the first value ends: in front of its quote and of what looks like further attributes, which are taken off from behind. */
function endOfFirst(text: string): number {
  for (let end = text.length; ;) {
    const last = /\s{1,99}[\w-]{1,99}="[^"\n]{0,999}"$/.exec(text.slice(Math.max(0, end - 1300), end));
    if (last === null) return text[end - 1] === '"' ? end - 1 : end;
    end -= last[0].length;
  }
}

/** A part of a description; nothing where the tag is none. */
function describe({ name, isClosing, argument }: Tag): string | undefined {
  if (isClosing || /^(?:end)?swagger-description$|^endswagger/.test(name)) return '';
  const given = attributesOf(argument);
  if (given === undefined) return undefined;
  const code = (text: string) => (text.trim() === '' ? '' : `\`${text.replaceAll('`', "'").trim()}\``);
  const plain = (text = '') => text.replace(/[\\`*_[\]<>{}|#&]/g, '\\$&').trim();
  if (name === 'swagger')
    return `**${plain(given['method']?.toUpperCase())}** ${code(`${given['baseUrl'] ?? ''}${given['path'] ?? ''}`)}\n\n${plain(given['summary'])}`;
  if (name === 'swagger-parameter')
    return `${code(given['name'] ?? '')} ${[given['in'], given['type'], given['required'] === 'true' ? 'required' : ''].map(plain).filter((word) => word !== '').join(', ')}`; // prettier-ignore
  return name === 'swagger-response'
    ? `**${plain(given['status'])}** ${plain(given['description'])}`
    : undefined;
}
