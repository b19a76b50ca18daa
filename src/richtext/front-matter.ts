import { isEmoji } from '../contract/emoji.ts';
import { defined, truncate } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { mayHaveSettings, readPageSettings, type PageSettings } from './page-settings.ts';
import { setYamlFields, type YamlChange } from './yaml-fields.ts';
import { parseYaml, replaceYamlValue } from './yaml.ts';

/** Maximum length of front matter, in characters. */
export const maxFrontMatter = 16_384;

/** The fields of a page from its front matter. Absent fields and fields with a wrong type are left out. */
export interface PageMetadata {
  readonly title?: string;
  readonly description?: string;
  readonly icon?: string;
  readonly emoji?: string;
  readonly condition?: string;
  readonly hidden?: boolean;
  readonly noIndex?: boolean;
  readonly noRobotsIndex?: boolean;
}

/** The text of a page in two parts; `frontMatter + body` is the text, byte for byte. */
interface PageText {
  /** The front matter with its fences and line ends; '' if there is none. */
  readonly frontMatter: string;
  readonly body: string;
  readonly metadata: PageMetadata;
  /** Layout, cover, variables, links and tags; absent if the front matter has none of these fields. */
  readonly settings?: PageSettings;
  /** The value of `emoji` if it is not an emoji and therefore not in the metadata. */
  readonly noEmoji?: string;
  /** Why a text that looks like front matter is invalid, and therefore part of the body. */
  readonly problem?: string;
}

/** Maximum length of fields in the metadata, in characters. The text keeps the whole values. */
const maxLengths: Readonly<Record<string, number>> = {
  title: 255,
  description: 1000,
  icon: 50,
  emoji: 50,
  condition: 1024,
};

/**
 * Splits front matter from a page and parses it: a first line "---", a map of YAML fields, another line "---". Hugo also writes
 * TOML between two lines "+++".
 */
export function readPageText(text: string): PageText {
  const end = endOfFrontMatter(text);
  if (end === 0) return { frontMatter: '', body: text, metadata: {} };
  const frontMatter = text.slice(0, end);
  try {
    return { frontMatter, body: text.slice(end), ...readFields(frontMatter) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { frontMatter: '', body: text, metadata: {}, problem: error.message };
  }
}

/** Returns all fields in front matter; none if it is invalid. */
export function listFields(frontMatter: string): ReadonlyMap<string, unknown> {
  try {
    return parseFields(frontMatter).given;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return new Map();
  }
}

function parseFields(frontMatter: string): { yaml: string; given: ReadonlyMap<string, unknown> } {
  // An empty line replaces the fence, so that line numbers in messages are those of the page.
  const yaml = ['', ...yamlLines(frontMatter)].join('\n');
  const fields = parseYaml(yaml, 'The front matter') ?? {};
  if (typeof fields !== 'object' || Array.isArray(fields))
    throw new Problem('invalid-input', 'The front matter must be a list of fields such as "title: Start".');
  return { yaml, given: new Map(Object.entries(fields)) };
}

function readFields(frontMatter: string): Pick<PageText, 'metadata' | 'settings' | 'noEmoji'> {
  const { yaml, given } = parseFields(frontMatter);
  const metadata: Record<string, string | boolean> = {};
  for (const [field, maxLength] of Object.entries(maxLengths)) {
    const value = given.get(field === 'condition' ? 'if' : field);
    if (typeof value === 'string' && value.trim() !== '') metadata[field] = truncate(value.trim(), maxLength);
  }
  for (const field of ['hidden', 'noIndex', 'noRobotsIndex']) {
    const value = given.get(field);
    if (typeof value === 'boolean') metadata[field] = value;
  }
  const { emoji } = metadata;
  const noEmoji = typeof emoji !== 'string' || isEmoji(emoji) ? undefined : emoji;
  if (noEmoji !== undefined) delete metadata['emoji'];
  const settings = mayHaveSettings(yaml) ? readPageSettings(given) : undefined;
  return { metadata, ...defined({ settings, noEmoji }) };
}

/** Returns the lines between the fences of front matter. Those of TOML become YAML. */
function yamlLines(frontMatter: string): string[] {
  const lines = frontMatter.trimEnd().split(/\r?\n/).slice(1, -1);
  if (!isToml(frontMatter)) return lines;
  let indent = '';
  return lines.map((line) => {
    const [, list, table] = /^\s*(?:(\[\[)|\[\s*([\w."'-]+)\s*\]\s*(?:#.*)?$)/.exec(line) ?? [];
    if (list !== undefined || table !== undefined) indent = list === undefined ? '  ' : '# ';
    if (table !== undefined) return `${JSON.stringify(table)}:`;
    const [, key, value = ''] = /^\s*([\w."'-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    return key === undefined ? `${indent}  ${line}` : `${indent}${key}: ${value}`;
  });
}

function isToml(frontMatter: string): boolean {
  return /^\uFEFF?\+/.test(frontMatter);
}

/** Replaces the value of a field in front matter. Returns the text unchanged if the field has no scalar value. */
export function replaceField(frontMatter: string, field: string, value: string): string {
  if (isToml(frontMatter))
    return setFields(frontMatter, [[[field], value]], /\r?\n/.exec(frontMatter)?.[0] ?? '\n');
  const start = nextLine(frontMatter, 0);
  const end = frontMatter.trimEnd().lastIndexOf('\n') + 1;
  const yaml = replaceYamlValue(frontMatter.slice(start, end), field, value);
  return frontMatter.slice(0, start) + yaml + frontMatter.slice(end);
}

/**
 * Sets fields in front matter that `readPageText` has found, which may be empty. TOML becomes YAML. Returns an empty text if no
 * fields are left.
 */
export function setFields(frontMatter: string, fields: readonly YamlChange[], newline: string): string {
  const yaml = yamlLines(frontMatter).map((line) => `${line}\n`);
  const text = setYamlFields(yaml.join(''), fields);
  return text === '' ? '' : `---\n${text}---\n`.replaceAll('\n', newline);
}

/** Updates the fields of front matter to those of its page, which may have changed since the text was written. */
export function updateFields(frontMatter: string, page: PageMetadata): string {
  const { metadata } = readPageText(frontMatter);
  const names = Object.keys(metadata) as (keyof PageMetadata)[];
  const changes = names
    .filter((name) => metadata[name] !== (page[name] ?? (metadata[name] === false ? false : undefined)))
    .map((name): YamlChange => [[name === 'condition' ? 'if' : name], page[name]]);
  if (changes.length === 0) return frontMatter;
  const mark = frontMatter.startsWith('\uFEFF') ? '\uFEFF' : '';
  return mark + setFields(frontMatter, changes, frontMatter.includes('\r\n') ? '\r\n' : '\n');
}

/** Returns the index after the front matter; 0 if there is none. It only looks at lines. */
export function endOfFrontMatter(text: string): number {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const mark = text.startsWith('+', start) ? '+++' : '---';
  if (!isFence(text, start, mark)) return 0;
  for (
    let line = nextLine(text, start);
    line < text.length && line <= maxFrontMatter;
    line = nextLine(text, line)
  ) {
    if (isFence(text, line, mark)) return nextLine(text, line);
  }
  return 0;
}

function isFence(text: string, from: number, mark: string): boolean {
  return text.startsWith(mark, from) && text.slice(from + 3, nextLine(text, from)).trim() === '';
}

function nextLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}
