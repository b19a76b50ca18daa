import { parseJson } from '../contract/limits.ts';
import { Problem } from '../errors/problem.ts';
import { readYamlTree, type YamlEntry, type YamlNode } from '../richtext/yaml-tree.ts';
import { findDuplicateKeys, findJsonOffset } from './json-offset.ts';

/** A position in a text; both numbers begin at 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

interface SourceError {
  readonly at: TextPosition;
  readonly message: string;
}

/** A specification as data, with the position of each of its parts in the text. */
export interface ParsedSource {
  readonly value: unknown;
  /** Returns the position of the value at a pointer, or of its closest existing ancestor. */
  readonly locate: (pointer: readonly string[]) => TextPosition;
}

interface Refusal {
  readonly errors: readonly SourceError[];
}

/** Limits of a text: above those of any published specification, but parsed in seconds. `nodes` applies to JSON. */
export const sourceLimits = {
  bytes: 10 * 1024 * 1024,
  depth: 64,
  nodes: 400_000,
  yamlNodes: 100_000,
} as const;

/** Maximum number of reported errors: mistakes in the syntax, and findings in the content. */
export const maxErrors = { text: 20, findings: 50 } as const;

const start: TextPosition = { line: 1, column: 1 };

/** Whether a file is JSON, by the extension of its name. */
export function isJsonFileName(name: string): boolean {
  return /\.json$/i.test(name);
}

/** Parses JSON or YAML, or only JSON. Returns the data or all errors. */
export function parseSource(text: string, isJson = false): ParsedSource | Refusal {
  if (Buffer.byteLength(text) > sourceLimits.bytes)
    return refuse(`the text is larger than ${sourceLimits.bytes >> 20} MiB`);
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (/^.?.?\0/s.test(plain))
    return refuse('this is UTF-16, or not text at all; a specification must be UTF-8');
  if (plain.trim() === '') return refuse('the text is empty');
  // A text that starts with a brace may be YAML, but is usually JSON with a mistake.
  const isBraced = /^\s*\{/.test(plain);
  const json = isBraced ? readJson(plain) : undefined;
  if (json !== undefined) return json;
  // A %YAML directive has no effect here, so it becomes a comment.
  const yaml = plain.replace(/^%YAML(?= 1\.[12]\b)/, '#YAML');
  const { tree, errors } = parseYaml(yaml, isBraced ? 'JSON' : 'YAML');
  if (errors.length > 0) return { errors };
  if (tree === undefined) return refuse('the text has nothing but comments');
  if (tree.kind === 'map') {
    const { at, entries } = tree;
    if (isJson && !isBraced) return refuse('this is YAML in a file named as JSON; rename it to .yaml', at);
    // JSON with comments is valid YAML with another meaning.
    if (isBraced && (isJson || (!entries.has('openapi') && !entries.has('swagger'))))
      return { errors: [explainJsonError(plain)] };
  }
  return { value: toValue(tree), locate: (pointer) => locateNode(tree, pointer) };
}

function refuse(message: string, at = start): Refusal {
  return { errors: [{ at, message }] };
}

function explainJsonError(text: string): SourceError {
  try {
    JSON.parse(text);
  } catch (error) {
    const [, reason = '', offset] =
      /^(.*?)(?: in JSON)?(?: at position (\d+).*)?$/s.exec((error as Error).message) ?? [];
    return {
      at: positionAt(text, offset === undefined ? text.length : Number(offset)),
      message: `not valid JSON: ${reason.slice(0, 200)}`,
    };
  }
  return { at: start, message: 'not valid JSON' };
}

/** Parses JSON; undefined if it is not JSON, because it may be YAML that starts with a brace. */
function readJson(text: string): ParsedSource | Refusal | undefined {
  let value: unknown;
  try {
    value = parseJson(text, sourceLimits);
  } catch (error) {
    return error instanceof Problem ? refuse(error.message) : undefined;
  }
  const duplicates = findDuplicateKeys(text).slice(0, maxErrors.text);
  if (duplicates.length === 0)
    return { value, locate: (pointer) => positionAt(text, findJsonOffset(text, pointer)) };
  return {
    errors: duplicates.map(({ key, offset, first }) => {
      const { line, column } = positionAt(text, first);
      const quoted = JSON.stringify(key.slice(0, 100));
      const message = `the key ${quoted} is already used in line ${line}, column ${column}`;
      return { at: positionAt(text, offset), message };
    }),
  };
}

function parseYaml(text: string, format: 'JSON' | 'YAML'): { tree: YamlNode | undefined } & Refusal {
  const errors: SourceError[] = [];
  const limits = {
    depth: sourceLimits.depth,
    nodes: sourceLimits.yamlNodes,
    pieces: 1_000_000,
    piece: 2 ** 20,
    quoted: 8 * 2 ** 20,
    // A second document is rejected below, unless it is empty.
    documents: 2,
    lenient: true,
  } as const;
  const { documents, whole } = readYamlTree(text, '', limits, ({ line, column }, message) => {
    // Such a number loses digits, as in JSON. It may be an intended limit, such as the largest 64-bit number.
    if (message.startsWith('this number is larger') || errors.length >= maxErrors.text) return;
    errors.push({
      at: { line: Math.max(1, line), column: Math.max(1, column) },
      message: message
        .replace('not valid YAML', `not valid ${format}`)
        .replace(
          /split (?:the manifest|it), or move long data to separate files/,
          `write it as JSON, which may hold ${sourceLimits.nodes}`,
        )
        .replace(/the manifest|the file/g, 'the text'),
    });
  });
  const [tree, second] = documents;
  if (second !== undefined)
    errors.push({
      at: second.at,
      message: 'a second document begins here; a specification must be a single document',
    });
  return { tree: whole ? tree : undefined, errors };
}

function toValue(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toValue);
  // fromEntries defines own properties, even one that is called __proto__.
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, toValue(value)]));
}

function positionAt(text: string, offset: number): TextPosition {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = end + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

function locateNode(tree: YamlNode, pointer: readonly string[]): TextPosition {
  let { line, column }: TextPosition = tree.at;
  let node = tree;
  for (const token of pointer) {
    const entry: YamlEntry | undefined = node.kind === 'map' ? node.entries.get(token) : undefined;
    const next: YamlNode | undefined = node.kind === 'list' ? node.items[Number(token)] : entry?.value;
    if (next === undefined) break;
    ({ line, column } = entry?.key ?? next.at);
    node = next;
  }
  return { line: Math.max(1, line), column: Math.max(1, column) };
}
