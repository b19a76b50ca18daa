import { posix } from 'node:path';
import { getOrInsert } from '../contract/values.ts';
import { fieldsOf } from '../richtext/page-settings.ts';
import { isMarkdown } from './contents.ts';
import { readFields } from './page-placement.ts';
import type { Files } from './read-ahead.ts';

/** The file in which a tool describes the navigation of a site. */
export interface NavigationFile {
  readonly file: string;
  /** The folder of the pages. */
  readonly root: string;
  /** The fields of the file if it is JSON. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly read: () => Promise<unknown>;
}

interface Tool {
  readonly file: RegExp;
  /** The folders that may have the pages, relative to the folder of the file. */
  readonly roots: readonly string[];
  /** The field of a JSON file that has the navigation; undefined if each field has a navigation. */
  readonly field?: string;
  /** Matches the text before the navigation in a program. */
  readonly start?: RegExp;
}

const sidebarRoots = ['docs', '../docs'];
const sidebarField = /\bsidebar\s*:/g;
/** Mintlify, Docusaurus, VitePress, VuePress and Starlight. */
const tools: readonly Tool[] = [
  { file: /^(?:docs\/)?(?:docs|mint)\.json$/, roots: ['.'], field: 'navigation' },
  { file: /^(?:docs\/|website\/)?sidebars\.json$/, roots: sidebarRoots },
  {
    file: /^(?:docs\/|website\/)?sidebars\.[cm]?[jt]s$/,
    roots: sidebarRoots,
    start: /\bmodule\.exports\s*=|\bexport\s+default\b/g,
  },
  // Each folder of Nextra has its own order.
  { file: /^(?:docs\/)?(?:src\/)?(?:pages|content)\/_meta\.(?:json|[jt]sx?)$/, roots: ['.'], start: /(?!)/g },
  // Without sidebars, Docusaurus shows the tree of the folders.
  { file: /^(?:docs\/|website\/)?docusaurus\.config\.[cm]?[jt]s$/, roots: sidebarRoots, start: /(?!)/g },
  { file: /^(?:docs\/)?\.(?:vite|vue)press\/config\.[cm]?[jt]s$/, roots: ['..'], start: sidebarField },
  { file: /^(?:docs\/)?astro\.config\.[cm]?[jt]s$/, roots: ['src/content/docs'], start: sidebarField },
];

const known = new WeakMap<Files, { readonly found: NavigationFile | undefined }>();

/** Finds the navigation of a tool whose pages are in the folder. Looks for it only once. */
export function findNavigation(files: Files): NavigationFile | undefined {
  return getOrInsert(known, files, () => ({ found: lookForNavigation(files) })).found;
}

function lookForNavigation({ paths, textOf }: Files): NavigationFile | undefined {
  const hasPages = (folder: string) =>
    [...paths].some((path) => isMarkdown(path) && path.startsWith(folder === '.' ? '' : `${folder}/`));
  for (const { file: pattern, roots, field, start } of tools) {
    const file = [...paths].find((path) => pattern.test(path));
    if (file === undefined) continue;
    const fields = start === undefined ? readFields(textOf(file)) : new Map<string, unknown>();
    if (field !== undefined && !fields.has(field)) continue;
    const [, source = ''] = (start && /^\s*srcDir: *["']([^"'\n]+)/m.exec(textOf(file))) ?? [];
    const root = roots
      .map((folder) => posix.join(posix.dirname(file), folder, folder === '..' ? source : '', '.'))
      .find(hasPages);
    if (root === undefined) continue;
    const read = async (): Promise<unknown> => {
      if (field !== undefined) return fields.get(field);
      if (start === undefined) return [...fields.values()];
      const { readLiteral } = await import('./read-literal.ts');
      const data = readLiteral(textOf(file), start);
      return start === sidebarField ? data : [...fieldsOf(data).values()];
    };
    return { file, root, fields, read };
  }
  return undefined;
}
