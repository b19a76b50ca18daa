import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Faults } from './faults.ts';
import { expandGlob, isGlob, splitGlob } from '../../files/glob.ts';
import { limits } from './limits.ts';
import { wholeFile } from './source-location.ts';
import type { FoundFile } from './source-file.ts';
import { reasonOf } from '../../files/read-regular.ts';

/** The files that the sources of a command name, in order: files, folders, patterns, "-" for standard input. */
export function findSources(sources: readonly string[], cwd: string, faults: Faults): FoundFile[] {
  if (sources.length === 0) faults.add(wholeFile('-f'), 'no manifest is named; name a file, a folder or "-"');
  const base = realpathSync(cwd);
  return sources.flatMap((source) => {
    try {
      return findSource(source, base, faults);
    } catch (error) {
      faults.add(wholeFile(source), reasonOf(error));
      return [];
    }
  });
}

function findSource(source: string, cwd: string, faults: Faults): FoundFile[] {
  if (source === '-') return [{ name: '<stdin>', path: '-', root: cwd, folder: cwd }];
  if (isGlob(source)) {
    const { folder, pattern } = splitGlob(source);
    const root = realpathSync(resolve(cwd, folder));
    const found = expandGlob(root, pattern, limits.walked);
    if (found === undefined)
      faults.add(
        wholeFile(source),
        `matches in a folder of more than ${limits.walked} entries; name a smaller folder`,
      );
    else if (found.length === 0) faults.add(wholeFile(source), 'matches no file');
    return (found ?? []).map((path) => foundFile(path, root, cwd));
  }
  const path = resolve(cwd, source);
  // A link in front of the name is the caller's own; the name itself must be a file.
  if (!statSync(path).isDirectory()) {
    const root = realpathSync(dirname(path));
    return [foundFile(join(root, basename(path)), root, cwd)];
  }
  const root = realpathSync(path);
  const names = readdirSync(root)
    .filter((name) => /^[^.].*\.ya?ml$/i.test(name))
    .sort();
  if (names.length === 0) faults.add(wholeFile(source), 'has no file *.yaml or *.yml');
  return names.map((name) => foundFile(join(root, name), root, cwd));
}

/** How a file is named in places: from the working folder, with forward slashes. */
export function foundFile(path: string, root: string, cwd: string): FoundFile {
  return { name: relative(cwd, path).replaceAll('\\', '/'), path, root, folder: dirname(path) };
}
