import { Problem } from '../errors/problem.ts';
import { identifiersIn } from './identifiers.ts';
import { otherFiles, referencesIn } from './references.ts';
import {
  isNamedJson,
  readSourceText,
  sourceLimits,
  type SourcePlace,
  type SourceText,
} from './source-text.ts';
import { isRecord } from '../contract/values.ts';

const most = { files: 200, bytes: sourceLimits.bytes };

interface LoadedFile {
  readonly name: string;
  readonly text: string;
}

export interface OtherFiles {
  /** A file by the words of a reference, seen from the file that holds it: what names it from now on, and its text. */
  readonly load: (reference: string, from: string, at: SourcePlace) => LoadedFile;
  /** The name of a file as it is told. */
  readonly shown: (name: string) => string;
}

/** A specification of several files as one text, in which what stands where in which file. */
export interface Bundle {
  readonly text: string;
  /** The file that holds what the words of the one text lead to, its place there, and the words that lead to it there. */
  readonly placeOf: (words: readonly string[]) => {
    readonly name: string;
    readonly at: SourcePlace;
    readonly words: readonly string[];
  };
  /** A message about the one text as one about its files. */
  readonly tell: (message: string) => string;
}

/** A specification of several files as one; undefined where it is one already, or where it cannot be read at all. */
export function bundleSpecification(
  text: string,
  name: string,
  { load, shown }: OtherFiles,
): Bundle | undefined {
  const main = readSourceText(text, isNamedJson(name));
  if ('faults' in main || !isRecord(main.value)) return undefined;
  // What an $id in it names is no other file.
  const { named } = identifiersIn(main.value);
  const isOther = (target: string): boolean =>
    !target.startsWith('#') && !named.has(target.split('#', 1)[0]!);
  if (!referencesIn(main.value).some(({ target }) => isOther(target))) return undefined;
  const places = new Map<string, string>([[name, '#']]);
  const sources = new Map<string, { readonly name: string; readonly source: SourceText }>();
  const files: Record<string, unknown> = {};
  const loaded = new Map<string, LoadedFile>();
  let bytes = text.length;
  const bring = ({ value, placeOf }: SourceText, from: string): void => {
    const base = places.get(from)!;
    for (const { target, holder, pointer } of referencesIn(value)) {
      const [file = '', fragment = ''] = target.split('#', 2);
      if (file === '') {
        if (base !== '#') holder['$ref'] = `${base}${fragment}`;
        continue;
      }
      if (!isOther(target)) continue;
      const words = `${from}\n${file}`;
      const found = loaded.get(words) ?? load(file, from, placeOf(pointer));
      loaded.set(words, found);
      if (!places.has(found.name)) {
        bytes += found.text.length;
        if (places.size > most.files)
          throw new Problem('too-large', `${shown(name)} brings more than ${most.files} files together.`);
        if (bytes > most.bytes)
          throw new Problem(
            'too-large',
            `${shown(name)} and the files that it refers to hold more than ${most.bytes >> 20} MiB.`,
          );
        const key = `f${places.size}`;
        places.set(found.name, `#/${otherFiles}/${key}`);
        const inner = partOf(found, shown);
        files[key] = inner.value;
        sources.set(key, { name: found.name, source: inner });
        bring(inner, found.name);
      }
      holder['$ref'] = `${places.get(found.name)!}${fragment}` || '#';
    }
  };
  bring(main, name);
  return {
    text: JSON.stringify({ ...main.value, [otherFiles]: files }, null, 2),
    placeOf: ([first, key = '', ...rest]) => {
      const other = first === otherFiles ? sources.get(key) : undefined;
      const words =
        other !== undefined ? rest : first === undefined ? [] : key === '' ? [first] : [first, key, ...rest];
      return { name: other?.name ?? name, at: (other?.source ?? main).placeOf(words), words };
    },
    tell: (message) =>
      message.replace(/#\/x-docsctl-files\/(f\d+)/g, (all, key: string) =>
        sources.has(key) ? `${shown(sources.get(key)!.name)}#` : all,
      ),
  };
}

function partOf({ name, text }: LoadedFile, shown: OtherFiles['shown']): SourceText {
  const source = readSourceText(text, isNamedJson(name));
  const faults =
    'faults' in source
      ? source.faults
      : isRecord(source.value)
        ? []
        : [{ at: source.placeOf([]), message: 'this is no map of fields' }];
  if (!('faults' in source) && faults.length === 0) return source;
  throw new Problem('invalid-input', `${shown(name)} cannot be read as part of a specification.`, {
    violations: faults.map(({ at, message }) => ({
      path: `${shown(name)}:${at.line}:${at.column}`,
      message,
    })),
    hint: 'Mend what is named, then run this again.',
  });
}
