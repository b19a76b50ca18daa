import { isAlias, isMap, isScalar, isSeq, LineCounter, Scalar, type Alias } from 'yaml';
import { composeDocuments, type YamlDocument, type YamlLimits } from './yaml-documents.ts';

/** A location in a text file. Line and column start at 1; line 0 means the whole file. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A value of a YAML or JSON text with its location. Its tag is not interpreted yet. */
export type YamlNode = YamlMap | YamlList | YamlScalar;

interface Tagged {
  readonly at: SourceLocation;
  /** The tag as written in the source, such as `!ref`. With a tag, `at` is the location of the tag. */
  readonly tag?: string;
}

export interface YamlMap extends Tagged {
  readonly kind: 'map';
  readonly entries: Map<string, YamlEntry>;
}

export interface YamlEntry {
  readonly key: SourceLocation;
  readonly value: YamlNode;
}

interface YamlList extends Tagged {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
}

interface YamlScalar extends Tagged {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** The location of the first character of the value, if the value is on one line without escapes. */
  readonly textAt?: SourceLocation;
}

/** Limits of a text. `nodes` is the number of values, not counting keys. */
export interface TreeLimits extends YamlLimits {
  readonly nodes: number;
  /**
   * For texts from other sources: accepts numbers as keys, merge keys and aliases. An alias counts as all values that it refers
   * to.
   */
  readonly lenient?: true;
}

export interface YamlTree {
  /** The values of the documents that are not empty, in order. */
  readonly documents: readonly YamlNode[];
  /** The total number of values. */
  readonly nodes: number;
  /** Whether the text could be read. If not, `documents` is incomplete. */
  readonly whole: boolean;
}

const maxLines = 500_000;
/** If a text has more faulty lines, only the first one is reported, because it is probably not YAML. */
const maxFaultyLines = 10;

/**
 * Parses a YAML or JSON text into values with locations. Strict: no anchors, aliases or merge keys; keys are unique strings;
 * numbers are exact. Calls `report` for each fault and never throws because of the text.
 */
export function readYamlTree(
  text: string,
  file: string,
  limits: TreeLimits,
  report: (at: SourceLocation, message: string) => void,
): YamlTree {
  const lines = lineStarts(text);
  if (lines.lineStarts.length > maxLines) {
    report({ file, line: maxLines, column: 1 }, `more than ${maxLines} lines; split the file`);
    return { documents: [], nodes: 0, whole: false };
  }
  const placeOf = (offset: number): SourceLocation => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const { documents, faults } = composeDocuments(text, limits);
  // One mistake causes several errors on its line. The first one is the cause.
  const byLine = new Map<number, readonly [SourceLocation, string]>();
  for (const { offset, message } of faults) {
    const at = placeOf(offset);
    if (!byLine.has(at.line)) byLine.set(at.line, [at, message]);
  }
  const [first] = byLine.values();
  if (first !== undefined && byLine.size > maxFaultyLines)
    report(first[0], `${first[1]}. ${byLine.size - 1} more lines have errors, so this may be no YAML file`);
  else for (const [at, message] of byLine.values()) report(at, message);
  if (faults.length > 0) return { documents: [], nodes: 0, whole: false };
  const reader = new TreeReader(text, limits, placeOf, report);
  const roots = documents
    .filter(({ contents }) => contents !== null && !isEmpty(contents))
    .map((document) => reader.readDocument(document));
  return { documents: roots, nodes: reader.nodes, whole: reader.nodes <= limits.nodes };
}

class TreeReader {
  nodes = 0;
  readonly #text: string;
  readonly #limits: TreeLimits;
  readonly #placeOf: (offset: number) => SourceLocation;
  readonly #report: (at: SourceLocation, message: string) => void;

  constructor(
    text: string,
    limits: TreeLimits,
    placeOf: (offset: number) => SourceLocation,
    report: (at: SourceLocation, message: string) => void,
  ) {
    this.#text = text;
    this.#limits = limits;
    this.#placeOf = placeOf;
    this.#report = report;
  }

  #document: YamlDocument | undefined;
  #depth = 0;

  readDocument(document: YamlDocument): YamlNode {
    this.#document = document;
    return this.read(document.contents, 0);
  }

  /**
   * Reads a value recursively. The depth was limited before; nested aliases are limited here. `fallback` is the offset for a
   * missing value.
   */
  read(node: unknown, fallback: number): YamlNode {
    const start = startOf(node) ?? fallback;
    const place = this.#placeOf(start);
    const nothing: YamlScalar = { kind: 'scalar', at: place, value: null };
    if (++this.nodes > this.#limits.nodes) {
      if (this.nodes === this.#limits.nodes + 1)
        this.#report(
          place,
          `more than ${this.#limits.nodes} values; split the manifest, or move long data to separate files`,
        );
      return nothing;
    }
    if (isAlias(node) && this.#limits.lenient === true) return this.#readAlias(node, start, place) ?? nothing;
    if (isAlias(node)) {
      this.#report(
        place,
        `"*${node.source.slice(0, 60)}" is a YAML alias, which is not supported; write the value out, or use a variable: \${var.NAME}`,
      );
      return nothing;
    }
    this.#checkAnchor(node, place);
    const tag = tagOf(node);
    const tagged =
      tag === undefined ? { at: place } : { at: this.#placeOf(tagStart(this.#text, start)), tag };
    if (isMap(node)) {
      const entries = new Map<string, YamlEntry>();
      const merged: YamlNode[] = [];
      for (const { key, value } of node.items) {
        if (this.#limits.lenient === true && isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN)
          merged.push(this.read(value, start));
        else this.#readPair(entries, key, value, start);
      }
      this.#mergeInto(entries, merged);
      return { kind: 'map', ...tagged, entries };
    }
    if (isSeq(node))
      return { kind: 'list', ...tagged, items: node.items.map((item) => this.read(item, start)) };
    return isScalar(node) ? { kind: 'scalar', ...tagged, ...this.#readScalar(node, start, place) } : nothing;
  }

  #readAlias(node: Alias, start: number, place: SourceLocation): YamlNode | undefined {
    const target = this.#document && node.resolve(this.#document);
    if (target === undefined || this.nodes > this.#limits.nodes || this.#depth >= 16) {
      this.#report(
        place,
        target === undefined
          ? `there is no anchor "&${node.source.slice(0, 60)}" before this alias`
          : 'aliases are nested too deeply',
      );
      return undefined;
    }
    this.#depth++;
    const read = this.read(target, start);
    this.#depth--;
    return read;
  }

  /** Adds the fields of the maps in merge keys. Existing fields of the map are not replaced. */
  #mergeInto(entries: Map<string, YamlEntry>, merged: readonly YamlNode[]): void {
    for (const one of merged.flatMap((node) => (node.kind === 'list' ? node.items : [node]))) {
      if (one.kind !== 'map') this.#report(one.at, '"<<" takes maps');
      else for (const [key, entry] of one.entries) if (!entries.has(key)) entries.set(key, entry);
    }
  }

  #readPair(entries: Map<string, YamlEntry>, key: unknown, value: unknown, fallback: number): void {
    const start = startOf(key) ?? fallback;
    const place = this.#placeOf(start);
    const read = this.read(value, start);
    const word = this.#keyOf(key, place);
    if (word === undefined) return;
    const first = entries.get(word);
    if (first === undefined) entries.set(word, { key: place, value: read });
    else
      this.#report(
        place,
        `the key "${word.slice(0, 100)}" is already used in line ${first.key.line}, column ${first.key.column}`,
      );
  }

  #keyOf(key: unknown, place: SourceLocation): string | undefined {
    this.#checkAnchor(key, place);
    if (isAlias(key)) this.#report(place, 'a YAML alias cannot be a key; write the key out');
    else if (!isScalar(key)) this.#report(place, 'a key must be a plain word, not a list or a map');
    else if (tagOf(key) !== undefined) this.#report(place, `a key cannot have a tag such as ${tagOf(key)}`);
    else if (key.value === '<<' && key.type === Scalar.PLAIN)
      this.#report(place, '"<<" is a YAML merge key, which is not supported; write the fields out');
    else if (typeof key.value === 'string') return key.value;
    else if (this.#limits.lenient === true && key.value !== null) return String(key.source ?? key.value);
    else if (key.value === null) this.#report(place, 'this key is empty');
    else
      this.#report(
        place,
        `the key ${String(key.source ?? key.value).slice(0, 60)} is not a string; put it in quotes`,
      );
    return undefined;
  }

  #readScalar(node: Scalar, start: number, place: SourceLocation): Pick<YamlScalar, 'value' | 'textAt'> {
    const { value, source } = node;
    if (typeof value === 'number') {
      if (!Number.isFinite(value))
        this.#report(place, 'this is not a finite number; put it in quotes if it is a text');
      else if (
        Number.isInteger(value) &&
        !Number.isSafeInteger(value) &&
        !/[.eE]/.test(source?.startsWith('0x') === true ? '' : (source ?? ''))
      )
        this.#report(
          place,
          'this number is larger than 9007199254740991 and would lose digits; put it in quotes',
        );
      return { value: value === 0 ? 0 : value };
    }
    if (typeof value === 'boolean' || value === null) return { value };
    const text = String(value);
    if (!text.isWellFormed())
      this.#report(place, 'this text contains half a surrogate pair, which is not a character');
    const quote = node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE ? 1 : 0;
    const isVerbatim = !text.includes('\n') && this.#text.startsWith(text, start + quote);
    return isVerbatim ? { value: text, textAt: { ...place, column: place.column + quote } } : { value: text };
  }

  #checkAnchor(node: unknown, place: SourceLocation): void {
    const anchor = (node as { anchor?: string } | null)?.anchor;
    if (anchor !== undefined && this.#limits.lenient !== true)
      this.#report(place, `"&${anchor.slice(0, 60)}" is a YAML anchor, which is not supported; remove it`);
  }
}

/**
 * Returns the tag of a node as written in the source; undefined without a tag, and for `!` and `!!str`, which have no effect
 * here.
 */
function tagOf(node: unknown): string | undefined {
  const tag = (node as { tag?: string } | null)?.tag;
  if (tag === undefined || tag === '!' || (tag === 'tag:yaml.org,2002:str' && isScalar(node)))
    return undefined;
  return tag.startsWith('tag:yaml.org,2002:') ? `!!${tag.slice('tag:yaml.org,2002:'.length)}` : tag;
}

/** Returns the offset of the tag before a value, or the offset of the value if the tag is not found. */
function tagStart(text: string, value: number): number {
  const before = text.slice(Math.max(0, value - 400), value);
  const at = /(?:^|[\s,[{:])(![^\s,[\]{}]*)(?:\s+&\S+)?\s*$/.exec(before);
  return at === null ? value : value - (before.length - at.index - at[0].indexOf('!'));
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] } | null)?.range?.[0];
}

function isEmpty(node: unknown): boolean {
  return isScalar(node) && node.value === null && (node.source ?? '') === '' && tagOf(node) === undefined;
}

/** Collects the start offsets of lines, and stops one line after the limit. */
function lineStarts(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (
    let end = text.indexOf('\n');
    end !== -1 && lines.lineStarts.length <= maxLines;
    end = text.indexOf('\n', end + 1)
  )
    lines.addNewLine(end + 1);
  return lines;
}
