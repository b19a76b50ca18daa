import { posix } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { parseYaml } from '../richtext/yaml.ts';
import type { Warning } from './folder.ts';
import { isInside, isWebAddress, resolveLink } from './resolve-link.ts';

/** What .gitbook.yaml says; all paths are below the folder that was given. */
export interface FolderSettings {
  /** The folder of the documentation, "" for the folder itself. */
  readonly root: string;
  readonly readme: string;
  readonly summary: string;
  /** The files that it names itself, below its root, by the field that names them. */
  readonly named: ReadonlyMap<string, string>;
  /** Old path of a page → the file it leads to now. */
  readonly redirects: ReadonlyMap<string, string>;
}

/** Where the settings lie, below the folder itself whatever its root. */
export const settingsFile = '.gitbook.yaml';
/** Most bytes of settings and of variables. */
export const maxSettings = 256 * 1024;

/** Reads the text of .gitbook.yaml; undefined stands for a folder without one. */
export function readSettings(text: string | undefined): FolderSettings {
  const fields = fieldsOf(
    text === undefined ? undefined : parseYaml(text.replace(/^\uFEFF/, ''), settingsFile),
  );
  const structure = fieldsOf(fields.get('structure'));
  const root = inside(fields.get('root'), '', 'root');
  return {
    root,
    readme: posix.join(root, inside(structure.get('readme'), 'README.md', 'structure.readme')),
    summary: posix.join(root, inside(structure.get('summary'), 'SUMMARY.md', 'structure.summary')),
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

/** Warns of a structure and of redirects that name no file of the folder. */
export function* checkSettings(
  { root, readme, summary, named, redirects }: FolderSettings,
  text: string,
  isThere: (path: string) => boolean,
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
    const instead = name === 'summary' ? '; the pages are those of the folder' : '';
    yield {
      file: settingsFile,
      line: lines.get(name) ?? 0,
      message: `has structure.${name} ${path.slice(0, 200)}, which is not there${instead}`,
    };
  }
  for (const [from, to] of redirects) {
    const path = resolveLink(posix.join(root, 'README.md'), to);
    if (isWebAddress(to) || (path !== undefined && isThere(path))) continue;
    yield {
      file: settingsFile,
      line: lines.get(from) ?? 0,
      message: `has a redirect to ${to.slice(0, 200)}, which is not there`,
    };
  }
}

function fieldsOf(value: unknown): Map<string, unknown> {
  return new Map(
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [],
  );
}

function inside(value: unknown, otherwise: string, name: string): string {
  if (value === undefined || value === null) return otherwise;
  const path =
    typeof value === 'string' ? posix.normalize(value).replace(/^\/+/, '').replace(/\/$/, '') : '..';
  if (!isInside(path) || /[\\\0]/.test(path))
    throw new Problem('invalid-input', `In ${settingsFile}, "${name}" is not a path inside the folder.`, {
      hint: 'Write it relative to the folder, such as ./docs/.',
    });
  return path === '.' || path === '' ? otherwise : path;
}
