import { posix } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { fieldsOf } from '../richtext/page-settings.ts';
import { parseYaml } from '../richtext/yaml.ts';
import type { Warning } from './folder.ts';
import { isInside, isWebAddress, resolveLink } from './resolve-link.ts';

/** The settings in .gitbook.yaml. All paths are relative to the folder. */
export interface FolderSettings {
  /** The root of the documentation; empty for the folder itself. */
  readonly root: string;
  readonly readme: string;
  readonly summary: string;
  /** The files named in the settings, relative to the root, by field name. */
  readonly named: ReadonlyMap<string, string>;
  /** The target file of each redirect, by the old path of a page. */
  readonly redirects: ReadonlyMap<string, string>;
}

/** The path of the settings in the folder, independent of its root. */
export const settingsFile = '.gitbook.yaml';
/** Maximum size of the settings, in bytes. */
export const maxSettingsBytes = 256 * 1024;

/**
 * Reads the text of .gitbook.yaml, or returns the defaults for undefined.
 * @throws Problem(invalid-input), Problem(too-large)
 */
export function readSettings(text: string | undefined): FolderSettings {
  const fields = fieldsOf(
    text === undefined ? undefined : parseYaml(text.replace(/^\uFEFF/, ''), settingsFile),
  );
  const structure = fieldsOf(fields.get('structure'));
  const root = checkPath(fields.get('root'), '', 'root');
  return {
    root,
    readme: posix.join(root, checkPath(structure.get('readme'), 'README.md', 'structure.readme')),
    summary: posix.join(root, checkPath(structure.get('summary'), 'SUMMARY.md', 'structure.summary')),
    named: new Map(
      ['readme', 'summary'].flatMap((name) =>
        typeof structure.get(name) === 'string' ? [[name, structure.get(name) as string] as const] : [],
      ),
    ),
    redirects: new Map(
      [...fieldsOf(fields.get('redirects'))].flatMap(([from, to]) =>
        typeof to === 'string' ? [[from, to] as const] : [],
      ),
    ),
  };
}

/** Warns about fields and redirects whose file does not exist in the folder, and redirects to pages that are not imported. */
export function* checkSettings(
  { root, readme, summary, named, redirects }: FolderSettings,
  text: string,
  isThere: (path: string) => boolean,
  skipped: readonly string[],
): Generator<Warning> {
  const lines = new Map(
    text.split('\n').map(
      (line, index) =>
        [
          line
            .slice(0, line.lastIndexOf(': '))
            .trim()
            .replace(/^(["'])(.*)\1$/, '$2'),
          index + 1,
        ] as const,
    ),
  );
  for (const [name, path] of named) {
    if (isThere(name === 'readme' ? readme : summary)) continue;
    const instead = name === 'summary' ? '; the pages of the folder are used instead' : '';
    yield {
      file: settingsFile,
      line: lines.get(name) ?? 0,
      rule: 'settings',
      message: `names ${path.slice(0, 200)} as structure.${name}, which does not exist${instead}`,
    };
  }
  for (const [from, to] of redirects) {
    const path = resolveLink(posix.join(root, 'README.md'), to);
    const isSkipped = path !== undefined && skipped.includes(path);
    if (isWebAddress(to) || (path !== undefined && isThere(path) && !isSkipped)) continue;
    yield {
      file: settingsFile,
      line: lines.get(from) ?? 0,
      rule: 'settings',
      message: `has a redirect to ${to.slice(0, 200)}, which ${isSkipped ? 'is not in the table of contents' : 'does not exist'}`,
    };
  }
}

/** Returns a path relative to the root of the documentation, as the space stores it. */
export function belowRoot({ root }: FolderSettings, path: string): string {
  return root === '' ? path : posix.relative(root, path);
}

function checkPath(value: unknown, otherwise: string, name: string): string {
  if (value === undefined || value === null) return otherwise;
  const path =
    typeof value === 'string' ? posix.normalize(value).replace(/^\/+/, '').replace(/\/$/, '') : '..';
  if (!isInside(path) || /[\\\0]/.test(path))
    throw new Problem('invalid-input', `In ${settingsFile}, "${name}" is not a path inside the folder.`, {
      hint:
        name === 'root'
          ? 'Write it relative to the folder, such as ./docs/.'
          : `Write it relative to the folder of "root", such as ${otherwise}, and move the file there.`,
    });
  return path === '.' || path === '' ? otherwise : path;
}
