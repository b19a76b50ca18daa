import { isObject } from '../contract/schema.ts';
import { Problem } from '../errors/problem.ts';
import { referencesIn } from './references.ts';
import { readSourceText, sourceLimits, type SourcePlace, type SourceText } from './source-text.ts';

/** Where the other files of a specification stand in one that is a single text. */
const room = 'x-docsctl-files';
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

/** A specification of several files as one text; undefined where it is one already, or where it cannot be read at all. */
export function bundleSpecification(text: string, name: string, { load, shown }: OtherFiles): string | undefined {
  const main = readSourceText(text);
  if ('faults' in main || !isObject(main.value) || !referencesIn(main.value).some(({ target }) => !target.startsWith('#'))) return undefined;
  const places = new Map<string, string>([[name, '#']]);
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
      const words = `${from}\n${file}`;
      const found = loaded.get(words) ?? load(file, from, placeOf(pointer));
      loaded.set(words, found);
      if (!places.has(found.name)) {
        bytes += found.text.length;
        if (places.size > most.files) throw new Problem('too-large', `${shown(name)} brings more than ${most.files} files together.`);
        if (bytes > most.bytes) throw new Problem('too-large', `${shown(name)} and the files that it refers to hold more than ${most.bytes >> 20} MiB.`);
        const key = `f${places.size}`;
        places.set(found.name, `#/${room}/${key}`);
        const inner = partOf(found, shown);
        files[key] = inner.value;
        bring(inner, found.name);
      }
      holder['$ref'] = `${places.get(found.name)!}${fragment}` || '#';
    }
  };
  bring(main, name);
  return JSON.stringify({ ...main.value, [room]: files }, null, 2);
}

function partOf({ name, text }: LoadedFile, shown: OtherFiles['shown']): SourceText {
  const source = readSourceText(text);
  const faults = 'faults' in source ? source.faults : isObject(source.value) ? [] : [{ at: source.placeOf([]), message: 'this is no map of fields' }];
  if (!('faults' in source) && faults.length === 0) return source;
  throw new Problem('invalid-input', `${shown(name)} cannot be read as part of a specification.`, {
    violations: faults.map(({ at, message }) => ({ path: `${shown(name)}:${at.line}:${at.column}`, message })),
    hint: 'Mend what is named, then run this again.',
  });
}
