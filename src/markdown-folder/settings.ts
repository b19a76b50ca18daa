import { posix } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { parseYaml } from '../richtext/yaml.ts';
import type { Folder } from './folder.ts';

/** What .gitbook.yaml says; all paths are below the folder that was given. */
export interface FolderSettings {
  /** The folder of the documentation, "" for the folder itself. */
  readonly root: string;
  readonly readme: string;
  readonly summary: string;
}

const file = '.gitbook.yaml';

/** Reads .gitbook.yaml where there is one. */
export async function readSettings(folder: Folder): Promise<FolderSettings> {
  const given = folder.paths.has(file) ? parseYaml((await folder.read(file, 256 * 1024)).toString('utf8'), file) : undefined;
  const fields = fieldsOf(given);
  const structure = fieldsOf(fields.get('structure'));
  const root = inside(fields.get('root'), '', 'root');
  return {
    root,
    readme: posix.join(root, inside(structure.get('readme'), 'README.md', 'structure.readme')),
    summary: posix.join(root, inside(structure.get('summary'), 'SUMMARY.md', 'structure.summary')),
  };
}

function fieldsOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
}

function inside(value: unknown, otherwise: string, name: string): string {
  if (value === undefined || value === null) return otherwise;
  const path = typeof value === 'string' ? posix.normalize(value).replace(/^\/+/, '').replace(/\/$/, '') : '..';
  if (path === '..' || path.startsWith('../') || path.includes('\\'))
    throw new Problem('invalid-input', `In ${file}, "${name}" is not a path inside the folder.`, { hint: 'Write it relative to the folder, such as ./docs/.' });
  return path === '.' ? otherwise : path;
}
