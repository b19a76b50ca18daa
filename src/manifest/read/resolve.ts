import type { YamlNode, YamlScalar } from '../../richtext/yaml-tree.ts';
import { didYouMean } from '../../contract/nearest.ts';
import type { Faults } from './faults.ts';
import type { FileTexts, Folders } from './file-texts.ts';
import type { Filler } from './fill.ts';
import {
  secretNode,
  type MapEntry,
  type LookupNode,
  type ManifestNode,
  type RefNode,
  type ScalarNode,
  type SecretNode,
} from './node.ts';
import type { SourceLocation } from './source-location.ts';
import { variablesIn } from './template.ts';

const tags = ['!ref', '!lookup', '!secret', '!file'];

/** Makes the values of a manifest of what its texts say: fills in variables, reads tags and the files they name. */
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

  /** Recursive: the depth was bounded when the text was read. What cannot be read becomes null and a fault. */
  resolve(node: YamlNode): ManifestNode {
    if (node.tag !== undefined)
      return this.#resolveTagged(node) ?? { kind: 'scalar', at: node.at, value: null };
    if (node.kind === 'scalar') return this.#scalar(node);
    if (node.kind === 'list')
      return { kind: 'list', at: node.at, items: node.items.map((item) => this.resolve(item)) };
    const entries = new Map<string, MapEntry>();
    for (const [name, { key, value }] of node.entries) {
      if (/\$\{\s*(var|env)\./.test(name))
        this.#faults.add(key, 'variables are not filled in here: a key is written out');
      entries.set(name, { key, value: this.resolve(value) });
    }
    return { kind: 'map', at: node.at, entries };
  }

  #resolveTagged(node: YamlNode): ManifestNode | undefined {
    switch (node.tag) {
      case '!ref':
        return this.#ref(node);
      case '!lookup':
        return this.#lookup(node);
      case '!secret':
        return this.#secret(node);
      case '!file':
        return this.#file(node);
      default: {
        const tag = (node.tag ?? '').slice(0, 60);
        this.#fault(
          node.at,
          `the tag ${tag} is not known${didYouMean(tag, tags) || `; there are ${tags.join(', ')}`}`,
        );
        // What it holds is read as if it had no tag, so that its own faults are told too.
        const { tag: _, ...plain } = node;
        return this.resolve(plain as YamlNode);
      }
    }
  }

  #scalar({ at, value, textAt }: YamlScalar): ScalarNode {
    if (typeof value !== 'string') return { kind: 'scalar', at, value };
    const vars = variablesIn(value);
    return {
      kind: 'scalar',
      at,
      value: this.#filler.fill(value, at, textAt),
      ...(vars.length === 0 ? {} : { vars }),
    };
  }

  #ref(node: YamlNode): RefNode | undefined {
    const [, kind, name] = /^([a-zA-Z][\w-]{0,59})\.(\S{1,200})$/.exec(this.#textOf(node) ?? '') ?? [];
    if (kind === undefined || name === undefined)
      return this.#fault(node.at, 'write !ref with a kind and a name: !ref space.guide');
    return { kind: 'ref', at: node.at, to: { kind, name } };
  }

  #lookup(node: YamlNode): LookupNode | undefined {
    if (node.kind !== 'map' || node.entries.size === 0)
      return this.#fault(node.at, 'write !lookup with the fields to look for: !lookup { title: Guide }');
    const by: LookupNode['by'] = new Map();
    for (const [name, { key, value }] of node.entries) {
      const found = this.resolve(value);
      if ((found.kind === 'scalar' && found.value !== null) || found.kind === 'ref')
        by.set(name, { key, value: found });
      else this.#fault(found.at, `a lookup is by texts, numbers or refs; "${name.slice(0, 60)}" is none`);
    }
    return { kind: 'lookup', at: node.at, by };
  }

  #secret(node: YamlNode): SecretNode | undefined {
    if (node.kind !== 'map')
      return this.#fault(
        node.at,
        'a secret is not written in a manifest; write !secret { env: NAME } or !secret { file: path }',
      );
    const [first, ...more] = [...node.entries];
    const source = first === undefined || more.length > 0 ? undefined : first[0];
    const text = first === undefined ? undefined : this.#textOf(first[1].value);
    if ((source !== 'env' && source !== 'file') || text === undefined || text === '')
      return this.#fault(node.at, 'write !secret { env: NAME } or !secret { file: path }');
    const { value } = first![1];
    return source === 'env'
      ? this.#secretOfEnv(node.at, text, value.at)
      : this.#secretOfFile(node.at, text, value.at);
  }

  #secretOfEnv(at: SourceLocation, name: string, nameAt: SourceLocation): SecretNode | undefined {
    if (!/^[A-Za-z_]\w{0,254}$/.test(name))
      return this.#fault(
        nameAt,
        'this is no name of an environment variable; the secret itself is not written here',
      );
    const value = this.#filler.peek(name);
    const called = isPlainName(name) ? name : 'named here';
    if (value === undefined) return this.#fault(nameAt, `the environment variable ${called} is not set`);
    return value === ''
      ? this.#fault(nameAt, `the environment variable ${called} is empty`)
      : secretNode(at, value, `env ${name}`);
  }

  /** The line end that editors put behind the last line is not part of a secret. */
  #secretOfFile(at: SourceLocation, path: string, pathAt: SourceLocation): SecretNode | undefined {
    const read = this.#texts.read(path, this.#foldersOf(at));
    if ('refused' in read)
      return this.#fault(
        pathAt,
        read.refused.replace(JSON.stringify(path.slice(0, 200)), 'the file named here'),
      );
    const value = read.text.replace(/\r?\n$/, '');
    return value === ''
      ? this.#fault(pathAt, 'the file named here is empty')
      : secretNode(at, value, `file ${read.name}`);
  }

  #file(node: YamlNode): ManifestNode | undefined {
    const path = this.#textOf(node);
    if (path === undefined || path === '')
      return this.#fault(node.at, 'write !file with a path from this file: !file schemas/visitor.json');
    const read = this.#texts.read(path, this.#foldersOf(node.at));
    return 'refused' in read
      ? this.#fault(node.at, read.refused)
      : { kind: 'file', at: node.at, path: read.name, text: read.text };
  }

  /** A text with its variables filled in; undefined for all that is no text. */
  #textOf(node: YamlNode): string | undefined {
    if (node.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
    return String(this.#filler.fill(node.value, node.at, node.textAt));
  }

  #fault(at: SourceLocation, message: string): undefined {
    this.#faults.add(at, message);
  }
}

/** Whether it can only be a name, as PAY_TOKEN2: who writes the secret itself in its place must not find it in a log. */
function isPlainName(name: string): boolean {
  return /^[A-Z]{1,16}\d{0,2}(_[A-Z]{1,16}\d{0,2}){0,8}$/.test(name);
}
