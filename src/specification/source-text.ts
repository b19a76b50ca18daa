import { checkDepth } from '../contract/limits.ts';
import { Problem } from '../errors/problem.ts';
import { readYamlTree, type YamlEntry, type YamlNode } from '../richtext/yaml-tree.ts';
import { offsetInJson } from './json-place.ts';

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
export const sourceLimits = { bytes: 10 * 1024 * 1024, depth: 64, nodes: 400_000, yamlNodes: 100_000 } as const;

/** Reads a JSON or YAML text under limits; what is wrong with it is told with its place. */
export function readSourceText(text: string): SourceText | { readonly faults: readonly SourceFault[] } {
  if (Buffer.byteLength(text) > sourceLimits.bytes) return { faults: [{ at: { line: 1, column: 1 }, message: `the text is larger than ${sourceLimits.bytes >> 20} MiB` }] };
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (plain.trim() === '') return { faults: [{ at: { line: 1, column: 1 }, message: 'the text is empty' }] };
  // What begins with a brace may be YAML, and is mostly JSON with a slip.
  const isBraced = /^\s*\{/.test(plain);
  const json = isBraced ? readJson(plain) : undefined;
  if (json !== undefined && 'faults' in json) return json;
  if (json !== undefined) {
    // Places are only wanted where something is wrong.
    return { value: json.value, placeOf: (pointer) => placeAt(plain, offsetInJson(plain, pointer)) };
  }
  const { tree, faults } = readTree(plain, isBraced ? 'JSON' : 'YAML');
  if (tree === undefined || faults.length > 0) return { faults: faults.length > 0 ? faults : [{ at: { line: 1, column: 1 }, message: 'the text is empty' }] };
  return { value: toValue(tree), placeOf: (pointer) => placeIn(tree, pointer) };
}

/** Undefined for what is no JSON: it may be YAML that begins with a brace. */
function readJson(text: string): { readonly value: unknown } | { readonly faults: readonly SourceFault[] } | undefined {
  try {
    checkDepth(text, sourceLimits);
    return { value: JSON.parse(text) };
  } catch (error) {
    return error instanceof Problem ? { faults: [{ at: { line: 1, column: 1 }, message: error.message }] } : undefined;
  }
}

function readTree(text: string, format: 'JSON' | 'YAML'): { readonly tree: YamlNode | undefined; readonly faults: readonly SourceFault[] } {
  const faults: SourceFault[] = [];
  const limits = { depth: sourceLimits.depth, nodes: sourceLimits.yamlNodes, pieces: 1_000_000, piece: 2 ** 20, quoted: 8 * 2 ** 20, documents: 1, lenient: true } as const;
  const { documents, whole } = readYamlTree(text, '', limits, ({ line, column }, message) => {
    const words = message
      .replace('not valid YAML', `not valid ${format}`)
      .replace(/closing ["']quote/, 'closing quote')
      .replace(/the manifest|the file/g, 'the text');
    if (faults.length < 20) faults.push({ at: { line: Math.max(1, line), column: Math.max(1, column) }, message: words });
  });
  return { tree: whole ? documents[0] : undefined, faults };
}

function toValue(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toValue);
  // A key such as __proto__ is a field like others.
  const value: Record<string, unknown> = {};
  for (const [key, entry] of node.entries) Object.defineProperty(value, key, { value: toValue(entry.value), enumerable: true, writable: true, configurable: true });
  return value;
}

function placeAt(text: string, offset: number): SourcePlace {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) [line, start] = [line + 1, end + 1];
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
