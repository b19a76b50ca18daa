import { isObject } from '../../contract/values.ts';
import { escapeTemplate } from '../read/template.ts';

/**
 * YAML in the layout that a person would choose. The package `yaml` cannot print it: its padding option applies to both `[a]` and
 * `{ a: b }`, it does not quote `yes`, dates and direction marks, and it wraps only texts.
 */
export type Yaml =
  | { readonly kind: 'scalar'; readonly value: Scalar }
  /** Text that is written unchanged, such as `!ref space.guide`. */
  | { readonly kind: 'verbatim'; readonly text: string }
  | YamlList
  | YamlMap;

type Scalar = string | number | boolean | null;

interface YamlList {
  readonly kind: 'list';
  readonly items: readonly Yaml[];
}

export interface YamlMap {
  readonly kind: 'map';
  readonly entries: readonly YamlEntry[];
  /** The tag before the value, such as `!lookup`. */
  readonly tag?: string;
  /** Maximum number of entries on one line. Default: as many as fit. */
  readonly maxInline?: number;
}

export type YamlEntry = readonly [key: string, value: Yaml];

const maxWidth = 100;
const indentStep = 2;

/** Returns a YAML node for a scalar value. */
export function scalar(value: Scalar): Yaml {
  return { kind: 'scalar', value };
}

/** Returns a YAML node whose text is written unchanged. */
export function verbatim(text: string): Yaml {
  return { kind: 'verbatim', text };
}

/** Converts a JSON value to YAML. Undefined members are left out. */
export function toYaml(value: unknown): Yaml {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(toYaml) };
  if (!isObject(value)) return scalar(value as Scalar);
  return { kind: 'map', entries: mapMembers(value, toYaml) };
}

/** Converts the members of an object to entries of a YAML map. Undefined members are left out. */
export function mapMembers(value: object, convert: (inner: unknown, name: string) => Yaml): YamlEntry[] {
  return Object.entries(value).flatMap(([name, inner]) =>
    inner === undefined ? [] : [[name, convert(inner, name)] as const],
  );
}

/** Counts values in the way the reader of manifests counts them. */
export function countValues(yaml: Yaml): number {
  const inner =
    yaml.kind === 'list' ? yaml.items : yaml.kind === 'map' ? yaml.entries.map(([, value]) => value) : [];
  return inner.reduce((sum, one) => sum + countValues(one), 1);
}

/** Writes a map as lines, indented by `indent` spaces. */
export function writeMap({ entries }: Pick<YamlMap, 'entries'>, indent = 0): string {
  const space = ' '.repeat(indent);
  const lines = entries.map(([key, value]) => {
    const before = `${writeKey(key)}:`;
    return `${space}${before}${writeValue(value, indent, before.length)}\n`;
  });
  return lines.join('');
}

/** Writes the text after a key or a dash, without the last line end. */
function writeValue(yaml: Yaml, indent: number, column: number): string {
  const line = writeInline(yaml, maxWidth - indent - column - 1);
  if (line !== undefined) return ` ${line}`;
  const inner = indent + indentStep;
  switch (yaml.kind) {
    case 'scalar':
      return ` ${writeScalar(yaml.value, 'block', inner)}`;
    case 'verbatim':
      return ` ${yaml.text}`;
    case 'list':
      if (yaml.items.length === 0) return ' []';
      return yaml.items.map((item) => `\n${' '.repeat(inner)}-${writeItem(item, inner)}`).join('');
    case 'map': {
      const { entries, tag } = yaml;
      if (entries.length === 0) return ' {}';
      return `${tag === undefined ? '' : ` ${tag}`}\n${writeMap(yaml, inner).slice(0, -1)}`;
    }
  }
}

/** A map starts on the line of its dash. */
function writeItem(item: Yaml, indent: number): string {
  const isOwnLines =
    item.kind === 'map' &&
    item.tag === undefined &&
    item.entries.length > 0 &&
    writeInline(item, maxWidth - indent - 2) === undefined;
  if (!isOwnLines) return writeValue(item, indent, 1);
  const lines = writeMap(item, indent + indentStep);
  return ` ${lines.trimStart().slice(0, -1)}`;
}

/** Writes a value on one line; undefined if it is longer than `room`. */
function writeInline(yaml: Yaml, room: number, isInner = false): string | undefined {
  const line =
    yaml.kind === 'verbatim'
      ? yaml.text
      : yaml.kind === 'scalar'
        ? writeInlineScalar(yaml.value, isInner)
        : writeFlow(yaml, room);
  return line !== undefined && line.length <= room ? line : undefined;
}

function writeInlineScalar(value: Scalar, isInner: boolean): string | undefined {
  if (typeof value === 'string' && value.includes('\n')) return undefined;
  return writeScalar(value, isInner ? 'flow' : 'block', 0);
}

function writeFlow(yaml: YamlList | YamlMap, room: number): string | undefined {
  const parts: string[] = [];
  let left = room;
  const add = (before: string, value: Yaml): boolean => {
    const text = writeInline(value, left, true);
    if (text === undefined) return false;
    parts.push(`${before}${text}`);
    left -= before.length + text.length + 2;
    return left >= 0;
  };
  if (yaml.kind === 'list') {
    // A map in a list gets lines of its own, because it is easier to read.
    if (!yaml.items.every((item) => item.kind !== 'map' && add('', item))) return undefined;
    return `[${parts.join(', ')}]`;
  }
  const { entries, tag, maxInline = Infinity } = yaml;
  if (entries.length > maxInline) return undefined;
  if (!entries.every(([key, value]) => add(`${writeKey(key)}: `, value))) return undefined;
  return `${tag === undefined ? '' : `${tag} `}${parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`}`;
}

/** Words that some YAML parsers read as null or a boolean. */
const reserved = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
/** Control characters, direction marks, and unassigned characters. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Writes a value so that it is read back unchanged. In block style, a text of several lines is indented. */
function writeScalar(value: Scalar, style: 'block' | 'flow', indent: number): string {
  // Integers that are not safe need an exponent, because the reader accepts only safe integers without one.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return value.toExponential();
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = escapeTemplate(value);
  if (isPlain(text, style)) return text;
  return style === 'block' && isBlock(text) ? writeBlock(text, indent) : quote(text);
}

function writeKey(key: string): string {
  // A name, or an email address.
  return /^[A-Za-z_]([\w-]*|[\w.+-]*@[\w.-]*[A-Za-z])$/.test(key) && !reserved.test(key) ? key : quote(key);
}

function isPlain(text: string, style: 'block' | 'flow'): boolean {
  return (
    /^[\p{L}\p{N}_/(]/u.test(text) &&
    printable.test(text) &&
    !/: | #|[ :]$/.test(text) &&
    !reserved.test(text) &&
    // Numbers, dates, times, versions and hexadecimal digits.
    !/^\d[\d.,:_+xXoOeEa-fA-F-]*$/.test(text) &&
    (style === 'block' || !/[,[\]{}]/.test(text))
  );
}

/** Whether to write a text as a block: it has several lines, and editors do not change it. */
function isBlock(text: string): boolean {
  if (!text.includes('\n') || !/^\S/.test(text) || text.endsWith('\n\n')) return false;
  return text.split('\n').every((line) => printable.test(line) && !/\s$/.test(line));
}

function writeBlock(text: string, indent: number): string {
  const isEnded = text.endsWith('\n');
  const lines = isEnded ? text.slice(0, -1) : text;
  return `${isEnded ? '|' : '|-'}\n${lines.replace(/^(?=.)/gm, ' '.repeat(indent))}`;
}

function quote(text: string): string {
  return JSON.stringify(text).replace(hidden, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
