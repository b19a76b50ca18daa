import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { nearest } from '../../contract/nearest.ts';
import { confine } from '../../files/confine.ts';
import { expandGlob, isGlob, splitGlob } from '../../files/glob.ts';
import { isFolder } from '../../files/is-folder.ts';
import { reasonOf } from '../../files/read-regular.ts';
import type { YamlMap } from '../../richtext/yaml-tree.ts';
import { wholeFile, type Faults, type SourceLocation } from './faults.ts';
import { limits } from './limits.ts';

export interface FoundFile {
  /** The printed path: relative to the working folder, with forward slashes. */
  readonly name: string;
  /** The real, absolute path; `-` for standard input. */
  readonly path: string;
  /** The folder of the manifest. No file outside of it is read for this file. */
  readonly root: string;
  /** The folder that relative paths in this file start from. */
  readonly folder: string;
  /** The folder or pattern that found the file, if the command does not name the file. Overlays found this way are ignored. */
  readonly foundBy?: string;
  /** The location at which another file includes it. */
  readonly namedAt?: SourceLocation;
}

/** Finds the files for the sources of a command, in order: files, folders, patterns, or `-` for standard input. */
export function findSources(sources: readonly string[], cwd: string, faults: Faults): FoundFile[] {
  if (sources.length === 0)
    faults.add(wholeFile('-f'), 'no manifest given; name a file, a folder, or "-" for standard input');
  const base = realpathSync(cwd);
  return sources.flatMap((source) => {
    const found = findSource(source, base);
    if (typeof found !== 'string') return found;
    faults.add(wholeFile(source), found);
    return [];
  });
}

/** Returns the files of one source, or a message if there are none. */
function findSource(source: string, cwd: string): FoundFile[] | string {
  if (source === '-') return [{ name: '<stdin>', path: '-', root: cwd, folder: cwd }];
  const found = (path: string, root: string) => ({ ...foundFile(path, root, cwd), foundBy: source });
  try {
    if (isGlob(source)) {
      const { folder, pattern } = splitGlob(source);
      const root = realpathSync(resolve(cwd, folder));
      const paths = expand(root, pattern);
      return typeof paths === 'string' ? paths : paths.map((path) => found(path, root));
    }
    const path = resolve(cwd, source);
    // Symbolic links in the path are followed, because the caller named them, but the file itself must not be a link.
    if (!statSync(path).isDirectory()) {
      const root = realpathSync(dirname(path));
      return [foundFile(join(root, basename(path)), root, cwd)];
    }
    const root = realpathSync(path);
    const names = readdirSync(root).filter((name) => /^[^.].*\.ya?ml$/i.test(name));
    return names.length === 0
      ? 'is a folder without *.yaml or *.yml files'
      : names.sort().map((name) => found(join(root, name), root));
  } catch (error) {
    return reasonOf(error) + (isGlob(source) ? '' : similarManifest(resolve(cwd, source)));
  }
}

/** Returns the end of a message about a missing path: the name of a similar file or folder. */
function similarManifest(path: string): string {
  const folder = dirname(path);
  if (!isFolder(folder)) return '';
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || /\.ya?ml$/i.test(entry.name))
    .slice(0, 5000)
    .map(({ name }) => name);
  // Without the extension, which would make all names similar.
  const stemOf = (name: string) => name.replace(/\.ya?ml$/i, '');
  const [close] = nearest(stemOf(basename(path)), names.map(stemOf));
  const found = names.find((name) => stemOf(name) === close);
  return found === undefined ? '' : `; did you mean "${found}"?`;
}

function foundFile(path: string, root: string, cwd: string): FoundFile {
  return { name: relative(cwd, path).replaceAll('\\', '/'), path, root, folder: dirname(path) };
}

/**
 * Finds the files that `include:` of a document names. `chain` contains the files that led here; the including file is the last.
 */
export function findIncluded(
  document: YamlMap,
  file: FoundFile,
  cwd: string,
  chain: readonly FoundFile[],
  faults: Faults,
): FoundFile[] {
  const include = document.entries.get('include')?.value;
  if (include === undefined) return [];
  const fail = (at: SourceLocation, message: string): [] => {
    faults.add(at, message);
    return [];
  };
  if (include.kind !== 'list' || include.tag !== undefined)
    return fail(include.at, '"include" must be a list of files: [teams.yaml, spaces/*.yaml]');
  return include.items.flatMap((item) => {
    const { at } = item;
    if (item.kind !== 'scalar' || typeof item.value !== 'string' || item.tag !== undefined)
      return fail(at, 'an included file must be a path');
    const stated = item.value;
    if (stated.includes('${'))
      return fail(at, '"include" cannot use variables, because files are read first');
    const paths = includedPaths(stated, file);
    if (typeof paths === 'string') return fail(at, paths);
    return paths.flatMap((path) => {
      const again = chain.findIndex((other) => other.path === path);
      if (again === -1) return { ...foundFile(path, file.root, cwd), namedAt: at };
      // A pattern such as *.yaml may match the including file itself.
      if (isGlob(stated) && path === file.path) return [];
      const names = chain.slice(again).map(({ name }) => name);
      return fail(at, `these files include each other: ${[...names, names[0]].join(' → ')}`);
    });
  });
}

/** Returns the paths for an included path or pattern, or a message if there are none. */
function includedPaths(stated: string, { root, folder }: FoundFile): readonly string[] | string {
  const { folder: front, pattern } = isGlob(stated)
    ? splitGlob(stated)
    : { folder: stated, pattern: undefined };
  const target = confine(root, folder, front);
  if ('refused' in target) return target.refused;
  if (pattern === undefined) return [target.path];
  const shown = JSON.stringify(stated);
  if (pattern.split('/').includes('..'))
    return `${shown} uses ".." after a "*"; write the folder name instead`;
  const whole = confine(root, folder, stated);
  if ('refused' in whole) return whole.refused;
  try {
    if (realpathSync(target.path) !== target.path)
      return `${JSON.stringify(front)} is a symbolic link or is inside one; links are not followed`;
  } catch (error) {
    return `${JSON.stringify(front)} ${reasonOf(error)}`;
  }
  const paths = expand(target.path, pattern);
  return typeof paths === 'string' ? `${shown} ${paths}` : paths;
}

function expand(folder: string, pattern: string): readonly string[] | string {
  const paths = expandGlob(folder, pattern, limits.walked);
  if (paths === undefined)
    return `searches a folder with more than ${limits.walked} entries; name a smaller folder`;
  return paths.length === 0 ? 'matches no file' : paths;
}
