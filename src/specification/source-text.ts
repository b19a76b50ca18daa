import { checkDepth } from '../contract/limits.ts';
import { Problem } from '../errors/problem.ts';
import { readYamlTree, type YamlEntry, type YamlNode } from '../richtext/yaml-tree.ts';
import { keysAgain, offsetInJson } from './json-place.ts';

/** Where something stands in the text; both begin at 1. */
export interface SourcePlace {
  readonly line: number;
  readonly column: number;
}

export interface SourceFault {
  readonly at: SourcePlace;
  readonly message: string;
}

/** A specification as data, and the place of each of its parts in the text. */
export interface SourceText {
  readonly value: unknown;
  /** The place of what the words lead to from the root, or of the nearest that is there. */
  readonly placeOf: (pointer: readonly string[]) => SourcePlace;
}

/** What a text may hold: larger than any that is published, small enough to be read in seconds. */
export const sourceLimits = {
  bytes: 10 * 1024 * 1024,
  depth: 64,
  nodes: 400_000,
  yamlNodes: 100_000,
} as const;

/** Whether a file of this name holds JSON. */
export function isNamedJson(name: string): boolean {
  return /\.json$/i.test(name);
}

/** Reads a JSON or YAML text under limits, or only JSON; what is wrong with it is told with its place. */
export function readSourceText(
  text: string,
  isJson = false,
): SourceText | { readonly faults: readonly SourceFault[] } {
  if (Buffer.byteLength(text) > sourceLimits.bytes)
    return {
      faults: [
        { at: { line: 1, column: 1 }, message: `the text is larger than ${sourceLimits.bytes >> 20} MiB` },
      ],
    };
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (/^.?.?\0/s.test(plain))
    return {
      faults: [
        {
          at: { line: 1, column: 1 },
          message: 'this is UTF-16, or no text at all; a specification is UTF-8',
        },
      ],
    };
  if (plain.trim() === '') return { faults: [{ at: { line: 1, column: 1 }, message: 'the text is empty' }] };
  // What begins with a brace may be YAML, and is mostly JSON with a slip.
  const isBraced = /^\s*\{/.test(plain);
  const json = isBraced ? readJson(plain) : undefined;
  if (json !== undefined && 'faults' in json) return json;
  if (json !== undefined) {
    // Places are only wanted where something is wrong.
    return { value: json.value, placeOf: (pointer) => placeAt(plain, offsetInJson(plain, pointer)) };
  }
  // A directive would only say what is so anyway.
  const { tree, faults } = readTree(
    plain.replace(/^%YAML(?= 1\.[12]\b)/, '#YAML'),
    isBraced ? 'JSON' : 'YAML',
  );
  if (tree === undefined || faults.length > 0)
    return {
      faults: faults.length > 0 ? faults : [{ at: { line: 1, column: 1 }, message: 'the text is empty' }],
    };
  if (isJson && tree.kind === 'map')
    return {
      faults: [
        isBraced
          ? faultOfJson(plain)
          : { at: tree.at, message: 'this is YAML in a file whose name says JSON; call it .yaml' },
      ],
    };
  const value = toValue(tree);
  // With comments in it, JSON reads as YAML that says something else.
  if (isBraced && tree.kind === 'map' && !tree.entries.has('openapi') && !tree.entries.has('swagger'))
    return { faults: [faultOfJson(plain)] };
  return { value, placeOf: (pointer) => placeIn(tree, pointer) };
}

function faultOfJson(text: string): SourceFault {
  try {
    JSON.parse(text);
  } catch (error) {
    const [, said = '', offset] =
      /^(.*?)(?: in JSON)?(?: at position (\d+).*)?$/s.exec((error as Error).message) ?? [];
    return {
      at: placeAt(text, offset === undefined ? text.length : Number(offset)),
      message: `not valid JSON: ${said.slice(0, 200)}`,
    };
  }
  return { at: { line: 1, column: 1 }, message: 'not valid JSON' };
}

/** Undefined for what is no JSON: it may be YAML that begins with a brace. */
function readJson(
  text: string,
): { readonly value: unknown } | { readonly faults: readonly SourceFault[] } | undefined {
  try {
    checkDepth(text, sourceLimits);
    const value: unknown = JSON.parse(text);
    const faults = keysAgain(text).slice(0, 20).map(({ key, offset, first }) => faultOfKey(key, placeAt(text, offset), placeAt(text, first))); // prettier-ignore
    return faults.length > 0 ? { faults } : { value };
  } catch (error) {
    return error instanceof Problem
      ? { faults: [{ at: { line: 1, column: 1 }, message: error.message }] }
      : undefined;
  }
}

function faultOfKey(key: string, at: SourcePlace, first: SourcePlace): SourceFault {
  return {
    at,
    message: `the key ${JSON.stringify(key.slice(0, 100))} stands here already in line ${first.line}, column ${first.column}`,
  };
}

function readTree(
  text: string,
  format: 'JSON' | 'YAML',
): { readonly tree: YamlNode | undefined; readonly faults: readonly SourceFault[] } {
  const faults: SourceFault[] = [];
  const limits = {
    depth: sourceLimits.depth,
    nodes: sourceLimits.yamlNodes,
    pieces: 1_000_000,
    piece: 2 ** 20,
    quoted: 8 * 2 ** 20,
    documents: 1,
    lenient: true,
  } as const;
  const { documents, whole } = readYamlTree(text, '', limits, ({ line, column }, message) => {
    // As in JSON, it loses digits; a limit such as the largest number of 64 bits is told all the same.
    if (message.startsWith('this whole number is beyond')) return;
    const words = message
      .replace('not valid YAML', `not valid ${format}`)
      .replace(
        'nested mappings are not allowed in compact mappings',
        'a colon and a space stand in this value; put it in quotes, or mind the indent of the next line',
      )
      .replace(/closing ["']quote/, 'closing quote')
      .replace(
        /split the manifest, or move long data to files of their own/,
        `as JSON it may hold ${sourceLimits.nodes}`,
      )
      .replace(/the manifest|the file/g, 'the text');
    if (faults.length < 20)
      faults.push({ at: { line: Math.max(1, line), column: Math.max(1, column) }, message: words });
  });
  const second = documents[1];
  if (second !== undefined)
    faults.push({ at: second.at, message: 'a second document begins here; a specification is one' });
  return { tree: whole ? documents[0] : undefined, faults };
}

function toValue(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toValue);
  // A key such as __proto__ is a field like others.
  const value: Record<string, unknown> = {};
  for (const [key, entry] of node.entries)
    Object.defineProperty(value, key, {
      value: toValue(entry.value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return value;
}

function placeAt(text: string, offset: number): SourcePlace {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start))
    [line, start] = [line + 1, end + 1];
  return { line, column: offset - start + 1 };
}

function placeIn(tree: YamlNode, pointer: readonly string[]): SourcePlace {
  let place: SourcePlace = tree.at;
  let node: YamlNode | undefined = tree;
  for (const word of pointer) {
    const entry: YamlEntry | undefined = node?.kind === 'map' ? node.entries.get(word) : undefined;
    const next: YamlNode | undefined = node?.kind === 'list' ? node.items[Number(word)] : entry?.value;
    if (next === undefined) break;
    place = entry?.key ?? next.at;
    node = next;
  }
  return { line: Math.max(1, place.line), column: Math.max(1, place.column) };
}
