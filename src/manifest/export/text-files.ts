import { schemaIn, typeOf, type Schema } from '../read/schema.ts';
import { isSame } from '../value.ts';
import { toRefName } from './ref-names.ts';
import { countValues, mapMembers, scalar, toYaml, verbatim, type Yaml } from './yaml.ts';

/** Maximum size of a value in the manifest. A larger value is written to a separate file. */
const maxInManifest = { lines: 40, characters: 4096, values: 60 };

/** The files with long values, which the manifest includes with `!file`. */
export class TextFiles {
  readonly #texts = new Map<string, string>();

  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /**
   * Converts a value to YAML. A long text, or the long fields of a map, become `!file`. `path` is the path of the file without
   * its extension.
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

  /** Adds a file and returns a reference to it. If the path is taken, it gets a number. */
  add(path: string, text: string): Yaml {
    // A byte order mark at the start of a file would be lost.
    if (text.startsWith('\ufeff')) return scalar(text);
    const [, stem = '', ending = ''] = /^(.*)(\.\w+)$/s.exec(path) ?? [];
    // On some disks, file names ignore case.
    let free = path.toLowerCase();
    for (let number = 2; this.#texts.has(free); number++) free = `${stem}-${number}${ending}`.toLowerCase();
    this.#texts.set(free, text);
    return verbatim(`!file ${free}`);
  }
}
