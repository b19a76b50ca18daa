import { didYouMean } from '../../contract/nearest.ts';
import type { YamlNode } from '../../richtext/yaml-tree.ts';
import type { Faults } from './faults.ts';
import type { FileTexts, Folders } from './file-texts.ts';
import type { Environment, FillText } from './fill.ts';
import { secretNode, type LookupNode, type ManifestNode, type MapEntry } from './node.ts';
import type { SourceLocation } from './source-location.ts';

interface ResolveOptions {
  readonly fill: FillText;
  readonly env: Environment;
  readonly texts: FileTexts;
  readonly foldersOf: (at: SourceLocation) => Folders;
  readonly faults: Faults;
}

type Resolved = ManifestNode | undefined;

/**
 * Makes a function that turns what a manifest says into values: it fills in variables, and reads tags and the files that
 * they name. An unreadable value becomes null and a fault. The depth is limited when the text is read.
 */
export function createResolver(options: ResolveOptions): (node: YamlNode) => ManifestNode {
  const { fill, env, texts, foldersOf, faults } = options;
  const tags: Readonly<Record<string, (node: YamlNode) => Resolved>> = {
    '!ref': readRef,
    '!lookup': readLookup,
    '!secret': readSecret,
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
    const read = Object.hasOwn(tags, tag) ? tags[tag] : undefined;
    if (read !== undefined) return read(node);
    const known = Object.keys(tags);
    const shown = tag.slice(0, 60);
    const hint = didYouMean(shown, known) || `; expected one of ${known.join(', ')}`;
    faults.add(node.at, `unknown tag ${shown}${hint}`);
    // The value is resolved without the tag, so that its own faults are reported too.
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
      else fail(value.at, `"${name.slice(0, 60)}" must be a text, a number or a !ref`);
    }
    return { kind: 'lookup', at: node.at, by };
  }

  function readSecret(node: YamlNode): Resolved {
    if (node.kind !== 'map')
      return fail(
        node.at,
        'secrets must not be written in a manifest; use !secret { env: NAME } or !secret { file: path }',
      );
    const [entry, ...more] = node.entries;
    const [source, stated] = entry ?? [];
    const text = stated === undefined ? '' : textOf(stated.value);
    if (stated === undefined || more.length > 0 || text === '' || (source !== 'env' && source !== 'file'))
      return fail(node.at, 'write !secret { env: NAME } or !secret { file: path }');
    const { at } = stated.value;
    return source === 'env' ? secretOfEnv(node.at, text, at) : secretOfFile(node.at, text, at);
  }

  function secretOfEnv(at: SourceLocation, name: string, nameAt: SourceLocation): Resolved {
    if (!/^[A-Za-z_]\w{0,254}$/.test(name))
      return fail(
        nameAt,
        'this is not the name of an environment variable; never write the secret itself here',
      );
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && value !== '') return secretNode(at, value, `env ${name}`);
    // Somebody may write the secret itself in place of a name. Only what looks like PAY_TOKEN2 may be in a log.
    const isName = /^[A-Z]{1,16}\d{0,2}(_[A-Z]{1,16}\d{0,2}){0,8}$/.test(name);
    const why = value === undefined ? 'is not set' : 'is empty';
    return fail(nameAt, `the environment variable ${isName ? name : 'named here'} ${why}`);
  }

  /** Leaves out the line end that editors put behind the last line. */
  function secretOfFile(at: SourceLocation, path: string, pathAt: SourceLocation): Resolved {
    const read = texts.read(path, foldersOf(at));
    if ('refused' in read)
      return fail(pathAt, read.refused.replace(JSON.stringify(path.slice(0, 200)), 'the file named here'));
    const value = read.text.replace(/\r?\n$/, '');
    return value === ''
      ? fail(pathAt, 'the file named here is empty')
      : secretNode(at, value, `file ${read.name}`);
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
