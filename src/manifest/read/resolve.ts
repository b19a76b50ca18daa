import { didYouMean } from '../../contract/nearest.ts';
import { defined } from '../../contract/values.ts';
import type { YamlNode } from '../../richtext/yaml-tree.ts';
import type { Faults } from './faults.ts';
import type { FileTexts, Folders } from './file-texts.ts';
import type { Filler } from './fill.ts';
import { secretNode, type LookupNode, type ManifestNode, type MapEntry, type SecretNode } from './node.ts';
import type { SourceLocation } from './source-location.ts';
import { variablesIn } from './template.ts';

const tags = ['!ref', '!lookup', '!secret', '!file'];

/** Turns texts of a manifest into values: fills in variables, and reads tags and the files that they name. */
export class Resolver {
  readonly #filler: Filler;
  readonly #texts: FileTexts;
  readonly #foldersOf: (at: SourceLocation) => Folders;
  readonly #faults: Faults;

  constructor(filler: Filler, texts: FileTexts, foldersOf: (at: SourceLocation) => Folders, faults: Faults) {
    this.#filler = filler;
    this.#texts = texts;
    this.#foldersOf = foldersOf;
    this.#faults = faults;
  }

  /** Resolves a node; what cannot be read becomes null and a fault. The depth is limited when the text is read. */
  resolve(node: YamlNode): ManifestNode {
    const { at } = node;
    if (node.tag !== undefined)
      return this.#resolveTag(node, node.tag) ?? { kind: 'scalar', at, value: null };
    if (node.kind === 'list')
      return { kind: 'list', at, items: node.items.map((item) => this.resolve(item)) };
    if (node.kind === 'scalar') {
      if (typeof node.value !== 'string') return { kind: 'scalar', at, value: node.value };
      const vars = variablesIn(node.value);
      const value = this.#filler.fill(node.value, at, node.textAt);
      return { kind: 'scalar', at, value, ...defined({ vars: vars.length === 0 ? undefined : vars }) };
    }
    const entries = new Map<string, MapEntry>();
    for (const [name, { key, value }] of node.entries) {
      if (/\$\{\s*(var|env)\./.test(name))
        this.#faults.add(key, 'variables are not filled in here: a key is written out');
      entries.set(name, { key, value: this.resolve(value) });
    }
    return { kind: 'map', at, entries };
  }

  #resolveTag(node: YamlNode, tag: string): ManifestNode | undefined {
    switch (tag) {
      case '!ref':
        return this.#ref(node);
      case '!lookup':
        return this.#lookup(node);
      case '!secret':
        return this.#secret(node);
      case '!file':
        return this.#file(node);
      default: {
        const shown = tag.slice(0, 60);
        const known = didYouMean(shown, tags) || `; there are ${tags.join(', ')}`;
        this.#faults.add(node.at, `the tag ${shown} is not known${known}`);
        // The value is resolved without the tag, so that its own faults are reported too.
        const { tag: _, ...plain } = node;
        return this.resolve(plain as YamlNode);
      }
    }
  }

  #ref(node: YamlNode): ManifestNode | undefined {
    const [, kind, name] = /^([a-zA-Z][\w-]{0,59})\.(\S{1,200})$/.exec(this.#textOf(node) ?? '') ?? [];
    return kind === undefined || name === undefined
      ? this.#fail(node.at, 'write !ref with a kind and a name: !ref space.guide')
      : { kind: 'ref', at: node.at, to: { kind, name } };
  }

  #lookup(node: YamlNode): LookupNode | undefined {
    if (node.kind !== 'map' || node.entries.size === 0)
      return this.#fail(node.at, 'write !lookup with the fields to look for: !lookup { title: Guide }');
    const by: LookupNode['by'] = new Map();
    for (const [name, entry] of node.entries) {
      const value = this.resolve(entry.value);
      if ((value.kind === 'scalar' && value.value !== null) || value.kind === 'ref')
        by.set(name, { key: entry.key, value });
      else this.#fail(value.at, `a lookup is by texts, numbers or refs; "${name.slice(0, 60)}" is none`);
    }
    return { kind: 'lookup', at: node.at, by };
  }

  #secret(node: YamlNode): SecretNode | undefined {
    if (node.kind !== 'map')
      return this.#fail(
        node.at,
        'a secret is not written in a manifest; write !secret { env: NAME } or !secret { file: path }',
      );
    const [entry, ...more] = node.entries;
    const [source, stated] = more.length > 0 ? [] : (entry ?? []);
    const text = entry === undefined ? undefined : this.#textOf(entry[1].value);
    if (stated === undefined || (source !== 'env' && source !== 'file') || text === undefined || text === '')
      return this.#fail(node.at, 'write !secret { env: NAME } or !secret { file: path }');
    const { at } = stated.value;
    return source === 'env' ? this.#secretOfEnv(node.at, text, at) : this.#secretOfFile(node.at, text, at);
  }

  #secretOfEnv(at: SourceLocation, name: string, nameAt: SourceLocation): SecretNode | undefined {
    if (!/^[A-Za-z_]\w{0,254}$/.test(name))
      return this.#fail(
        nameAt,
        'this is no name of an environment variable; the secret itself is not written here',
      );
    const value = this.#filler.peek(name);
    if (value !== undefined && value !== '') return secretNode(at, value, `env ${name}`);
    // Somebody may write the secret itself in place of a name. Only what looks like PAY_TOKEN2 may be in a log.
    const isName = /^[A-Z]{1,16}\d{0,2}(_[A-Z]{1,16}\d{0,2}){0,8}$/.test(name);
    const why = value === undefined ? 'is not set' : 'is empty';
    return this.#fail(nameAt, `the environment variable ${isName ? name : 'named here'} ${why}`);
  }

  /** Reads a secret without the line end that editors put behind the last line. */
  #secretOfFile(at: SourceLocation, path: string, pathAt: SourceLocation): SecretNode | undefined {
    const read = this.#texts.read(path, this.#foldersOf(at));
    if ('refused' in read)
      return this.#fail(
        pathAt,
        read.refused.replace(JSON.stringify(path.slice(0, 200)), 'the file named here'),
      );
    const value = read.text.replace(/\r?\n$/, '');
    return value === ''
      ? this.#fail(pathAt, 'the file named here is empty')
      : secretNode(at, value, `file ${read.name}`);
  }

  #file(node: YamlNode): ManifestNode | undefined {
    const path = this.#textOf(node);
    if (path === undefined || path === '')
      return this.#fail(node.at, 'write !file with a path from this file: !file schemas/visitor.json');
    const read = this.#texts.read(path, this.#foldersOf(node.at));
    return 'refused' in read
      ? this.#fail(node.at, read.refused)
      : { kind: 'file', at: node.at, path: read.name, text: read.text };
  }

  /** Returns a text with its variables filled in; undefined for any other value. */
  #textOf(node: YamlNode): string | undefined {
    if (node.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
    return String(this.#filler.fill(node.value, node.at, node.textAt));
  }

  #fail(at: SourceLocation, message: string): undefined {
    this.#faults.add(at, message);
  }
}
