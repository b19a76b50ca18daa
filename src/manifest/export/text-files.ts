import type { Shape } from '../read/shape.ts';
import { isSame } from '../value.ts';
import { refFrom } from './ref-names.ts';
import { countValues, scalar, word, yamlOf, type Yaml } from './yaml.ts';

/** Beyond these a value is a file of its own. */
const most = { lines: 40, characters: 4096, values: 60 };

/** Files that hold long values; the manifest takes them in with `!file`. */
export class TextFiles {
  readonly #texts = new Map<string, string>();

  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /**
   * A value as YAML, what is too long to stand in the manifest as a `!file`; `path` is where that goes, without its ending.
   * Of a block of settings each is looked at, so that the short ones stay in sight.
   */
  valueOf(path: string, value: unknown, shape: Shape, isInner = false): Yaml {
    if (typeof value === 'string') return this.#textOf(path, value);
    const plain = yamlOf(value);
    if (plain.kind !== 'map' || countValues(plain) <= most.values) return plain;
    if (shape.kind === 'map' && !isInner) {
      const fields = Object.entries(value as object).filter(([, inner]) => inner !== undefined);
      return {
        kind: 'map',
        entries: fields.map(
          ([name, inner]) =>
            [
              name,
              this.valueOf(
                `${path}-${refFrom(name, 'x')}`,
                inner,
                shape.fields[name] ?? { kind: 'any' },
                true,
              ),
            ] as const,
        ),
      };
    }
    const text = `${JSON.stringify(value, null, 2)}\n`;
    return isSame(JSON.parse(text), value) ? this.#file(`${path}.json`, text) : plain;
  }

  #textOf(path: string, text: string): Yaml {
    if (text.length <= most.characters && text.split('\n').length <= most.lines) return scalar(text);
    // A reader takes the mark at the beginning of a file for no part of its text.
    if (text.startsWith('\ufeff')) return scalar(text);
    return this.#file(`${path}.${text.startsWith('-----BEGIN ') ? 'pem' : 'md'}`, text);
  }

  /** A text that is always a file. */
  fileOf(path: string, text: string): Yaml {
    return text.startsWith('\ufeff') ? scalar(text) : this.#file(path, text);
  }

  /** Two names that differ in capitals only are one file on some disks. */
  #file(path: string, text: string): Yaml {
    const [, stem = '', ending = ''] = /^(.*)(\.\w+)$/s.exec(path) ?? [];
    let free = path.toLowerCase();
    for (let number = 2; this.#texts.has(free); number++) free = `${stem}-${number}${ending}`.toLowerCase();
    this.#texts.set(free, text);
    return word(`!file ${free}`);
  }
}
