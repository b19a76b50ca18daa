import { isObject } from '../contract/schema.ts';
import { Problem } from '../errors/problem.ts';
import { referencesIn } from './references.ts';
import { readSourceText, sourceLimits } from './source-text.ts';

/** Where the other files of a specification stand in one that is a single text. */
const room = 'x-docsctl-files';
const most = { files: 200, bytes: sourceLimits.bytes };

/** A file by the words of a reference, seen from the file that holds it: what names it from now on, and its text. */
export type LoadFile = (reference: string, from: string) => Promise<{ readonly name: string; readonly text: string }>;

/** A specification of several files as one text; undefined where it is one already, or where it cannot be read at all. */
export async function bundleSpecification(text: string, name: string, load: LoadFile): Promise<string | undefined> {
  const main = valueOf(text);
  if (main === undefined || !referencesIn(main).some(({ target }) => !target.startsWith('#'))) return undefined;
  const places = new Map<string, string>([[name, '#']]);
  const files: Record<string, unknown> = {};
  const loaded = new Map<string, Promise<{ readonly name: string; readonly text: string }>>();
  let bytes = text.length;
  const loadOnce = (file: string, from: string) => {
    const key = `${from}\n${file}`;
    if (!loaded.has(key)) loaded.set(key, load(file, from));
    return loaded.get(key)!;
  };
  const bring = async (value: Record<string, unknown>, from: string): Promise<void> => {
    const base = places.get(from)!;
    for (const { target, holder } of referencesIn(value)) {
      const [file = '', fragment = ''] = target.split('#', 2);
      if (file === '') {
        if (base !== '#') holder['$ref'] = `${base}${fragment}`;
        continue;
      }
      const found = await loadOnce(file, from);
      if (!places.has(found.name)) {
        bytes += found.text.length;
        if (places.size > most.files) throw new Problem('too-large', `${name} brings more than ${most.files} files together.`);
        if (bytes > most.bytes) throw new Problem('too-large', `${name} and the files that it refers to hold more than ${most.bytes >> 20} MiB.`);
        const key = `f${places.size}`;
        places.set(found.name, `#/${room}/${key}`);
        const inner = valueOf(found.text);
        if (inner === undefined)
          throw new Problem('invalid-input', `${found.name} cannot be read as part of ${name}.`, { hint: `Look at it: docsctl openapi validate ${found.name}` });
        files[key] = inner;
        await bring(inner, found.name);
      }
      holder['$ref'] = `${places.get(found.name)!}${fragment}` || '#';
    }
  };
  await bring(main, name);
  return JSON.stringify({ ...main, [room]: files }, null, 2);
}

function valueOf(text: string): Record<string, unknown> | undefined {
  const source = readSourceText(text);
  return 'faults' in source || !isObject(source.value) ? undefined : source.value;
}
