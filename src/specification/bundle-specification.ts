import { getOrInsert, isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import {
  isJsonFileName,
  parseSource,
  sourceLimits,
  type ParsedSource,
  type TextPosition,
} from './parse-source.ts';
import { findIdentifiers } from './resolve-identifiers.ts';
import { bundledFiles, findReferences } from './specification-tree.ts';

const maxFiles = 5000;
const maxBytes = sourceLimits.bytes;

interface LoadedFile {
  readonly name: string;
  readonly text: string;
}

interface FileLoader {
  /** Loads the file that a reference in the file `from` names. The returned name identifies the file. */
  readonly load: (reference: string, from: string, at: TextPosition) => LoadedFile;
  readonly displayName: (name: string) => string;
}

export interface Bundle {
  readonly text: string;
  /** Returns the file for a pointer of the bundle, the position there, and the pointer within the file. */
  readonly locate: (pointer: readonly string[]) => {
    readonly name: string;
    readonly at: TextPosition;
    readonly pointer: readonly string[];
  };
  /** Replaces references into the bundle by the names of their files in a message. */
  readonly describe: (message: string) => string;
}

/**
 * Bundles a specification with the files that it refers to. Returns undefined if there are no other files, or if it cannot be
 * parsed.
 *
 * @throws Problem(too-large) if it has more than 5,000 other files or more than 10 MiB
 * @throws Problem(invalid-input) if another file cannot be parsed
 */
export function bundleSpecification(
  text: string,
  name: string,
  { load, displayName }: FileLoader,
): Bundle | undefined {
  const main = parseSource(text, isJsonFileName(name));
  if ('errors' in main || !isRecord(main.value)) return undefined;
  // A reference to an $id of the main file does not refer to another file.
  const { named } = findIdentifiers(main.value);
  const isOther = (file: string) => file !== '' && !named.has(file);
  if (!findReferences(main.value).some(({ target }) => isOther(splitTarget(target).file))) return undefined;
  /** The reference to the root of each file in the bundle, by file name. */
  const roots = new Map([[name, '#']]);
  const sources = new Map<string, { name: string; source: ParsedSource }>();
  const files: Record<string, unknown> = {};
  const numbers = new Map<string, number>();
  /** Returns the name of a file without its extension, because pages show it as the name of a schema. */
  const keyOf = (path: string): string => {
    const stem =
      path
        .replace(/^.*[/\\]/, '')
        .replace(/\.[^.]*$/, '')
        .replace(/[^\w-]+/g, '-')
        .replace(/^[_-]+/, '') || 'file';
    const number = (numbers.get(stem) ?? 0) + 1;
    numbers.set(stem, number);
    return number === 1 ? stem : keyOf(`${stem}-${number}`);
  };
  const loaded = new Map<string, LoadedFile>();
  let bytes = text.length;
  const addFile = (file: LoadedFile): string => {
    const known = roots.get(file.name);
    if (known !== undefined) return known;
    bytes += file.text.length;
    if (roots.size > maxFiles)
      throw new Problem('too-large', `${displayName(name)} refers to more than ${maxFiles} files.`);
    if (bytes > maxBytes)
      throw new Problem(
        'too-large',
        `${displayName(name)} and the files that it refers to are larger than ${maxBytes >> 20} MiB together.`,
      );
    const key = keyOf(file.name);
    const root = `#/${bundledFiles}/${key}`;
    roots.set(file.name, root);
    const source = parseFile(file, displayName);
    files[key] = source.value;
    sources.set(key, { name: file.name, source });
    rewriteReferences(source, file.name, root);
    return root;
  };
  const rewriteReferences = ({ value, locate }: ParsedSource, from: string, root: string): void => {
    for (const { target, holder, pointer } of findReferences(value)) {
      const { file, fragment } = splitTarget(target);
      if (file === '' && root !== '#') holder['$ref'] = `${root}${fragment}`;
      if (!isOther(file)) continue;
      const key = `${from}\n${file}`;
      const found = getOrInsert(loaded, key, () => load(file, from, locate(pointer)));
      holder['$ref'] = `${addFile(found)}${fragment}`;
    }
  };
  rewriteReferences(main, name, '#');
  return {
    text: JSON.stringify({ ...main.value, [bundledFiles]: files }, null, 2),
    locate: (pointer) => {
      const [first, key = '', ...rest] = pointer;
      const other = first === bundledFiles ? sources.get(key) : undefined;
      if (other === undefined) return { name, at: main.locate(pointer), pointer };
      return { name: other.name, at: other.source.locate(rest), pointer: rest };
    },
    describe: (message) =>
      message.replace(/#\/x-docsctl-files\/([\w-]+)/g, (reference, key: string) => {
        const source = sources.get(key);
        return source === undefined ? reference : `${displayName(source.name)}#`;
      }),
  };
}

function splitTarget(target: string): { file: string; fragment: string } {
  const [file = '', fragment = ''] = target.split('#', 2);
  return { file, fragment };
}

function parseFile({ name, text }: LoadedFile, displayName: FileLoader['displayName']): ParsedSource {
  const source = parseSource(text, isJsonFileName(name));
  if (!('errors' in source) && isRecord(source.value)) return source;
  const errors =
    'errors' in source ? source.errors : [{ at: source.locate([]), message: 'this is not a map of fields' }];
  throw new Problem('invalid-input', `${displayName(name)} cannot be read as part of a specification.`, {
    violations: errors.map(({ at, message }) => ({
      path: `${displayName(name)}:${at.line}:${at.column}`,
      message,
    })),
    hint: 'Correct the errors and run the command again.',
  });
}
