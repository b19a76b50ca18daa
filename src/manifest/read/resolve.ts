import { ownValue } from '../../contract/values.ts';
import { didYouMean } from '../../contract/nearest.ts';
import type { YamlNode } from '../../richtext/yaml-tree.ts';
import type { Faults, SourceLocation } from './faults.ts';
import type { FileTexts, Folders } from './file-texts.ts';
import type { FillText } from './fill.ts';
import type { LookupNode, ManifestNode, MapEntry } from './node.ts';

interface ResolveOptions {
  readonly fill: FillText;
  readonly texts: FileTexts;
  readonly foldersOf: (at: SourceLocation) => Folders;
  readonly faults: Faults;
}

type Resolved = ManifestNode | undefined;

/**
 * Creates a function that converts YAML nodes to values: it fills in variables, resolves tags, and reads the files they name. An
 * unreadable value becomes null and a fault. The depth is limited when the text is parsed.
 */
export function createResolver(options: ResolveOptions): (node: YamlNode) => ManifestNode {
  const { fill, texts, foldersOf, faults } = options;
  const tags: Readonly<Record<string, (node: YamlNode) => Resolved>> = {
    '!ref': readRef,
    '!lookup': readLookup,
    '!file': readFile,
  };
  return resolve;

  function resolve(node: YamlNode): ManifestNode {
    const { at } = node;
    if (node.tag !== undefined) return readTag(node, node.tag) ?? { kind: 'scalar', at, value: null };
    if (node.kind === 'list') return { kind: 'list', at, items: node.items.map(resolve) };
    if (node.kind === 'scalar')
      return typeof node.value === 'string'
        ? { kind: 'scalar', at, ...fill(node.value, at, node.textAt) }
        : { kind: 'scalar', at, value: node.value };
    const entries = new Map<string, MapEntry>();
    for (const [name, { key, value }] of node.entries) {
      if (/\$\{\s*(var|env)\./.test(name)) faults.add(key, 'a key cannot use variables');
      entries.set(name, { key, value: resolve(value) });
    }
    return { kind: 'map', at, entries };
  }

  function readTag(node: YamlNode, tag: string): Resolved {
    const read = ownValue(tags, tag);
    if (read !== undefined) return read(node);
    const known = Object.keys(tags);
    const shown = tag.slice(0, 60);
    const hint = didYouMean(shown, known) || `; expected one of ${known.join(', ')}`;
    faults.add(node.at, `unknown tag ${shown}${hint}`);
    // The value is also resolved without the tag, so that its own faults are reported.
    const { tag: _, ...plain } = node;
    return resolve(plain);
  }

  function readRef(node: YamlNode): Resolved {
    const [, kind, name] = /^([a-zA-Z][\w-]{0,59})\.(\S{1,200})$/.exec(textOf(node)) ?? [];
    return kind === undefined || name === undefined
      ? fail(node.at, 'write !ref with a kind and a name: !ref space.guide')
      : { kind: 'ref', at: node.at, to: { kind, name } };
  }

  function readLookup(node: YamlNode): Resolved {
    if (node.kind !== 'map' || node.entries.size === 0)
      return fail(node.at, 'write !lookup with the fields to look for: !lookup { title: Guide }');
    const by: LookupNode['by'] = new Map();
    for (const [name, entry] of node.entries) {
      const value = resolve(entry.value);
      if ((value.kind === 'scalar' && value.value !== null) || value.kind === 'ref')
        by.set(name, { key: entry.key, value });
      else fail(value.at, `"${name.slice(0, 60)}" must be text, a number or a !ref`);
    }
    return { kind: 'lookup', at: node.at, by };
  }

  function readFile(node: YamlNode): Resolved {
    const path = textOf(node);
    if (path === '')
      return fail(node.at, 'write !file with a path from this file: !file schemas/visitor.json');
    const read = texts.read(path, foldersOf(node.at));
    return 'refused' in read
      ? fail(node.at, read.refused)
      : { kind: 'file', at: node.at, path: read.name, text: read.text };
  }

  /** Returns a text with its variables filled in; '' for any other value. */
  function textOf(node: YamlNode): string {
    return node.kind === 'scalar' && typeof node.value === 'string'
      ? String(fill(node.value, node.at, node.textAt).value)
      : '';
  }

  function fail(at: SourceLocation, message: string): undefined {
    faults.add(at, message);
  }
}
