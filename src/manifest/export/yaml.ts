import { writeKey, writeScalar } from './yaml-scalar.ts';

/** What an export writes: YAML as a person lays it out. */
export type Yaml = YamlScalar | YamlWord | YamlList | YamlMap;

interface YamlScalar {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

/** Written as it stands: `!ref space.guide`. */
interface YamlWord {
  readonly kind: 'word';
  readonly text: string;
}

interface YamlList {
  readonly kind: 'list';
  readonly items: readonly Yaml[];
}

export interface YamlMap {
  readonly kind: 'map';
  readonly entries: readonly (readonly [key: string, value: Yaml])[];
  /** Stands before the value: `!lookup`. */
  readonly tag?: string;
  /** Comments below its entries. */
  readonly remarks?: readonly string[];
  /** How many entries it has at most on one line. Default: as many as fit. */
  readonly onOneLine?: number;
}

const width = 100;

export function scalar(value: string | number | boolean | null): Yaml {
  return { kind: 'scalar', value };
}

export function word(text: string): Yaml {
  return { kind: 'word', text };
}

/** A plain value as YAML. */
export function yamlOf(value: unknown): Yaml {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(yamlOf) };
  if (typeof value === 'object' && value !== null)
    return {
      kind: 'map',
      entries: Object.entries(value).flatMap(([key, inner]) =>
        inner === undefined ? [] : [[key, yamlOf(inner)] as const],
      ),
    };
  return scalar(value as string | number | boolean | null);
}

/** The lines of a map at the top of a file. */
export function writeMap({ entries, remarks = [] }: YamlMap, indent = 0): string {
  const space = ' '.repeat(indent);
  const lines = entries.map(
    ([key, value]) => `${space}${writeKey(key)}:${writeValue(value, indent, writeKey(key).length + 1)}\n`,
  );
  return [...lines, ...remarks.map((remark) => `${space}# ${remark}\n`)].join('');
}

/** How many values a reader counts in it. */
export function countValues(yaml: Yaml): number {
  const inner =
    yaml.kind === 'list' ? yaml.items : yaml.kind === 'map' ? yaml.entries.map(([, value]) => value) : [];
  return inner.reduce((sum, one) => sum + countValues(one), 1);
}

/** What stands behind a key or a dash: a space and a value, or lines of their own without the last line end. */
function writeValue(yaml: Yaml, indent: number, before: number): string {
  const line = oneLine(yaml, width - indent - before - 1);
  if (line !== undefined) return ` ${line}`;
  const space = ' '.repeat(indent + 2);
  if (yaml.kind === 'scalar') return ` ${writeScalar(yaml.value, 'block', indent + 2)}`;
  if (yaml.kind === 'word') return ` ${yaml.text}`;
  if (yaml.kind === 'list')
    return yaml.items.length === 0
      ? ' []'
      : `\n${yaml.items.map((item) => `${space}-${writeItem(item, indent + 2)}`).join('\n')}`;
  const { entries, remarks = [], tag } = yaml;
  if (entries.length === 0) return ` {}${remarks.length === 0 ? '' : ` # ${remarks.join('; ')}`}`;
  return `${tag === undefined ? '' : ` ${tag}`}\n${writeMap(yaml, indent + 2).slice(0, -1)}`;
}

/** A map begins on the line of its dash. */
function writeItem(item: Yaml, indent: number): string {
  if (
    item.kind !== 'map' ||
    item.tag !== undefined ||
    item.entries.length === 0 ||
    oneLine(item, width - indent - 2) !== undefined
  )
    return writeValue(item, indent, 1);
  return ` ${writeMap(item, indent + 2)
    .trimStart()
    .slice(0, -1)}`;
}

/** On one line, where it may be and fits. */
function oneLine(yaml: Yaml, room: number): string | undefined {
  const line = flow(yaml, room);
  return line !== undefined && line.length <= room ? line : undefined;
}

function flow(yaml: Yaml, room: number, isInner = false): string | undefined {
  if (yaml.kind === 'word') return yaml.text;
  if (yaml.kind === 'scalar') {
    if (typeof yaml.value === 'string' && yaml.value.includes('\n')) return undefined;
    return writeScalar(yaml.value, isInner ? 'flow' : 'block', 0);
  }
  if (
    yaml.kind === 'map' &&
    ((yaml.remarks?.length ?? 0) > 0 || yaml.entries.length > (yaml.onOneLine ?? Infinity))
  )
    return undefined;
  // A list of maps is read line by line.
  if (yaml.kind === 'list' && yaml.items.some(({ kind }) => kind === 'map')) return undefined;
  const parts: string[] = [];
  let length = 0;
  for (const [key, value] of yaml.kind === 'map'
    ? yaml.entries
    : yaml.items.map((item) => [undefined, item] as const)) {
    const text = flow(value, room - length, true);
    if (text === undefined) return undefined;
    const part = key === undefined ? text : `${writeKey(key)}: ${text}`;
    parts.push(part);
    length += part.length + 2;
    if (length > room) return undefined;
  }
  if (yaml.kind === 'list') return `[${parts.join(', ')}]`;
  return `${yaml.tag === undefined ? '' : `${yaml.tag} `}${parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`}`;
}
