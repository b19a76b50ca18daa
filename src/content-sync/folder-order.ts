import { posix } from 'node:path';
import { defined } from '../contract/values.ts';
import { fieldsOf, itemsOf, textOf } from '../richtext/page-settings.ts';
import { readFields, type PagePlacement } from './page-placement.ts';

/** The order and titles that a file of another tool sets for its folder. */
export interface FolderOrder {
  /** The title of the folder. */
  readonly title: string | undefined;
  /** By `entryName`. */
  readonly entries: ReadonlyMap<string, PagePlacement>;
  /** The place of all other entries; undefined if they come last. */
  readonly rest: number | undefined;
}

const maxLength = 64_000;

/** Whether a file sets the order of its folder: `.pages` of awesome-pages (MkDocs), or `_meta.js` of Nextra. */
export function isOrderFile(path: string): boolean {
  return /^(?:\.pages|_meta\.(?:json|[jt]sx?))$/.test(posix.basename(path));
}

/** Reads the order of a folder. No code runs: only lists and objects that are also YAML are read, up to 64 kB. */
export function readFolderOrder(path: string, given: string): FolderOrder {
  const text = given.slice(0, given.length > maxLength ? 0 : undefined);
  const entries = new Map<string, PagePlacement>();
  let rest: number | undefined;
  const add = (name: string, title: string | undefined, isUnlisted?: true): void => {
    if (name.startsWith('...')) rest = entries.size;
    else entries.set(entryName(name), defined({ order: entries.size, title, isUnlisted }));
  };
  if (posix.basename(path) === '.pages') {
    const fields = readFields(text);
    for (const item of itemsOf(fields.get('nav') ?? fields.get('arrange'))) {
      const [title, name] = typeof item === 'string' ? [undefined, item] : ([...fieldsOf(item)][0] ?? []);
      if (typeof name === 'string') add(name, title);
    }
    return { title: textOf(fields.get('title')), entries, rest };
  }
  const code = text.replace(/^[ \t]*\/\/.*$/gm, '');
  const literal = code.slice(Math.max(0, code.indexOf('{')), code.lastIndexOf('}') + 1);
  for (const [name, value] of readFields(literal)) {
    const fields = fieldsOf(value);
    if (name === '*' || fields.has('href') || fields.get('type') === 'separator') continue;
    const title = textOf(value) ?? textOf(fields.get('title'));
    // A title can be an element of JSX.
    add(name, title?.startsWith('<') ? undefined : title, fields.get('display') === 'hidden' || undefined);
  }
  return { title: undefined, entries, rest };
}

/** Returns the name of a folder, or of a page without its extension, by which such files list it. */
export function entryName(path: string): string {
  return posix.basename(path).replace(/\.\w+$/, '');
}
