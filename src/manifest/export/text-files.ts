import { schemaIn, typeOf, type Schema } from '../read/schema.ts';
import { isSame } from '../value.ts';
import { toRefName } from './ref-names.ts';
import { countValues, mapMembers, scalar, toYaml, verbatim, type Yaml } from './yaml.ts';

/** A larger value becomes a file of its own. */
const maxInManifest = { lines: 40, characters: 4096, values: 60 };

/** Files with long values, which the manifest includes with `!file`. */
export class TextFiles {
  readonly #texts = new Map<string, string>();

  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /**
   * Converts a value to YAML, with `!file` for a long text, or for the long fields of a map. `path` is the path of the file
   * without its extension.
   */
  toYaml(path: string, value: unknown, schema: Schema, isInner = false): Yaml {
    if (typeof value === 'string') return this.#textToYaml(path, value);
    const plain = toYaml(value);
    if (plain.kind !== 'map' || countValues(plain) <= maxInManifest.values) return plain;
    if (typeOf(schema) === 'map' && !isInner) {
      const convert = (inner: unknown, name: string): Yaml =>
        this.toYaml(`${path}-${toRefName(name, 'x')}`, inner, schemaIn(schema, name) ?? {}, true);
      return { kind: 'map', entries: mapMembers(value as object, convert) };
    }
    const text = `${JSON.stringify(value, null, 2)}\n`;
    return isSame(JSON.parse(text), value) ? this.add(`${path}.json`, text) : plain;
  }

  #textToYaml(path: string, text: string): Yaml {
    if (text.length <= maxInManifest.characters && text.split('\n').length <= maxInManifest.lines)
      return scalar(text);
    return this.add(`${path}.${text.startsWith('-----BEGIN ') ? 'pem' : 'md'}`, text);
  }

  /** Adds a file and refers to it. A path that is taken gets a number. */
  add(path: string, text: string): Yaml {
    // A byte order mark at the beginning of a file would not be read back.
    if (text.startsWith('\ufeff')) return scalar(text);
    const [, stem = '', ending = ''] = /^(.*)(\.\w+)$/s.exec(path) ?? [];
    // On some disks, names that differ only in case are one file.
    let free = path.toLowerCase();
    for (let number = 2; this.#texts.has(free); number++) free = `${stem}-${number}${ending}`.toLowerCase();
    this.#texts.set(free, text);
    return verbatim(`!file ${free}`);
  }
}
